// The clipboard: what is copied comes back whole, and what is broken never breaks the program.
#include <random>

#include "headless_app.hpp"

using namespace ringlab;
using namespace ringlab::viz;
using ringlab::viz::test::HeadlessApp;

namespace {

// One mistake of the kinds that people and programs make in a JSON text.
std::string mutated(std::string text, std::mt19937_64& draw) {
  static const char* const kValues[] = {"0",          "-1",          "1e308",   "-0.0",     "null",
                                        "true",       "\"\"",        "[]",      "{}",       "64",
                                        "65",         "99999",       "0.5",     "\"ring\"", "1e-9",
                                        "2147483647", "\"\\u0000\"", "[1,2,3]", "3",        "7"};
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(draw() % count); };
  const int changes = 1 + static_cast<int>(pick(4));
  for (int i = 0; i < changes && text.size() > 4; ++i) {
    switch (pick(6)) {
      case 0:
      case 1:
      case 2: {
        // Another value for some key.
        std::vector<std::size_t> colons;
        for (std::size_t at = text.find(':'); at != std::string::npos; at = text.find(':', at + 1))
          colons.push_back(at);
        if (colons.empty()) break;
        const std::size_t from = colons[pick(colons.size())] + 1;
        const std::size_t to = text.find_first_of(",}\n", from);
        if (to == std::string::npos) break;
        text.replace(from, to - from, kValues[pick(std::size(kValues))]);
        break;
      }
      case 3:
        text.erase(pick(text.size()), 1 + pick(3));
        break;
      case 4:
        text[pick(text.size())] = static_cast<char>(32 + pick(95));
        break;
      default:
        text.resize(text.size() - pick(text.size() / 4 + 1));
        break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("copy and paste restore the same state") {
  HeadlessApp h;
  for (const Preset& preset : presets()) {
    CAPTURE(preset.name);
    h.app.show_preset(preset.name);
    h.app.focus_on(h.app.story().size() - 1);
    h.app.playback().scrub(h.app.playback().end() / 3);
    const std::string copied = h.app.copied();
    h.app.show_preset("plain");
    h.app.paste(copied);
    CHECK(h.app.notes().empty());
    CHECK(h.app.copied() == copied);
    h.check_frame("pasted " + preset.name);
  }
}

TEST_CASE("through the clipboard, with keys") {
  HeadlessApp h("causal-striped");
  h.hands.press(Key::right);
  const double time = h.app.playback().time();
  h.hands.press(Key::c, true);
  h.app.show_preset("plain");
  h.hands.press(Key::v, true);
  CHECK(h.app.state().view.preset == "causal-striped");
  CHECK(h.app.playback().time() == time);
}

TEST_CASE("a value out of range is clamped, and that is said") {
  HeadlessApp h;
  h.app.paste(R"({"ringlab_viz": 1, "scenario": {"ranks": 900, "tokens": 128}})");
  CHECK(h.app.story().size() == Limits::kRanks);
  CHECK_FALSE(h.app.notes().empty());
  h.check_frame("clamped");
}

TEST_CASE("a plain scenario is pasted, too") {
  HeadlessApp h;
  h.app.paste(R"({"ranks": 3, "tokens": 48, "layout": "striped"})");
  CHECK(h.app.story().size() == 3);
  h.check_frame("plain scenario");
}

TEST_CASE("what is no scene is refused in words, and the old scene stands") {
  HeadlessApp h;
  h.hands.frames(1);
  const std::string before = h.app.copied();
  for (const char* text : {"", "hello", "[1, 2]", "{\"ranks\": }", "\xff\xfe"}) {
    h.app.paste(text);
    CHECK_FALSE(h.app.toast().empty());
    CHECK(h.app.copied() == before);
    h.check_frame("refused");
  }
}

TEST_CASE("100 mutated scenes draw or are refused") {
  HeadlessApp h;
  std::mt19937_64 draw(20261130);
  std::vector<std::string> seeds;
  for (const Preset& preset : presets()) {
    if (preset.name == "many-ranks") continue;  // slow, and no different
    h.app.show_preset(preset.name);
    seeds.push_back(h.app.copied());
  }
  int shown = 0, refused = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string text = mutated(seeds[static_cast<std::size_t>(i) % seeds.size()], draw);
    CAPTURE(i, text);
    h.app.show_preset("plain");
    REQUIRE_NOTHROW(h.app.paste(text));
    (h.app.state().view.preset == "plain" ? refused : shown) += 1;
    h.app.tabs().right = i % 3;
    h.app.tabs().bottom = i % 2;
    h.hands.frames(1);
    h.check_frame("mutation " + std::to_string(i));
    h.app.playback().scrub(h.app.playback().end() / 2);
    h.check_frame("mutation " + std::to_string(i) + ", half way");
  }
  // Both ways are trodden; else the mutations are too tame or too wild.
  CHECK(shown > 10);
  CHECK(refused > 10);
}

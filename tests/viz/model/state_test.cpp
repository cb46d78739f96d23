// Copy and paste of the whole state, with damaged and exaggerated texts; presets; limits; texts.
#include "ringlab/viz/model/state.hpp"

#include <cmath>
#include <random>
#include <set>

#include "ringlab/viz/model/frame.hpp"
#include "ringlab/viz/model/playback.hpp"
#include "ringlab/viz/model/presets.hpp"
#include "tests/catch.hpp"
#include "tests/viz/model/scenarios.hpp"

namespace ringlab {
namespace {

using namespace viz;

std::string said(const std::vector<Sentence>& notes) {
  std::string text;
  for (const Sentence& note : notes) text += Texts::english().say(note) + "\n";
  return text;
}

TEST_CASE("what is copied is pasted, in every preset") {
  for (const Preset& preset : presets()) {
    INFO(preset.name);
    SharedState state = preset.state;
    state.view.time = 1.2345678901234567;
    state.view.focus_rank = 2;
    state.view.matrix = {3.25, 17.5, 0.125, 40};
    state.view.timeline = {0.1, 0.7};
    state.view.precision = StatePrecision::bfloat16;
    state.view.reduced_motion = true;
    const Pasted pasted = paste_state(copy_state(state));
    INFO(said(pasted.notes));
    CHECK(pasted.notes.empty());
    CHECK(pasted.state == state);
  }
}

TEST_CASE("a plain scenario is pasted as it is") {
  const Scenario s = preset_named("window").state.scenario;
  CHECK(paste_state(to_json(s)).state.scenario == s);
  CHECK_THROWS_AS(paste_state("not json"), InputError);
  CHECK_THROWS_AS(paste_state("[1, 2]"), InputError);
  CHECK_THROWS_AS(paste_state(std::string(2 << 20, ' ')), InputError);
}

TEST_CASE("values out of range are clamped, and the clamping is said") {
  const Pasted pasted = paste_state(
      R"({"scenario": {"tokens": 1e6, "ranks": 100000, "heads": 0, "kv_heads": 7, "head_dim": "x",
          "schedule": "circle", "input": "/etc/passwd", "colour": 3, "seed": -4},
          "story": {"transfer_ratio": -1, "slow_rank": 900, "clock": "sundial",
                    "cluster": "/etc/passwd", "simulated_tokens": 1e12, "simulated_dtype": "int4"},
          "view": {"time": -3, "speed": 1000, "tab": "<b>"}})");
  const SharedState& s = pasted.state;
  CHECK(s.scenario.tokens == Limits::kTokens);
  CHECK(s.scenario.ranks == Limits::kRanks);
  CHECK(s.scenario.heads == 1);
  CHECK(s.scenario.key_value_heads() == 1);
  CHECK(s.scenario.head_dim == 64);
  CHECK(s.scenario.schedule == "ring");
  CHECK(s.scenario.input.empty());
  CHECK(s.scenario.seed == 0);
  CHECK(s.options.transfer_ratio == 0);
  CHECK(s.options.slow_rank == 63);
  CHECK(s.options.clock == Clock::ideal);
  CHECK(s.options.cluster.empty());
  CHECK(s.options.simulated_tokens == Limits::kSimulatedTokens);
  CHECK(s.options.simulated_dtype == ElementType::bfloat16);
  CHECK(s.view.time == 0);
  CHECK(s.view.speed == 20);
  CHECK(s.view.tab.empty());
  const std::string text = said(pasted.notes);
  for (const char* field : {"tokens", "ranks", "heads", "head_dim", "schedule", "input", "colour",
                            "seed", "transfer_ratio", "slow_rank", "clock", "cluster",
                            "simulated_tokens", "simulated_dtype", "time", "speed", "tab"}) {
    INFO(field << " in\n" << text);
    CHECK(text.find(field) != std::string::npos);
  }
  CHECK(text.find('<' + std::string("note")) == std::string::npos);
}

// Changes a text in one of the ways in which a text is damaged or exaggerated.
std::string mutated(std::string text, std::mt19937& random) {
  static const std::vector<std::string> kValues = {
      "-1",         "0",    "1e300",   "-1e300", "99999999999999999999",
      "null",       "true", "\"\"",    "\"x\"",  "[]",
      "{}",         "3.7",  "[1,2,3]", "1e-9",   "64",
      "\"ulysses\""};
  const int changes = 1 + static_cast<int>(random() % 3);
  for (int i = 0; i < changes; ++i) {
    // Another value for a random field.
    std::vector<std::size_t> colons;
    for (std::size_t at = text.find("\": "); at != std::string::npos;
         at = text.find("\": ", at + 1)) {
      colons.push_back(at + 3);
    }
    if (colons.empty()) break;
    const std::size_t start = colons[random() % colons.size()];
    if (text[start] == '{' && random() % 4 != 0) continue;
    std::size_t end = start;
    int depth = 0;
    while (end < text.size()) {
      const char c = text[end];
      if (depth == 0 && (c == ',' || c == '}' || c == '\n')) break;
      depth += c == '[' || c == '{';
      depth -= c == ']' || c == '}';
      ++end;
    }
    text.replace(start, end - start, kValues[random() % kValues.size()]);
  }
  return text;
}

TEST_CASE("100 mutated states are pasted, told and shown") {
  std::mt19937 random(2026);
  int noted = 0;
  for (int i = 0; i < test::sample(100); ++i) {
    const Preset& preset = presets()[static_cast<std::size_t>(i) % presets().size()];
    const std::string text = mutated(copy_state(preset.state), random);
    INFO(text);
    Pasted pasted = paste_state(text);
    SharedState& s = pasted.state;
    noted += !pasted.notes.empty();
    CHECK(s.scenario.tokens <= Limits::kTokens);
    CHECK(s.scenario.ranks <= Limits::kRanks);
    CHECK(s.scenario.heads <= Limits::kHeads);
    CHECK(s.scenario.head_dim <= Limits::kHeadDim);
    // What was fitted once fits.
    Scenario again = s.scenario;
    StoryOptions options = s.options;
    CHECK(fit_to_limits(again, options).empty());
    CHECK(again == s.scenario);
    s.options.numbers = false;
    const auto story = make_story(s.scenario, s.options);
    fit_view(*story, s.view);
    CHECK(s.view.time <= story->end);
    CHECK(fit_view(*story, s.view).empty());
    Playback playback(story, s.view.focus_rank);
    for (int step = 0; step < 5; ++step) playback.step_forward();
    const Frame frame = frame_at(*story, playback.time());
    CHECK(std::isfinite(frame.share_done));
    for (const BlockPlace& place : frame.places) CHECK(std::isfinite(place.progress));
    CHECK(paste_state(copy_state(s)).state == s);
  }
  CHECK(noted > test::sample(100) / 3);
}

TEST_CASE("every preset runs with numbers and has its words") {
  std::set<std::string> names;
  for (const Preset& preset : presets()) {
    INFO(preset.name);
    CHECK(names.insert(preset.name).second);
    CHECK(Texts::english().has(preset.title));
    CHECK(Texts::english().has(preset.words));
    const auto story = make_story(preset.state.scenario, preset.state.options);
    CHECK(story->notes.empty());
    CHECK(story->numbers);
    ViewState view = preset.state.view;
    CHECK(fit_view(*story, view).empty());
    CHECK(preset_named(preset.name).state == preset.state);
  }
  CHECK_THROWS_AS(preset_named("perpetuum-mobile"), InputError);
}

TEST_CASE("what the words of presets claim is so") {
  const auto story = [](const char* name) {
    SharedState s = preset_named(name).state;
    s.options.numbers = false;
    return make_story(s.scenario, s.options);
  };
  // Zigzag: of the four chunk tiles of a hop two are visible, whoever computes.
  const auto zigzag = story("causal-zigzag");
  for (const Tile& tile : zigzag->tiles) {
    if (tile.hop > 0) CHECK(2 * tile.pairs == tile.square);
  }
  // Window: most tiles are empty.
  const auto window = story("window");
  int empty = 0;
  for (const Tile& tile : window->tiles) empty += tile.kind() == TileClass::empty;
  CHECK(2 * empty > static_cast<int>(window->tiles.size()));
  // Decoding: three rounds down and up.
  CHECK(story("decode")->schedule.hops == 7);
  // Double ring: two nodes of four. Others are one ring.
  const auto rings = story("double-ring");
  CHECK(rings->nodes == 2);
  CHECK(rings->node_of_rank == std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(zigzag->nodes == 1);
  // Grouped heads: a quarter of the bytes of 8 key/value heads.
  SharedState grouped_heads = preset_named("grouped-heads").state;
  const Index bytes = story("grouped-heads")->ledger.bytes_sent();
  grouped_heads.scenario.kv_heads = 8;
  grouped_heads.options.numbers = false;
  CHECK(make_story(grouped_heads.scenario, grouped_heads.options)->ledger.bytes_sent() ==
        4 * bytes);
  // Backward: more than twice as much a hop.
  CHECK(story("backward")->ledger.bytes_sent() > 2 * zigzag->ledger.bytes_sent());
  // Many ranks: not more blocks on a rank.
  CHECK(story("many-ranks")->schedule.key_value_blocks == zigzag->schedule.key_value_blocks);
}

TEST_CASE("texts: placeholders, nesting and other languages") {
  CHECK(fill_in("{0} of {1}{0}, {2} {x}", {"3", "8"}) == "3 of 83, {2} {x}");
  CHECK(placeholders_of("{1} {0} {1} {} {a}") == std::vector<int>{0, 1});
  CHECK(grouped(1234567) == "1\u00a0234\u00a0567");
  CHECK(grouped(-100) == "-100");
  CHECK(bytes_text(999) == "999\u00a0B");
  CHECK(bytes_text(49152) == "49.2\u00a0kB");
  CHECK(bytes_text(999999) == "1.00\u00a0MB");
  CHECK(number_text(0.5834) == "0.583");
  CHECK(duration_text(0.00123) == "1.23\u00a0ms");
  CHECK(duration_text(4.5e-6) == "4.50\u00a0\u00b5s");
  CHECK(duration_text(12.5) == "12.5\u00a0s");
  CHECK(number_text(4.2e-7, 2) == "4.2e-07");
  CHECK(number_text(-INFINITY) == "-inf");
  const Texts& english = Texts::english();
  CHECK(english.say("place.rank", {"3"}) == "rank 3");
  CHECK(english.say("fact.rank", {}) == "rank");
  CHECK(english.say("no.such.key") == "<no.such.key>");
  CHECK(english.say("note.unknown", {"@what.key_value|D"}).starts_with("block D"));
  const Texts other = Texts::from_json(R"({"place.rank": "darajo {0}"})", "so.json");
  CHECK(other.say("place.rank", {"3"}) == "darajo 3");
  CHECK(other.say("fact.hop") == english.say("fact.hop"));
  CHECK_THROWS_AS(Texts::from_json(R"({"place.rank": "darajo"})", "so.json"), InputError);
  CHECK_THROWS_AS(Texts::from_json(R"({"place.rnk": "darajo {0}"})", "so.json"), InputError);
  CHECK_THROWS_AS(Texts::from_json("[]", "so.json"), InputError);
  // Names of kinds and clocks have texts.
  for (const BreakKind kind : {BreakKind::start, BreakKind::send, BreakKind::arrive,
                               BreakKind::attend, BreakKind::merge, BreakKind::home}) {
    CHECK(english.has(std::string("kind.") + name(kind)));
  }
}

TEST_CASE("playback stops at break points, and in reduced motion jumps") {
  const auto story = make_story(preset_named("plain").state.scenario);
  Playback playback(story, 3);
  CHECK(playback.at_start());
  playback.play();
  for (int i = 0; i < 1000 && playback.playing(); ++i) playback.advance(0.016);
  CHECK(playback.time() == playback.breaks()[1].time);
  CHECK(playback.break_index() == 1);
  playback.set_stop_at_breaks(false);
  playback.set_speed(1e9);
  CHECK(playback.speed() == 20);
  playback.play();
  for (int i = 0; i < 1000 && playback.playing(); ++i) playback.advance(0.016);
  CHECK(playback.at_end());
  playback.set_reduced_motion(true);
  playback.play();  // from the beginning
  CHECK(playback.time() == playback.breaks()[1].time);
  CHECK(!playback.advance(1));
  CHECK(playback.go_to_hop(3, BreakKind::attend));
  CHECK(playback.breaks()[static_cast<std::size_t>(playback.break_index())].hop == 3);
  CHECK(!playback.go_to_hop(99));
  playback.scrub(std::nan(""));
  CHECK(playback.at_start());
  playback.step_back();
  CHECK(playback.at_start());
}

}  // namespace
}  // namespace ringlab

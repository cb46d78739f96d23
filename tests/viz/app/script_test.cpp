// Scripts: they do what they say, and say what is wrong with them.
#include "headless_app.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/viz/app/picture_files.hpp"

using namespace ringlab;
using namespace ringlab::viz;
using ringlab::viz::test::HeadlessApp;

namespace {

std::string refusal(HeadlessApp& h, const std::string& script) {
  try {
    h.hands.run(script, "tour.txt");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a tour through the program") {
  HeadlessApp h;
  const ScriptResult result = h.hands.run(R"(
# Lines of every verb.
size 1280 800
preset causal-striped
expect preset causal-striped
expect at-start
key right 3
expect paused
at hop=2
expect hop 2
click transport/home
expect at-start
key space
expect playing
wait 20
expect paused
tab race
expect item tab/timeline
tab timeline
wheel timeline/area 2
drag transport/scrub 60 0
hover ring/rank1
click ring/rank1
expect rank 1
tab scene
click scene/tokens
type "64"
expect text "64 tokens"
key h
expect overlay help
expect text "Space"
expect layout
key escape
expect overlay none
theme light
expect theme light
scale 1.2
expect layout
at end
expect at-end
)",
                                          "tour.txt");
  for (const std::string& failure : result.failures) FAIL_CHECK(failure);
  CHECK(result.steps == 38);
}

TEST_CASE("an expectation that does not hold is reported with its line") {
  HeadlessApp h;
  const ScriptResult result =
      h.hands.run("preset plain\nexpect rank 5\nexpect at-end\n", "tour.txt");
  REQUIRE(result.failures.size() == 2);
  CHECK(result.failures[0] == "tour.txt:2: expect rank 5: it is 0");
  CHECK(result.failures[1].rfind("tour.txt:3: ", 0) == 0);
}

TEST_CASE("a line that cannot be read is refused with its place and the remedy") {
  HeadlessApp h;
  CHECK(refusal(h, "\njump 3\n").find("tour.txt:2: 'jump' is no verb: the verbs are size") !=
        std::string::npos);
  CHECK(refusal(h, "key hyper").find("no key 'hyper'") != std::string::npos);
  CHECK(refusal(h, "click nowhere/at-all").find("nowhere/at-all") != std::string::npos);
  CHECK(refusal(h, "size 10 10").find("320x240") != std::string::npos);
  CHECK(refusal(h, "wait soon").find("'soon' is no number") != std::string::npos);
  CHECK(refusal(h, "preset nothing").find("causal-zigzag") != std::string::npos);
  CHECK(refusal(h, "at hop=99").find("from 0 to 7") != std::string::npos);
  CHECK(refusal(h, "at noon").find("give start, end") != std::string::npos);
  CHECK(refusal(h, "at hop=1:dance").find("the kinds are") != std::string::npos);
  CHECK(refusal(h, "theme pink").find("high-contrast") != std::string::npos);
  CHECK(refusal(h, "expect wonders").find("expect hop, rank") != std::string::npos);
  CHECK(refusal(h, "shot").find("write: shot FILE.png") != std::string::npos);
}

TEST_CASE("a shot is the screen") {
  HeadlessApp h("causal-zigzag", 640, 480, true);
  const ScriptResult result = h.hands.run("shot ringlab_script_test.png", "tour.txt");
  REQUIRE(result.shots.size() == 1);
  const Image image = read_png(result.shots[0]);
  std::filesystem::remove(result.shots[0]);
  CHECK(image.width == 640);
  CHECK(image.height == 480);
  CHECK(image.rgba == h.surface->read().rgba);
}

TEST_CASE("a shot of panes is cut out of the screen") {
  HeadlessApp h("causal-zigzag", 1280, 800, true);
  const ScriptResult result = h.hands.run(
      "shot ringlab_cut_test.png ring matrix\nshot ringlab_cut_test_2.png ring", "tour.txt");
  REQUIRE(result.shots.size() == 2);
  const Image both = read_png(result.shots[0]), ring = read_png(result.shots[1]);
  for (const auto& shot : result.shots) std::filesystem::remove(shot);
  const Image whole = h.surface->read();
  const Shell shell = shell_of(1280, 800, 1, h.app.settings());
  CHECK(both.width > static_cast<int>(shell.matrix.x1 - shell.ring.x0));
  CHECK(both.width < static_cast<int>(shell.right.x1 - shell.ring.x0));
  CHECK(ring.width < both.width / 2 + 30);
  // The cut is a part of the screen, pixel for pixel: found by the first row of the ring's title.
  const auto row = [](const Image& image, int x, int y, int width) {
    const auto first = image.rgba.begin() + 4 * (static_cast<std::ptrdiff_t>(y) * image.width + x);
    return std::vector<std::uint8_t>(first, first + 4 * static_cast<std::ptrdiff_t>(width));
  };
  const int left = static_cast<int>(shell.ring.x0) - 7, top = static_cast<int>(shell.ring.y0) - 7;
  for (int y = 0; y < both.height; ++y) {
    CHECK(row(both, 0, y, both.width) == row(whole, left, top + y, both.width));
  }
  CHECK(refusal(h, "shot x.png ring moon").find("nothing on the screen is called 'moon'") !=
        std::string::npos);
}

TEST_CASE("one scene, one time, one picture") {
  HeadlessApp h("causal-zigzag", 1280, 800, true);
  h.app.playback().scrub(3.3);
  h.hands.frames(2);
  const Image first = h.surface->read();
  h.hands.press(Key::end);
  h.hands.press(Key::home);
  h.app.show_preset("decode");
  h.hands.frames(2);
  h.app.show_preset("causal-zigzag");
  h.app.playback().scrub(3.3);
  h.hands.frames(2);
  CHECK(h.surface->read().rgba == first.rgba);
}

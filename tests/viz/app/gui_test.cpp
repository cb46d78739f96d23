// A person's whole reach: every key, every control, every scene there and back, every size.
#include <set>

#include "headless_app.hpp"

using namespace ringlab;
using namespace ringlab::viz;
using ringlab::viz::test::HeadlessApp;

namespace {

std::set<std::string> controls_of(const App& app) {
  std::set<std::string> ids;
  for (const Item& item : const_cast<App&>(app).items().items()) {
    if (item.kind == Item::Kind::control) ids.insert(item.id);
  }
  return ids;
}

}  // namespace

TEST_CASE("every key can be pressed, anywhere in the story, and under every overlay") {
  HeadlessApp h;
  for (const Overlay overlay : {Overlay::none, Overlay::help, Overlay::scenes}) {
    for (const KeyBinding& binding : key_bindings()) {
      h.app.show_preset("causal-zigzag");
      h.app.set_ui_scale(1);
      if (overlay == Overlay::help) h.app.command(Command::help);
      if (overlay == Overlay::scenes) h.app.command(Command::scenes);
      h.app.playback().scrub(2.5);
      h.hands.press(binding.key, binding.control);
      h.check_frame(std::string("key ") + name(binding.key) +
                    (binding.control ? " with control" : ""));
      if (h.app.overlay() != Overlay::none) h.hands.press(Key::escape);
      CHECK(h.app.overlay() == Overlay::none);
    }
  }
}

TEST_CASE("the greeting runs by itself, again and again, until a hand touches it") {
  HeadlessApp h;
  Playback& playback = h.app.playback();
  h.hands.frames(30);
  REQUIRE(playback.time() == 0);  // nobody asked for it
  h.app.greet();
  double before = 0;
  int rounds = 0;
  // At one unit a second and frames of 0.1 s, with 3 s at the end of each round.
  const int frames = static_cast<int>(10 * (2 * playback.end() + 2 * 3)) + 20;
  for (int i = 0; i < frames; ++i) {
    h.hands.frames(1, 0.1);
    rounds += playback.time() < before;
    before = playback.time();
  }
  CHECK(rounds == 2);
  playback.scrub(0);
  h.app.greet();
  h.hands.frames(10, 0.1);
  h.hands.press(Key::t);  // any key
  CHECK(playback.stop_at_breaks());
  h.hands.frames(200, 0.1);
  CHECK_FALSE(playback.playing());
  CHECK(playback.time() < playback.end());
  CHECK(playback.time() ==
        playback.breaks()[static_cast<std::size_t>(playback.break_index())].time);
  // Whoever wants no motion gets none.
  playback.set_reduced_motion(true);
  playback.scrub(0);
  h.app.greet();
  h.hands.frames(30, 0.1);
  CHECK(playback.time() == 0);
}

TEST_CASE("keys do what the help says") {
  HeadlessApp h;
  App& app = h.app;
  const auto& breaks = app.playback().breaks();
  REQUIRE(breaks.size() > 8);
  h.hands.press(Key::right);
  h.hands.press(Key::right);
  CHECK(app.playback().time() == breaks[2].time);
  h.hands.press(Key::left);
  CHECK(app.playback().time() == breaks[1].time);
  h.hands.press(Key::end);
  CHECK(app.playback().at_end());
  h.hands.press(Key::home);
  CHECK(app.playback().at_start());

  h.hands.press(Key::page_down);
  CHECK(breaks[static_cast<std::size_t>(app.playback().break_index())].hop == 1);
  h.hands.press(Key::page_up);
  CHECK(app.playback().at_start());

  h.hands.press(Key::space);
  CHECK(app.playback().playing());
  h.hands.frames(600);
  // Motion has stopped by itself, exactly at a break point.
  CHECK_FALSE(app.playback().playing());
  CHECK(app.playback().time() == breaks[1].time);

  h.hands.press(Key::down);
  CHECK(app.state().view.focus_rank == 1);
  h.hands.press(Key::up);
  h.hands.press(Key::up);
  CHECK(app.state().view.focus_rank == 7);

  const double speed = app.playback().speed();
  h.hands.press(Key::right_bracket);
  CHECK(app.playback().speed() == 2 * speed);
  h.hands.press(Key::left_bracket);
  CHECK(app.playback().speed() == speed);

  const Index query = app.state().view.query;
  h.hands.press(Key::e);
  CHECK(app.state().view.query == query + 1);
  h.hands.press(Key::q);
  CHECK(app.state().view.query == query);
  h.hands.press(Key::period);
  CHECK(app.state().view.head == 1);
  h.hands.press(Key::comma);
  CHECK(app.state().view.head == 0);
  h.hands.press(Key::b);
  CHECK(app.state().view.precision == StatePrecision::bfloat16);

  h.hands.press(Key::t);
  CHECK(app.settings().theme == ThemeKind::light);
  h.hands.press(Key::equal, true);
  CHECK(app.settings().ui_scale == Approx(1.1));
  h.hands.press(Key::digit_0, true);
  CHECK(app.settings().ui_scale == 1);
  h.hands.press(Key::digit_2);
  CHECK(app.tabs().right == 1);
  h.hands.press(Key::g);
  CHECK(app.tabs().bottom == 1);
  h.hands.press(Key::n);
  CHECK(app.state().view.preset != "causal-zigzag");
  compat::feed_character('?');
  h.hands.frames(1);
  CHECK(app.overlay() == Overlay::help);
}

TEST_CASE("keys are letters while a field is typed in") {
  HeadlessApp h;
  h.app.tabs().left = 1;
  REQUIRE(h.hands.hover("scene/ranks"));
  compat::feed_button(0, true);
  h.hands.frames(1);
  compat::feed_button(0, false);
  h.hands.frames(2);
  const ThemeKind theme = h.app.settings().theme;
  h.hands.press(Key::t);
  CHECK(h.app.settings().theme == theme);
  h.hands.type("4");
  h.hands.frames(3);
  CHECK(h.app.state().scenario.ranks == 4);
  CHECK(h.app.story().size() == 4);
}

TEST_CASE("a value that a field does not take is refused beside it, and the scene stands") {
  HeadlessApp h;
  h.app.tabs().left = 1;
  REQUIRE(h.hands.click("scene/head_dim"));
  h.hands.type("many");
  h.hands.frames(3);
  CHECK(h.app.state().scenario.head_dim == 32);
  bool said = false;
  for (const Item& item : h.app.items().items()) {
    said = said || (item.kind == Item::Kind::text && item.id.find("many") != std::string::npos);
  }
  CHECK(said);
  h.check_frame("with a refusal");
}

TEST_CASE("Escape closes an open list, and nothing is chosen") {
  HeadlessApp h;
  const ScriptResult result = h.hands.run(R"(
preset causal-zigzag
tab scene
click scene/layout
expect item scene/layout/striped
key escape
expect no-item scene/layout/striped
expect preset causal-zigzag
click scene/layout
expect item scene/layout/striped
click scene/layout/striped
expect no-item scene/layout/striped
)",
                                          "escape.txt");
  CHECK(result.failures == std::vector<std::string>{});
  CHECK(h.app.state().scenario.layout == LayoutKind::striped);
}

TEST_CASE("the simulated clock is chosen in the controls; a cluster that does not fit is refused") {
  HeadlessApp h("plain");
  const ScriptResult result = h.hands.run(R"(
tab scene
click scene/clock
click scene/clock/simulated
click scene/cluster
click scene/cluster/2x4xh100
click scene/simulated_tokens
type "131072"
wait 0.1
expect layout
tab story
expect text "simulated on 2x4xh100"
key o
expect layout
expect text "outlines: measured"
tab scene
click scene/clock
click scene/clock/measured
expect text "outlines: simulated"
expect layout
click scene/clock
click scene/clock/simulated
)",
                                          "simulated.txt");
  CHECK(result.failures == std::vector<std::string>{});
  const SharedState before = h.app.state();
  CHECK(before.options.clock == Clock::simulated);
  CHECK(before.options.cluster == "2x4xh100");
  CHECK(before.options.simulated_tokens == 131072);
  CHECK(h.app.story().nodes == 2);
  // Sixteen ranks do not stand on eight GPUs: said beside the control, and the scene stands.
  REQUIRE(h.hands.click("scene/ranks"));
  h.hands.type("16");
  h.hands.frames(3);
  CHECK(h.app.state().scenario.ranks == 8);
  bool said = false;
  for (const Item& item : h.app.items().items()) {
    said = said || (item.kind == Item::Kind::text && item.id.find("8 GPUs") != std::string::npos);
  }
  CHECK(said);
  h.check_frame("with a refused cluster");
  // What was copied comes back whole.
  CHECK(paste_state(h.app.copied()).state.options == before.options);
}

TEST_CASE("every control can be clicked") {
  HeadlessApp h;
  // The panes that can be on the screen: left, bottom, right tab, and one pane at a time.
  struct View {
    int left, bottom, right, only, width, height;
  };
  std::vector<View> views{
      {0, 0, 0, 0, 1280, 800}, {1, 0, 1, 0, 1280, 800}, {0, 1, 2, 0, 1280, 800}};
  for (int only = 0; only < 6; ++only) views.push_back({only == 5 ? 1 : 0, 0, 0, only, 800, 600});
  std::size_t clicked = 0;
  for (const View& view : views) {
    const auto show = [&] {
      // A click on nothing closes a list that has opened.
      compat::feed_mouse({static_cast<float>(view.width) / 2, 2});
      compat::feed_button(0, true);
      h.hands.frames(1);
      compat::feed_button(0, false);
      h.hands.frames(1);
      h.app.show_preset("causal-zigzag");
      h.app.set_ui_scale(1);
      h.app.set_theme(ThemeKind::dark);
      h.app.tabs() = {view.left, view.bottom, view.right, view.only};
      h.app.playback().scrub(2.5);
      h.surface->resize(view.width, view.height);
      if (h.app.overlay() != Overlay::none) h.app.command(Command::close);
      h.hands.frames(2);
    };
    show();
    for (const std::string& id : controls_of(h.app)) {
      show();
      CAPTURE(id, view.only, view.width);
      CHECK(h.hands.click(id));
      h.check_frame("after a click on " + id);
      ++clicked;
    }
  }
  CHECK(clicked > 150);
}

TEST_CASE("every scene goes to its end and back, and ends where it began") {
  HeadlessApp h;
  for (const Preset& preset : presets()) {
    CAPTURE(preset.name);
    h.app.show_preset(preset.name);
    h.hands.frames(2);
    std::vector<double> times{h.app.playback().time()};
    for (int i = 0; i < 2000 && !h.app.playback().at_end(); ++i) {
      h.hands.press(Key::right);
      times.push_back(h.app.playback().time());
      if (times.size() < 40 || times.size() % 8 == 0) h.check_frame(preset.name + " forward");
    }
    CHECK(h.app.playback().at_end());
    CHECK(times.size() > 2);
    while (!h.app.playback().at_start() && times.size() > 1) {
      h.hands.press(Key::left);
      times.pop_back();
      REQUIRE(h.app.playback().time() == times.back());
      if (times.size() < 40 || times.size() % 8 == 0) h.check_frame(preset.name + " back");
    }
    CHECK(times.size() == 1);
  }
}

TEST_CASE("motion between break points draws well in every scene") {
  HeadlessApp h;
  for (const Preset& preset : presets()) {
    h.app.show_preset(preset.name);
    for (int i = 0; i <= 20; ++i) {
      h.app.playback().scrub(h.app.playback().end() * i / 20 * 0.999);
      h.check_frame(preset.name + " at " + std::to_string(i) + "/20");
    }
  }
}

TEST_CASE("every size shows every pane whole") {
  HeadlessApp h;
  const std::pair<int, int> sizes[] = {{640, 480},   {800, 600},   {1023, 700}, {1024, 640},
                                       {1100, 640},  {1280, 720},  {1366, 768}, {1600, 900},
                                       {1920, 1080}, {2560, 1440}, {720, 1280}};
  int turn = 0;  // every inspector at every size, in some scene
  for (const char* preset :
       {"causal-zigzag", "double-ring", "decode", "many-ranks", "ulysses", "backward"}) {
    h.app.show_preset(preset);
    ++turn;
    for (const auto& [width, height] : sizes) {
      h.surface->resize(width, height);
      for (int tab = 0; tab < 6; ++tab) {
        h.app.tabs() = {tab == 5 ? 1 : 0, tab % 2, (tab + turn) % 3, tab};
        h.app.playback().scrub(h.app.playback().end() * (0.15 + 0.12 * tab));
        h.hands.frames(1);
        h.check_frame(std::string(preset) + " at " + std::to_string(width) + "x" +
                      std::to_string(height) + ", tab " + std::to_string(tab));
      }
    }
  }
}

TEST_CASE("every scale and theme shows every pane whole") {
  HeadlessApp h;
  for (const float scale : {0.6f, 0.8f, 1.25f, 1.6f, 2.0f, 3.0f}) {
    h.app.set_ui_scale(scale);
    for (const auto& [width, height] : {std::pair(1280, 800), std::pair(2560, 1440)}) {
      h.surface->resize(width, height);
      for (int view = 0; view < 18; ++view) {
        const int tab = view % 6;
        h.app.set_theme(static_cast<ThemeKind>(tab % kThemes));
        h.app.tabs() = {tab == 5 ? 1 : 0, (view / 3) % 2, view / 6, tab};
        h.hands.frames(2);
        h.check_frame("scale " + std::to_string(scale) + ", " + std::to_string(width) + ", tab " +
                      std::to_string(tab));
      }
    }
  }
}

TEST_CASE("pointing at a thing tells its facts, and lights it everywhere") {
  HeadlessApp h;
  h.app.playback().scrub(2.5);
  for (const char* id : {"ring/rank2", "matrix/area"}) {
    CAPTURE(id);
    REQUIRE(h.hands.hover(id));
    h.hands.frames(2);
    bool facts = false;
    for (const Pane& pane : h.app.items().panes()) facts = facts || pane.id == "facts";
    CHECK(facts);
    h.check_frame(std::string("pointing at ") + id);
  }
}

TEST_CASE("a click on a rank tells the story from there") {
  HeadlessApp h;
  REQUIRE(h.hands.click("ring/rank5"));
  CHECK(h.app.state().view.focus_rank == 5);
}

TEST_CASE("jumps replace motion where motion is not wanted") {
  HeadlessApp h;
  h.hands.press(Key::j);
  h.hands.press(Key::space);
  h.hands.frames(2);
  const auto& breaks = h.app.playback().breaks();
  CHECK(h.app.playback().time() == breaks[1].time);
  CHECK_FALSE(h.app.playback().playing());
}

TEST_CASE("a pane shows the scene of now, whatever was freed while it was not looked at") {
  // Scenes come and go; a new one may lie where the one that a pane has drawn last has lain.
  HeadlessApp h("plain", 640, 480);
  const auto texts = [&] {
    std::set<std::string> found;
    for (const Item& item : h.app.items().items()) {
      if (item.kind == Item::Kind::text) found.insert(item.id);
    }
    return found;
  };
  SharedState small = preset_named("plain").state;
  small.scenario.ranks = 3;
  small.scenario.tokens = 96;
  for (int round = 0; round < 20; ++round) {
    h.app.show_preset("plain");
    h.app.tabs().only = 3;  // the timeline
    h.hands.frames(2);
    REQUIRE(texts().count("rank 7") == 1);
    h.app.tabs().only = 0;
    for (int i = 0; i <= round % 4; ++i) {
      h.app.show(small);
      h.hands.frames(2);
    }
    h.app.tabs().only = 3;
    h.hands.frames(2);
    CAPTURE(round);
    REQUIRE(texts().count("rank 2") == 1);
    REQUIRE(texts().count("rank 7") == 0);
  }
}

// The quiz tab and predictions, as a person uses them: by clicks, keys and scripts, at every size.
#include <cstdlib>
#include <filesystem>
#include <set>

#include "headless_app.hpp"
#include "ringlab/quiz/engine/json.hpp"

using namespace ringlab;
using namespace ringlab::viz;
using ringlab::viz::test::HeadlessApp;
using Page = quiz::Sitting::Page;
namespace fs = std::filesystem;

namespace {

std::set<std::string> controls_of(App& app, const std::string& family) {
  std::set<std::string> ids;
  for (const Item& item : app.items().items()) {
    if (item.kind == Item::Kind::control && item.id.rfind(family, 0) == 0) ids.insert(item.id);
  }
  return ids;
}

bool says(App& app, const std::string& words) {
  std::string all;  // paragraphs are lines on the screen
  for (const Item& item : app.items().items()) {
    if (item.kind == Item::Kind::text) all += item.id + " ";
  }
  return all.find(words) != std::string::npos;
}

void run(HeadlessApp& h, const std::string& script) {
  const ScriptResult result = h.hands.run(script, "quiz.txt");
  for (const std::string& failure : result.failures) FAIL_CHECK(failure);
}

}  // namespace

TEST_CASE("a whole practice by script, with right and wrong answers") {
  HeadlessApp h;
  std::string script = R"(
expect no-item quiz/all
tab quiz
expect quiz choose
expect item quiz/lesson15
expect layout
click quiz/lesson5
expect quiz question
expect text "Question 1 of 10"
)";
  for (int i = 0; i < 10; ++i) {
    if (i % 3 == 0) script += "click quiz/sure\n";
    if (i % 3 == 1) script += "click quiz/guess\n";
    script += i % 4 == 1 ? "answer wrong\nexpect text \"Not quite\"\nexpect text \"Believed\"\n"
                         : "answer right\nexpect text \"Right\"\nexpect no-item quiz/option1\n";
    script += "expect quiz answered\nexpect layout\n";
    script += i % 2 == 0 ? "click quiz/next\n" : "key enter\n";
  }
  script += R"(
expect quiz end
expect quiz-score 7/10
expect text "7 of 10 right"
expect text "Lesson 5: 7 of 10 right"
expect layout
click quiz/choose
expect quiz choose
expect layout
)";
  run(h, script);
  // What was missed or guessed comes back, though nowhere but in memory.
  const quiz::Sitting& sitting = h.app.sitting();
  CHECK(sitting.overview().next_due > 0);
  CHECK(sitting.overview().lessons[4].sum.asked == 10);
  CHECK(sitting.overview().lessons[4].sum.right == 7);
  CHECK(says(h.app, "What you missed comes back"));
  CHECK(says(h.app, "only as long as this program runs"));
}

TEST_CASE("every control of every page of the quiz can be clicked, in three panes and in one") {
  int clicked = 0;
  for (const auto& [width, height] : {std::pair(1280, 800), std::pair(800, 600)}) {
    for (const char* page : {"", "click quiz/all\n", "click quiz/all\nanswer wrong\n",
                             "click quiz/lesson15\nanswer right\n"}) {
      std::set<std::string> ids;
      {
        HeadlessApp h("plain", width, height);
        run(h, std::string("tab quiz\n") + page);
        ids = controls_of(h.app, "quiz/");
      }
      CHECK_FALSE(ids.empty());
      HeadlessApp h("plain", width, height);
      for (const std::string& id : ids) {
        run(h, std::string("tab story\ntab quiz\n"));
        if (h.app.sitting().page() != Page::choose) {
          if (h.app.sitting().page() == Page::answered) h.hands.press(Key::enter);
          if (h.app.sitting().page() == Page::end) h.hands.press(Key::enter);
          if (h.app.sitting().page() == Page::question) REQUIRE(h.hands.click("quiz/choose"));
        }
        run(h, page);
        if (h.app.items().find(id) == nullptr) continue;  // another question has other options
        CAPTURE(id, width);
        CHECK(h.hands.click(id));
        h.check_frame("after a click on " + id);
        ++clicked;
        run(h, "tab story\ntab quiz\n");
      }
    }
  }
  CHECK(clicked > 45);
}

TEST_CASE("the keys of the quiz work on its tab, and nowhere else") {
  HeadlessApp h;
  h.hands.press(Key::enter);
  h.hands.press(Key::digit_1, true);
  h.hands.press(Key::m);
  CHECK(h.app.sitting().page() == Page::choose);
  h.hands.press(Key::u);
  CHECK(h.app.tabs().left == kQuizTab);
  h.hands.press(Key::enter);
  REQUIRE(h.app.sitting().page() == Page::question);
  h.hands.press(Key::y);  // from "think so" to "guess"
  h.hands.press(Key::digit_2, true);
  REQUIRE(h.app.sitting().page() == Page::answered);
  CHECK(h.app.sitting().choice() == 1);
  CHECK(h.app.sitting().run().answers[0].confidence == quiz::Confidence::guess);
  h.hands.press(Key::enter);
  CHECK(h.app.sitting().page() == Page::question);
  CHECK(h.app.sitting().number() == 2);
  // Space still plays.
  h.hands.press(Key::space);
  CHECK(h.app.playback().playing());
  h.hands.press(Key::u);
  CHECK(h.app.tabs().left == 0);
}

TEST_CASE("what shows an answer sets the scene, or stands there to be copied") {
  // The program itself reads flags; here a command that shows a schedule has some scene.
  const auto some_scene = [](const std::string& command) -> std::optional<SharedState> {
    if (command.find(" schedule ") == std::string::npos) return std::nullopt;
    return preset_named("plain").state;
  };
  HeadlessApp h("causal-zigzag", 1280, 800, false, some_scene);
  run(h, "tab quiz\nclick quiz/lesson5\n");
  int shown = 0, copied = 0;
  while (h.app.sitting().page() != Page::end) {
    run(h, "answer right\n");
    const std::string command = h.app.sitting().said().show;
    if (command.find(" schedule ") != std::string::npos) {
      h.app.show_preset("double-ring");
      REQUIRE(h.hands.click("quiz/show"));
      CHECK(h.app.state().scenario == preset_named("plain").state.scenario);
      CHECK(h.app.sitting().page() == Page::answered);
      CHECK(says(h.app, "Set in the picture"));
      ++shown;
    } else if (!command.empty()) {
      CHECK(says(h.app, "Run this in a terminal"));
      REQUIRE(h.hands.click("quiz/copy"));
      CHECK(std::string(ImGui::GetClipboardText()) == command);
      ++copied;
    }
    h.check_frame(command);
    h.hands.press(Key::enter);
  }
  CHECK(shown > 0);
  CHECK(copied > 0);
}

TEST_CASE("every page of the quiz is whole at every size and scale, for every item of the bank") {
  HeadlessApp h;
  const std::pair<int, int> sizes[] = {{640, 480},   {1024, 640},  {1280, 800},
                                       {1920, 1080}, {2560, 1440}, {720, 1280}};
  std::size_t turn = 0;
  for (const quiz::BankLesson& lesson : quiz::bank().lessons) {
    const auto& [width, height] = sizes[turn++ % std::size(sizes)];
    h.surface->resize(width, height);
    h.app.set_ui_scale(turn % 4 == 3 ? 1.6f : turn % 4 == 1 ? 0.8f : 1.0f);
    h.app.set_theme(static_cast<ThemeKind>(turn % kThemes));
    h.app.tabs() = {kQuizTab, 0, 0, kQuizOnly};
    const std::string where = "lesson " + std::to_string(lesson.number) + " at " +
                              std::to_string(width) + "x" + std::to_string(height);
    h.check_frame(where);
    run(h, "click quiz/lesson" + std::to_string(lesson.number) + "\n");
    for (int i = 0; h.app.sitting().page() != Page::end; ++i) {
      h.check_frame(where + ", question");
      run(h, i % 2 == 0 ? "answer wrong\n" : "answer right\n");
      h.check_frame(where + ", answered");
      h.hands.press(Key::enter);
    }
    h.check_frame(where + ", end");
    h.hands.press(Key::enter);
  }
}

TEST_CASE("answers go to the file of the terminal's quiz, and only where a folder is named") {
  const fs::path home = fs::temp_directory_path() / "ringlab_viz_quiz_test";
  fs::remove_all(home);
  setenv("XDG_DATA_HOME", home.c_str(), 1);
  {
    // As pictures, scripts and tests run: nothing is read or written.
    HeadlessApp h;
    run(h, "tab quiz\nclick quiz/all\nanswer wrong\n");
  }
  CHECK_FALSE(fs::exists(home));
  unsetenv("XDG_DATA_HOME");

  const fs::path folder = home / "ringlab" / "quiz";
  AppOptions options = HeadlessApp::options_of("plain");
  options.quiz_folder = folder;
  const std::unique_ptr<Surface> surface = open_blind(1280, 800);
  App app(*surface, options);
  ScriptRunner hands(app, *surface, ".", ".");
  CHECK_FALSE(fs::exists(folder));  // nothing before the tab is used
  CHECK(hands.run("tab quiz\nclick quiz/all\nanswer wrong\n", "quiz.txt").failures.empty());
  const quiz::Progress progress = quiz::load_progress(folder / "progress.json");
  CHECK(progress.items.size() == 1);
  CHECK(progress.cards.size() == 1);
  REQUIRE(progress.other);
  CHECK(progress.other->answers.size() == 1);
  {
    // A terminal asks there now.
    const auto lock = quiz::FolderLock::attempt(folder);
    REQUIRE(lock);
    hands.press(Key::enter);
    const auto before = app.sitting().run();
    hands.run("answer right\n", "quiz.txt");
    CHECK(app.sitting().page() == Page::question);
    CHECK(app.sitting().run() == before);
    hands.frames(2);
    CHECK(says(app, "open in another program"));
  }
  hands.run("answer right\n", "quiz.txt");
  CHECK(quiz::load_progress(folder / "progress.json").other->answers.size() == 2);

  // A file that cannot be read is said, and nothing is written over it.
  {
    std::FILE* file = std::fopen((folder / "progress.json").c_str(), "w");
    std::fputs("{\"version\": 1", file);
    std::fclose(file);
  }
  hands.press(Key::enter);
  hands.run("answer right\n", "quiz.txt");
  CHECK(app.toast().find("progress.json") != std::string::npos);
  CHECK(fs::file_size(folder / "progress.json") == 13);
  fs::remove_all(home);
}

TEST_CASE("predictions by script: right, wrong, skipped, and clicked in the picture") {
  HeadlessApp h("causal-contiguous");
  CHECK_FALSE(h.app.settings().predict);
  h.hands.press(Key::x);
  CHECK(h.app.settings().predict);
  int right = 0, answered = 0, skipped = 0, in_picture = 0;
  std::set<Prediction::Kind> kinds;
  for (int i = 0; !h.app.playback().at_end() && i < 400; ++i) {
    h.hands.frames(1);
    const Prediction* open = h.app.predictor().open();
    if (open == nullptr) {
      h.hands.press(Key::space);
      while (h.app.playback().playing()) h.hands.frames(1);
      continue;
    }
    const Prediction p = *open;
    kinds.insert(p.kind);
    h.check_frame("a question");
    CHECK(controls_of(h.app, "predict/").size() == p.options.size());
    const std::string rank =
        "ring/rank" + std::to_string(p.options[static_cast<std::size_t>(p.right)].rank);
    if (answered % 4 == 3 && skipped < 2) {
      h.hands.press(Key::space);  // nobody is kept from going on
      ++skipped;
    } else if (p.options[0].rank >= 0 && answered % 2 == 0) {
      const int focus = h.app.playback().focus();
      CHECK(h.hands.click(rank));
      CHECK(h.app.playback().focus() == focus);  // an answer, not another teller
      ++answered, ++right, ++in_picture;
    } else if (answered % 3 == 0) {
      h.hands.press(static_cast<Key>(static_cast<int>(Key::digit_1) + p.right), true);
      ++answered, ++right;
    } else {
      run(h, "answer wrong\n");
      ++answered;
    }
    while (h.app.playback().playing()) h.hands.frames(1);
    h.hands.frames(1);
    CHECK(h.app.playback().time() == p.shown_at);
    h.check_frame("the answer");
    CHECK(h.app.predictor().right() == right);
    CHECK(h.app.predictor().answered() == answered);
  }
  CHECK(answered > 4);
  CHECK(skipped > 0);
  CHECK(in_picture > 0);
  CHECK(kinds.size() >= 2);
  // What was missed is on the schedule of reviews.
  run(h, "tab quiz\n");
  h.app.command(Command::quiz);
  h.app.command(Command::quiz);
  REQUIRE(h.hands.click("quiz/lesson1"));
  REQUIRE(h.hands.click("quiz/choose"));
  CHECK(h.app.sitting().overview().next_due > 0);
  h.hands.press(Key::x);
  h.check_frame("without predictions");
  CHECK(controls_of(h.app, "predict/").empty());
}

TEST_CASE("a block in the ring can be clicked as an answer") {
  HeadlessApp h("plain");
  h.app.set_predict(true);
  bool clicked = false;
  for (int rank = 0; rank < h.app.story().size() && !clicked; ++rank) {
    h.app.focus_on(rank);
    for (int b = 0; b < static_cast<int>(h.app.playback().breaks().size()) && !clicked; ++b) {
      h.app.playback().scrub(h.app.playback().breaks()[static_cast<std::size_t>(b)].time);
      h.hands.frames(2);
      const Prediction* open = h.app.predictor().open();
      if (open == nullptr || open->kind != Prediction::Kind::next_block) continue;
      const std::string letter = open->options[static_cast<std::size_t>(open->right)].label;
      // The letter on a block in the ring, by the text that was drawn.
      for (const Item& item : h.app.items().items()) {
        if (item.kind != Item::Kind::text || item.id != letter) continue;
        if (h.app.items().panes()[static_cast<std::size_t>(item.pane)].id != "ring") continue;
        compat::feed_mouse({(item.min.x + item.max.x) / 2, (item.min.y + item.max.y) / 2});
        h.hands.frames(2);
        compat::feed_button(0, true);
        h.hands.frames(1);
        compat::feed_button(0, false);
        h.hands.frames(1);
        clicked = h.app.predictor().waiting() != nullptr;
        break;
      }
    }
  }
  REQUIRE(clicked);
  CHECK(h.app.predictor().waiting()->right());
}

TEST_CASE("predictions are whole at every size, in every scene, and leave where there is no room") {
  HeadlessApp h;
  h.app.set_predict(true);
  const std::pair<int, int> sizes[] = {{640, 480},  {800, 600},   {1024, 640},  {1280, 720},
                                       {1366, 768}, {1920, 1080}, {2560, 1440}, {720, 1280}};
  for (const Preset& preset : presets()) {
    h.app.show_preset(preset.name);
    for (const auto& [width, height] : sizes) {
      h.surface->resize(width, height);
      for (int tab = 0; tab < 8; ++tab) {
        if (tab == 6) continue;
        h.app.tabs() = {tab == 7 ? kQuizTab : tab == 5 ? 1 : 0, tab % 2, tab % 3, tab};
        h.hands.press(Key::right);
        if (h.app.predictor().open() != nullptr && tab % 2 == 0) run(h, "answer wrong\n");
        while (h.app.playback().playing()) h.hands.frames(1);
        h.check_frame(preset.name + " at " + std::to_string(width) + "x" + std::to_string(height) +
                      ", tab " + std::to_string(tab));
        if (h.app.playback().at_end()) h.hands.press(Key::home);
      }
    }
  }
  h.app.set_ui_scale(3);
  h.surface->resize(1280, 800);
  h.hands.frames(2);
  h.check_frame("no room");
  CHECK(controls_of(h.app, "predict/").empty());
  CHECK(h.app.toast().find("higher window") != std::string::npos);
}

TEST_CASE("the switch stands among the controls and in the transport, and is remembered") {
  HeadlessApp h;
  run(h, "tab scene\nclick scene/predict\n");
  CHECK(h.app.settings().predict);
  CHECK(h.app.state().view.preset == "causal-zigzag");  // no field of the scene
  run(h, "click transport/predict\n");
  CHECK_FALSE(h.app.settings().predict);
  Settings settings;
  settings.predict = true;
  CHECK(parse_settings(to_json(settings), "test").predict);
  CHECK_FALSE(parse_settings("{}", "test").predict);
}

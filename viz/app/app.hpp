// The program around the panels: one state, one frame function. Window, pictures, scripts and tests
// all call frame(); none of them sees a panel.
//
// A frame is a pure function of (story, time, view), so nothing here is animated: what is kept from
// one frame to the next are pictures that have not changed.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "ringlab/quiz/engine/sitting.hpp"
#include "ringlab/viz/app/fonts.hpp"
#include "ringlab/viz/app/keys.hpp"
#include "ringlab/viz/app/reading.hpp"
#include "ringlab/viz/app/scene_of_command.hpp"
#include "ringlab/viz/app/settings.hpp"
#include "ringlab/viz/app/shell.hpp"
#include "ringlab/viz/app/surface.hpp"
#include "ringlab/viz/model/playback.hpp"
#include "ringlab/viz/model/predictor.hpp"
#include "ringlab/viz/model/state.hpp"
#include "ringlab/viz/panels/pointing.hpp"
#include "ringlab/viz/panels/scene_panel.hpp"

namespace ringlab::viz {

struct AppOptions {
  SharedState state;
  Settings settings;
  std::filesystem::path settings_file;  // empty: nothing is remembered
  std::optional<Trace> trace;           // to lay over the story
  SceneOfCommand scene_of_command;      // may be empty
  std::filesystem::path quiz_folder;    // of the learner's progress; empty: kept in memory
  ReadingProgress reading;
};

/// Which of several panes is shown.
struct Tabs {
  int left = 0;    // story, controls, kLessonTab, kQuizTab
  int bottom = 0;  // timeline, race
  int right = 0;   // softmax, balance, proof
  int only = 0;    // where there is room for one: story, ring, matrix, timeline, right, controls,
                   // kLessonOnly, kQuizOnly
};

inline constexpr int kLessonTab = 2, kLessonOnly = 6;
inline constexpr int kQuizTab = 3, kQuizOnly = 7;

enum class Overlay { none, help, scenes };

class App {
 public:
  App(Surface& surface, AppOptions options);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// One frame, `seconds` after the last (0: a window measures it). False once the window is
  /// closed.
  bool frame(double seconds);

  /// Shows another scene. Throws InputError for one that cannot be told.
  void show(const SharedState& state);
  void show_preset(const std::string& name);
  /// What Ctrl+C puts on the clipboard.
  std::string copied() const;
  /// What Ctrl+V does with a text; refusals are shown, not thrown.
  void paste(const std::string& text);
  void command(Command command);
  /// Opens a lesson (0: the list of them) in its pane, with its first scene. Throws InputError for
  /// a number without one.
  void show_lesson(int number, bool with_scene = true);
  /// The lesson that is open; 0 for the list.
  int lesson() const;
  /// What a click on a link of the open lesson does. Throws InputError for a link that does not
  /// lead to a scene and a moment of it.
  void follow_link(int index);
  /// Runs the scene by itself until a key or a button is pressed.
  void greet();
  /// The rank from which the story is told; the query and the head of the inspector.
  void focus_on(int rank);
  void pick_query(Index position);
  void pick_head(int head);
  void set_theme(ThemeKind theme);
  /// Predictions on or off.
  void set_predict(bool on);
  const Predictor& predictor() const;
  /// The learner at the quiz, ready from the first time that it is shown.
  const quiz::Sitting& sitting();
  void set_ui_scale(float scale);

  Items& items();
  Playback& playback();
  const Story& story() const;
  const SharedState& state() const;
  const Settings& settings() const;
  Tabs& tabs();
  Overlay overlay() const;
  /// Said at the lower edge a moment ago, or empty.
  const std::string& toast() const;
  const std::vector<Sentence>& notes() const;
  /// Time of the last frame before drawing: what the model and the draw lists took.
  double build_seconds() const;

 private:
  void after_frame();
  void after_lesson_frame();
  void show_lesson_scene(const course::SceneLink& link);

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ringlab::viz

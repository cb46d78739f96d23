// What App keeps, shared by the files that implement it.
#pragma once

#include "ringlab/quiz/engine/sitting.hpp"
#include "ringlab/viz/app/app.hpp"
#include "ringlab/viz/app/greeting.hpp"
#include "ringlab/viz/model/bars.hpp"
#include "ringlab/viz/model/inspect.hpp"
#include "ringlab/viz/model/predictor.hpp"
#include "ringlab/viz/model/proof.hpp"
#include "ringlab/viz/model/race.hpp"
#include "ringlab/viz/model/ring_picture.hpp"
#include "ringlab/viz/panels/predict_panel.hpp"
#include "ringlab/viz/panels/quiz_panel.hpp"
#include "ringlab/viz/panels/ring_panel.hpp"

namespace ringlab::viz {

struct App::Parts {
  explicit Parts(Surface& s) : surface(s) {}

  Surface& surface;
  const Texts& texts = Texts::english();
  FontFiles font_files;
  Fonts fonts;
  float fonts_scale = 0;  // for which they were made
  Settings settings, saved;
  std::filesystem::path settings_file;
  std::optional<Trace> trace;
  SceneOfCommand scene_of_command;

  SharedState state;  // scenario, options, view
  std::shared_ptr<const Story> story;
  std::vector<Sentence> notes;
  Playback playback;
  Greeting greeting;
  Frame frame;
  double shown_time = -1;  // of the frame before

  Rect display{0, 0, 1e6f, 1e6f};  // of the last frame
  bool tabbed = false;             // the screen has room for one pane only
  Tabs tabs;
  bool other_trace = false;  // outlines of the measured run, or of the trace that was handed in
  Overlay overlay = Overlay::none;
  Items items;
  Pointing pointing;
  FormState form_state;
  std::vector<FormField> form;
  std::string fault_field, fault, toast;
  double toast_seconds = 0;
  double build_seconds = 0;
  std::string clipboard;  // where no window has one

  // What was clicked in this frame and is done after it: a scene must not change under its own
  // panels.
  std::vector<Command> pending;
  std::string wanted_preset;
  std::optional<FormChange> wanted_change;
  std::optional<int> wanted_lesson;
  int wanted_link = -1, wanted_command = -1;

  Reading reading;
  ReadingProgress reading_progress;

  // The quiz, from the first time that it is shown or that a missed prediction goes on its
  // schedule.
  struct Quiz {
    std::filesystem::path folder;  // empty: kept in memory
    std::optional<quiz::Sitting> sitting;
    int confidence = 1;                // as QuizPanel counts them
    bool turned = false;               // to another page since the last frame
    bool shown = false;                // the scene of what was answered is in the picture
    std::optional<SharedState> scene;  // of what was answered
    std::uint64_t rounds = 0;
    QuizAsk ask;                         // what was clicked in this frame
    std::vector<std::string> to_review;  // items of missed predictions, not written yet
  };
  Quiz asked;
  Predictor predictor;
  bool predict_hidden = false;  // for want of room

  // Pictures that hold until what they were made of changes. They keep its story: they point into
  // it, and while it lives no other can have its address.
  struct MatrixKey {
    std::shared_ptr<const Story> story;
    Rect area;
    MatrixView view;
    int head = 0;
    Index query = -1;
    bool operator==(const MatrixKey&) const = default;
  };
  struct TimelineKey {
    std::shared_ptr<const Story> story;
    Rect area;
    TimelineView view;
    bool operator==(const TimelineKey&) const = default;
  };
  struct SoftmaxKey {
    std::shared_ptr<const Story> story;
    Index query = -1;
    int head = 0;
    StatePrecision precision = StatePrecision::float32;
    bool operator==(const SoftmaxKey&) const = default;
  };
  MatrixKey matrix_key;
  MatrixPicture matrix;
  TimelineKey timeline_key;
  TimelinePicture timeline;
  SoftmaxKey softmax_key;
  SoftmaxTable softmax;
  int softmax_age = 1;  // frames since it was last drawn
  std::shared_ptr<const Story> ring_story;
  bool ring_crossed = false;
  std::shared_ptr<const Story> proof_story;
  Proof proof;
  std::shared_ptr<const Story> race_story;
  std::optional<Race> race;

  /// What a person wants, as far as the screen has room for it.
  float scale() const {
    const float room = std::min(display.x1 / 420, display.y1 / 320);
    return std::min(settings.ui_scale * surface.density(), std::max(room, 0.6f));
  }
  void say(const std::string& key, const std::vector<std::string>& arguments = {});
  void tell(SharedState next);
  void tell_as_watched(SharedState next);
  void rebuild_fonts();
  void pick_query(Index position);
  void step_query(int by);
  void set_focus(int rank);

  // drawing.cpp, drawing_ring.cpp
  void draw(double seconds);
  void draw_three_panes(const Ui& ui, const Shell& shell);
  void draw_one_pane(const Ui& ui, const Shell& shell);
  void draw_story(const Ui& ui, const Rect& rect);
  void draw_scene(const Ui& ui, const Rect& rect);
  bool words_on_top();
  void draw_ring(const Ui& ui, const Rect& rect);
  void draw_matrix(const Ui& ui, const Rect& rect);
  void draw_timeline(const Ui& ui, const Rect& rect);
  void draw_timeline_legend(const Ui& ui, const Rect& rect);
  void draw_race(const Ui& ui, const Rect& rect);
  void draw_right(const Ui& ui, const Rect& rect, int which);
  float draw_softmax(const Ui& ui, const Rect& rect);
  void draw_splitters(const Ui& ui, const Shell& shell);
  void draw_pointed(const Ui& ui);
  void draw_overlay(const Ui& ui, const Rect& screen);
  std::string scene_title(const Ui& ui) const;
  float draw_left_tabs(const Ui& ui, const Rect& rect);
  void draw_left(const Ui& ui, const Rect& rect);
  /// The left pane shows a page to read, and is wider.
  bool reads() const { return tabs.left == kLessonTab || tabs.left == kQuizTab; }
  void draw_toast(const Ui& ui, const Rect& screen);
  void take_pointing();

  // drawing_quiz.cpp
  void draw_quiz(const Ui& ui, const Rect& rect);
  bool quiz_is_open() const { return tabbed ? tabs.only == kQuizOnly : tabs.left == kQuizTab; }
  quiz::Sitting& sitting();
  /// Does what was clicked or pressed; refusals are shown, not thrown.
  void do_quiz(const QuizAsk& ask);
  void press_quiz(Command command);

  // drawing_predict.cpp
  /// Predictions are wanted, and there is room for them.
  bool predicts() const { return settings.predict && !predict_hidden; }
  void follow_story();
  PredictPanel predict_panel() const;
  void draw_predict(const Ui& ui, const Rect& rect, const PredictPanel& panel);
  void mark_asked(RingPanel& panel) const;
  /// True if the click of this frame was an answer.
  bool answered_by_pointing();
  void answer_prediction(int option);
  void set_predict(bool on);
  void write_reviews();

  // drawing_lesson.cpp
  void draw_lesson(const Ui& ui, const Rect& rect);
  /// Of the lesson whose scene is shown, or empty.
  std::string lesson_title() const;
};

}  // namespace ringlab::viz

// The quiz: what to be asked, one question with its options as large targets, what is said of the
// answer, and the result. The panel draws one page of a plain struct; what was clicked is returned.
#pragma once

#include "ringlab/viz/panels/widgets.hpp"

namespace ringlab::viz {

struct QuizPanel {
  enum class Page { choose, question, answered, end };
  Page page = Page::choose;
  bool turned = false;  // another page than in the last frame: back to its top
  std::string notice;   // what was asked for and did not happen

  // Choose.
  std::string go_on;   // of an unfinished run; empty: there is none
  std::string review;  // the button's words
  bool can_review = false;
  std::string review_note;
  std::string kept_note;
  struct Lesson {
    int number = 0;
    std::string title, seen;
    float share = 0;  // of its items that were seen
  };
  std::vector<Lesson> lessons;

  // A question, and what was said of its answer.
  std::string place, lesson, score, stem;
  float progress = 0;  // share of the run that lies behind
  std::vector<std::string> options;
  int confidence = 1;  // sure, think, guess
  int chosen = -1, right = -1;
  std::string misconception, mend;  // of a wrong choice
  std::string explanation;
  std::string command;    // that shows it, or empty
  bool is_scene = false;  // which the picture can show
  bool shown = false;     // and does
  bool last = false;      // of its run

  // The end.
  std::string result;
  std::vector<std::string> lines;
};

struct QuizAsk {
  enum class What {
    nothing,
    go_on,
    all,
    review,
    lesson,
    confidence,
    option,
    show,
    copy,
    next,
    choose
  };
  What what = What::nothing;
  int value = 0;  // of a lesson its number, of a confidence or option its index
};

QuizAsk draw_quiz_panel(const Ui& ui, const Rect& rect, const QuizPanel& panel);

}  // namespace ringlab::viz

// A learner at the quiz, as a state machine for front ends with pages: choose, a question, what was
// said to the answer, the next question, the end. The clock and chance are handed in, so a sitting
// is as repeatable as its inputs.
//
// Each answer is written at once, and the folder's lock is held only for that: an open window keeps
// no other program from asking.
#pragma once

#include "ringlab/quiz/engine/local.hpp"

namespace ringlab::quiz {

class Sitting {
 public:
  enum class Page { choose, question, answered, end };

  /// What did not happen, and why.
  enum class Refusal {
    none,
    locked,       // another program holds the folder: try again later
    nothing_due,  // there is nothing to review
  };

  struct Overview {
    struct Lesson {
      int number = 0;
      LessonSum sum;
    };
    std::vector<Lesson> lessons;
    int due = 0;                   // items to review now
    std::int64_t next_due = 0;     // 0: none is on the schedule
    int open_at = 0, open_of = 0;  // an unfinished run: its next question, from 1, of how many
  };

  /// `folder` as for ProgressStore. The bank must live as long.
  Sitting(const Bank& bank, std::filesystem::path folder);

  Page page() const { return page_; }
  Refusal refusal() const { return refusal_; }

  /// To the page of choices, with figures read anew; an unfinished run stays where it is kept.
  void choose(std::int64_t now);
  const Overview& overview() const { return overview_; }

  /// A practice (of one lesson unless `lesson` is 0) or a review of at most `count` questions; an
  /// unfinished run is closed, its answers stay. False: see refusal().
  bool begin(RunKind kind, int lesson, int count, std::uint64_t seed, std::int64_t now);
  /// Goes on with the unfinished run. False if there is none of this bank.
  bool resume(std::int64_t now);

  /// Answers the question that is shown, writes that down, and turns to what is said of it. False,
  /// and the question still stands: see refusal().
  bool answer(int choice, Confidence confidence, std::int64_t now);
  /// From what was said to the next question, or to the end.
  void next(std::int64_t now);

  /// Puts an item onto the schedule of reviews. False while the folder is locked.
  bool put_on_review(const std::string& item, std::int64_t now);

  /// Of the question that is shown or was answered.
  const Question& question() const { return question_; }
  int number() const;  // from 1
  int count() const { return static_cast<int>(run_.tickets.size()); }
  int choice() const { return run_.answers.back().choice; }
  Feedback said(const std::string& language = "en") const;
  /// Of this run so far.
  const Score& score() const { return score_; }
  const Run& run() const { return run_; }

 private:
  void take(Run run);
  void ask(std::int64_t now);

  const Bank& bank_;
  ProgressStore store_;
  Page page_ = Page::choose;
  Refusal refusal_ = Refusal::none;
  Overview overview_;
  Run run_;
  Score score_;  // of run_: a window asks for it in every frame, and it draws each question again
  Question question_;
  std::int64_t asked_at_ = 0;
};

}  // namespace ringlab::quiz

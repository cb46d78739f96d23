// What one learner has done so far: statistics of each item, cards of what was missed, the run that
// goes on. All changes are pure functions; json.hpp stores the result.
#pragma once

#include <map>
#include <optional>

#include "ringlab/quiz/engine/fsrs.hpp"
#include "ringlab/quiz/engine/run.hpp"

namespace ringlab::quiz {

struct ItemStatistics {
  int asked = 0, right = 0;
  int sure_wrong = 0;        // the most telling answers: wrong, and sure
  int guess_right = 0;       // luck
  std::int64_t seconds = 0;  // of all answers
  std::int64_t last_at = 0;
  std::map<std::string, int> misconceptions;  // how often a wrong option betrayed which
  bool operator==(const ItemStatistics&) const = default;
};

/// An item on the schedule of reviews.
struct ReviewCard {
  Card card;
  std::int64_t last_at = 0, due_at = 0;
  bool operator==(const ReviewCard&) const = default;
};

struct Progress {
  std::map<std::string, ItemStatistics> items;
  std::map<std::string, ReviewCard> cards;
  std::optional<Run> exam;   // an unfinished one
  std::optional<Run> other;  // an unfinished practice or review

  std::optional<Run>& run_of(RunKind kind) { return kind == RunKind::exam ? exam : other; }
  bool operator==(const Progress&) const = default;
};

/// What an answer says about recall: wrong again; right hard, good or easy by confidence.
Recall recall_of(bool right, Confidence confidence);

/// Writes one answer into statistics and cards. An item comes onto the schedule when it is missed
/// or guessed, and then stays on it.
void record(Progress& progress, const Question& question, const Answer& answer, std::int64_t now);

/// Gives the next open question of a run its answer: in the run, and in statistics and cards. The
/// last answer sets the time at which the run finished.
void give_answer(Progress& progress, Run& run, const Question& question, const Answer& answer,
                 std::int64_t now);

/// Puts an item onto the schedule of reviews as if it had been missed now, without counting an
/// answer. An item that is on the schedule stays as it is.
void put_on_review(Progress& progress, const std::string& item, std::int64_t now);

/// What a learner has done with the items of one lesson.
struct LessonSum {
  int items = 0, seen = 0, asked = 0, right = 0, due = 0;
};
LessonSum sum_of(const BankLesson& lesson, const Progress& progress, std::int64_t now);

/// When the next item is due; 0 if none is on the schedule.
std::int64_t next_due_at(const Progress& progress);

/// Items that are due, the longest overdue first.
std::vector<std::string> due_items(const Progress& progress, const Bank& bank, std::int64_t now);

}  // namespace ringlab::quiz

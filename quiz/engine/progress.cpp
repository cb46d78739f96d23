#include "ringlab/quiz/engine/progress.hpp"

#include <algorithm>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::quiz {
namespace {

constexpr std::int64_t kDay = 86400;  // seconds

}  // namespace

Recall recall_of(bool right, Confidence confidence) {
  if (!right) return Recall::again;
  switch (confidence) {
    case Confidence::guess:
      return Recall::hard;
    case Confidence::think:
      return Recall::good;
    case Confidence::sure:
      return Recall::easy;
  }
  return Recall::good;
}

void record(Progress& progress, const Question& question, const Answer& answer, std::int64_t now) {
  const Option& chosen = question.options.at(static_cast<std::size_t>(answer.choice));
  const std::string& id = question.item->id;
  ItemStatistics& statistics = progress.items[id];
  ++statistics.asked;
  statistics.right += chosen.right;
  statistics.sure_wrong += !chosen.right && answer.confidence == Confidence::sure;
  statistics.guess_right += chosen.right && answer.confidence == Confidence::guess;
  statistics.seconds += answer.seconds;
  statistics.last_at = now;
  if (!chosen.right) ++statistics.misconceptions[chosen.misconception];

  const auto found = progress.cards.find(id);
  const Recall recall = recall_of(chosen.right, answer.confidence);
  const bool shaky = recall == Recall::again || recall == Recall::hard;
  if (found == progress.cards.end() && !shaky) return;
  ReviewCard& card = progress.cards[id];
  // A clock that was set back must not make days negative.
  const auto days = std::max<std::int64_t>(0, (now - card.last_at) / kDay);
  const bool first = found == progress.cards.end();
  card.card = review(first ? std::nullopt : std::optional(card.card), recall,
                     first ? 0 : static_cast<int>(std::min<std::int64_t>(days, 36500)));
  card.last_at = now;
  card.due_at = now + kDay * interval_days(card.card);
}

void give_answer(Progress& progress, Run& run, const Question& question, const Answer& answer,
                 std::int64_t now) {
  RINGLAB_ENSURE(!run.finished(), "an open question");
  record(progress, question, answer, now);
  run.answers.push_back(answer);
  if (!run.finished()) return;
  // However the clock was set meanwhile, a run takes at least as long as its answers.
  run.finished_at = run.started_at;
  for (const Answer& one : run.answers) run.finished_at += one.seconds;
  run.finished_at = std::max(run.finished_at, now);
}

void put_on_review(Progress& progress, const std::string& item, std::int64_t now) {
  if (progress.cards.count(item) > 0) return;
  ReviewCard& card = progress.cards[item];
  card.card = review(std::nullopt, Recall::again, 0);
  card.last_at = now;
  card.due_at = now + kDay * interval_days(card.card);
}

LessonSum sum_of(const BankLesson& lesson, const Progress& progress, std::int64_t now) {
  LessonSum sum;
  for (const Item& item : lesson.items) {
    ++sum.items;
    if (const auto found = progress.items.find(item.id); found != progress.items.end()) {
      ++sum.seen;
      sum.asked += found->second.asked;
      sum.right += found->second.right;
    }
    const auto card = progress.cards.find(item.id);
    sum.due += card != progress.cards.end() && card->second.due_at <= now;
  }
  return sum;
}

std::int64_t next_due_at(const Progress& progress) {
  std::int64_t next = 0;
  for (const auto& [id, card] : progress.cards) {
    if (next == 0 || card.due_at < next) next = card.due_at;
  }
  return next;
}

std::vector<std::string> due_items(const Progress& progress, const Bank& bank, std::int64_t now) {
  std::vector<std::pair<std::int64_t, std::string>> due;
  for (const auto& [id, card] : progress.cards) {
    if (card.due_at <= now && bank.find(id) != nullptr) due.emplace_back(card.due_at, id);
  }
  std::sort(due.begin(), due.end());
  std::vector<std::string> out;
  for (const auto& [at, id] : due) out.push_back(id);
  return out;
}

}  // namespace ringlab::quiz

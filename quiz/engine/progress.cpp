#include "ringlab/quiz/engine/progress.hpp"

#include <algorithm>

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

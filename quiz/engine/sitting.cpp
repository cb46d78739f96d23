#include "ringlab/quiz/engine/sitting.hpp"

#include <algorithm>

#include "ringlab/quiz/engine/draw.hpp"
#include "ringlab/reference/core/error.hpp"

namespace ringlab::quiz {

Sitting::Sitting(const Bank& bank, std::filesystem::path folder)
    : bank_(bank), store_(std::move(folder)) {}

void Sitting::choose(std::int64_t now) {
  const Progress progress = store_.read();
  overview_ = {};
  for (const BankLesson& lesson : bank_.lessons) {
    overview_.lessons.push_back({lesson.number, sum_of(lesson, progress, now)});
  }
  overview_.due = static_cast<int>(due_items(progress, bank_, now).size());
  overview_.next_due = next_due_at(progress);
  if (progress.other && progress.other->bank_hash == bank_.hash) {
    overview_.open_at = static_cast<int>(progress.other->answers.size()) + 1;
    overview_.open_of = static_cast<int>(progress.other->tickets.size());
  }
  refusal_ = Refusal::none;
  page_ = Page::choose;
}

bool Sitting::begin(RunKind kind, int lesson, int count, std::uint64_t seed, std::int64_t now) {
  Run drawn;
  const bool held = store_.change([&](Progress& progress) {
    drawn = begin_practice(bank_, progress, kind, lesson, count, seed, now);
    if (!drawn.tickets.empty()) progress.other = drawn;
  });
  refusal_ = !held ? Refusal::locked : drawn.tickets.empty() ? Refusal::nothing_due : Refusal::none;
  if (refusal_ != Refusal::none) return false;
  take(std::move(drawn));
  ask(now);
  return true;
}

bool Sitting::resume(std::int64_t now) {
  std::optional<Run> open = store_.read().other;
  refusal_ = Refusal::none;
  if (!open || open->bank_hash != bank_.hash || open->finished()) return false;
  take(std::move(*open));
  ask(now);
  return true;
}

void Sitting::take(Run run) {
  score_ = score_of(bank_, run);
  run_ = std::move(run);
}

void Sitting::ask(std::int64_t now) {
  question_ = question_of(bank_, run_.tickets[run_.answers.size()]);
  asked_at_ = now;
  page_ = Page::question;
}

bool Sitting::answer(int choice, Confidence confidence, std::int64_t now) {
  RINGLAB_ENSURE(
      page_ == Page::question && choice >= 0 && choice < static_cast<int>(question_.options.size()),
      "an option of the question that is shown");
  const Answer given{choice, confidence, std::max<std::int64_t>(0, now - asked_at_)};
  Run answered;
  const bool held = store_.change([&](Progress& progress) {
    // Another program may have begun a run of its own meanwhile, or gone on with this one: then its
    // run is kept, and the answer counts all the same.
    std::optional<Run>& kept = progress.run_of(run_.kind);
    const bool ours = kept == run_;
    answered = run_;
    give_answer(progress, answered, question_, given, now);
    if (!ours) return;
    kept = answered;
    if (answered.finished()) kept.reset();
  });
  refusal_ = held ? Refusal::none : Refusal::locked;
  if (!held) return false;
  take(std::move(answered));
  page_ = Page::answered;
  return true;
}

void Sitting::next(std::int64_t now) {
  RINGLAB_ENSURE(page_ == Page::answered, "a question that was answered");
  if (run_.finished()) {
    page_ = Page::end;
  } else {
    ask(now);
  }
}

bool Sitting::put_on_review(const std::string& item, std::int64_t now) {
  RINGLAB_ENSURE(bank_.find(item) != nullptr, "an item of the bank");
  return store_.change([&](Progress& progress) { quiz::put_on_review(progress, item, now); });
}

int Sitting::number() const {
  const int answered = static_cast<int>(run_.answers.size());
  return page_ == Page::question ? answered + 1 : answered;
}

Feedback Sitting::said(const std::string& language) const {
  RINGLAB_ENSURE(page_ == Page::answered, "a question that was answered");
  return feedback(bank_, question_, choice(), language);
}

}  // namespace ringlab::quiz

#include "ringlab/quiz/engine/run.hpp"

#include <map>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::quiz {

const char* name(Confidence confidence) {
  switch (confidence) {
    case Confidence::guess:
      return "guess";
    case Confidence::think:
      return "think";
    case Confidence::sure:
      return "sure";
  }
  return "?";
}

const char* name(RunKind kind) {
  switch (kind) {
    case RunKind::practice:
      return "practice";
    case RunKind::review:
      return "review";
    case RunKind::exam:
      return "exam";
  }
  return "?";
}

Question question_of(const Bank& bank, const Ticket& ticket) {
  const Item* item = bank.find(ticket.item);
  if (item == nullptr) {
    throw InputError("item", ticket.item, "this bank has no such item; use the program of the run");
  }
  return make_question(*item, ticket.seed);
}

Score score_of(const Bank& bank, const Run& run) {
  Score score;
  std::map<int, Score::Lesson> lessons;
  if (run.answers.size() > run.tickets.size()) {
    throw InputError("answers", std::to_string(run.answers.size()),
                     "more than the run has questions");
  }
  for (std::size_t i = 0; i < run.answers.size(); ++i) {
    const Question question = question_of(bank, run.tickets[i]);
    const int choice = run.answers[i].choice;
    if (choice < 0 || choice >= static_cast<int>(question.options.size())) {
      throw InputError("answers", std::to_string(choice), "the question has no such option");
    }
    const int right = choice == question.right();
    Score::Lesson& lesson = lessons[question.item->lesson];
    lesson.number = question.item->lesson;
    lesson.right += right;
    ++lesson.asked;
    score.right += right;
    ++score.asked;
  }
  for (const auto& [number, lesson] : lessons) score.lessons.push_back(lesson);
  return score;
}

bool passes(const Score& score) {
  return score.asked > 0 && 100 * score.right >= kPassPercent * score.asked;
}

std::string option_letter(int index) {
  return std::string(1, static_cast<char>('a' + index));
}

Feedback feedback(const Bank& bank, const Question& question, int choice,
                  const std::string& language) {
  RINGLAB_ENSURE(choice >= 0 && choice < static_cast<int>(question.options.size()),
                 "an option of the question");
  const Option& chosen = question.options[static_cast<std::size_t>(choice)];
  Feedback out;
  out.right = chosen.right;
  out.verdict = chosen.right ? "Right." : "Not quite.";
  if (!chosen.right) {
    out.misconception = bank.misconceptions.at(chosen.misconception).name.in(language);
    out.mend = chosen.mend.in(language);
    const int right = question.right();
    out.right_option = option_letter(right) + ") " +
                       question.options[static_cast<std::size_t>(right)].text.in(language);
  }
  out.explanation = question.explanation.in(language);
  out.source = question.item->source;
  if (!question.show.empty()) out.show = "ringlab " + question.show;
  return out;
}

}  // namespace ringlab::quiz

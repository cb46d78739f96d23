#include "ringlab/quiz/export/export.hpp"

#include <set>

namespace ringlab::quiz {

std::vector<ExportQuestion> export_questions(const Bank& bank, const ExportOptions& options) {
  std::vector<ExportQuestion> out;
  for (const BankLesson& lesson : bank.lessons) {
    for (const Item& item : lesson.items) {
      if (item.generator.empty()) {
        out.push_back({item.id, lesson.number, make_question(item, 1)});
        continue;
      }
      std::set<std::string> stems;
      // A generator with few variants may not have so many different draws.
      for (std::uint64_t seed = 1; static_cast<int>(stems.size()) < options.draws && seed <= 1000;
           ++seed) {
        Question question = make_question(item, seed);
        if (!stems.insert(question.stem.in(options.language)).second) continue;
        out.push_back(
            {item.id + "-" + std::to_string(stems.size()), lesson.number, std::move(question)});
      }
    }
  }
  return out;
}

std::string explanation_of(const Question& question, const std::string& language) {
  const std::string& source = question.item->source;
  return question.explanation.in(language) + (source.empty() ? "" : " Source: " + source + ".");
}

}  // namespace ringlab::quiz

// GIFT: docs.moodle.org/en/GIFT_format. Special characters are escaped, a question has no blank
// line, and texts are plain, so that < and & mean themselves.
#include <fmt/format.h>

#include "ringlab/quiz/export/export.hpp"

namespace ringlab::quiz {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (std::string_view("~=#{}:\\").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string export_gift(const Bank& bank, const ExportOptions& options) {
  const std::string& language = options.language;
  std::string out = "// RingLab: sequence parallelism and ring attention\n";
  int lesson = 0;
  for (const ExportQuestion& one : export_questions(bank, options)) {
    if (one.lesson != lesson) {
      lesson = one.lesson;
      out += fmt::format("\n$CATEGORY: RingLab/{:02}\n", lesson);
    }
    const Question& question = one.question;
    out += fmt::format("\n::{}::[plain]{} {{\n", one.name, escaped(question.stem.in(language)));
    for (const Option& option : question.options) {
      out += fmt::format("{}{}", option.right ? '=' : '~', escaped(option.text.in(language)));
      if (!option.right) {
        out += "#" + escaped(bank.misconceptions.at(option.misconception).name.in(language) + " " +
                             option.mend.in(language));
      }
      out += "\n";
    }
    out += "####" + escaped(explanation_of(question, language)) + "\n}\n";
  }
  return out;
}

}  // namespace ringlab::quiz

// Anki's text import: docs.ankiweb.net/importing/text-files.html. Fields are quoted HTML.
#include <fmt/format.h>

#include "ringlab/quiz/engine/run.hpp"
#include "ringlab/quiz/export/export.hpp"

namespace ringlab::quiz {
namespace {

std::string html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '\n':
        out += "<br>";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string field(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

}  // namespace

std::string export_anki(const Bank& bank, const ExportOptions& options) {
  const std::string& language = options.language;
  // A note type of three fields has to be there; the name in the first one makes imports updates.
  std::string out =
      "#separator:tab\n#html:true\n#deck:RingLab\n#columns:Name\tFront\tBack\tTags\n#tags "
      "column:4\n";
  for (const ExportQuestion& one : export_questions(bank, options)) {
    const Question& question = one.question;
    std::string front = html(question.stem.in(language));
    for (std::size_t i = 0; i < question.options.size(); ++i) {
      front += "<br>" + option_letter(static_cast<int>(i)) + ") " +
               html(question.options[i].text.in(language));
    }
    const int right = question.right();
    std::string back = "<b>" + option_letter(right) + ") " +
                       html(question.options[static_cast<std::size_t>(right)].text.in(language)) +
                       "</b><br>" + html(explanation_of(question, language));
    for (std::size_t i = 0; i < question.options.size(); ++i) {
      const Option& option = question.options[i];
      if (option.right) continue;
      back += "<br>" + option_letter(static_cast<int>(i)) + ") " + html(option.mend.in(language));
    }
    out += field(one.name) + "\t" + field(front) + "\t" + field(back) + "\t" +
           field(fmt::format("ringlab lesson{:02}", one.lesson)) + "\n";
  }
  return out;
}

}  // namespace ringlab::quiz

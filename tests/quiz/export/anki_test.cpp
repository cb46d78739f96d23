// The Anki export, read back as a table of quoted fields.
#include <set>

#include "ringlab/quiz/export/export.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab::quiz;

// One line of quoted, tab-separated fields.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::size_t at = 0;
  while (at < line.size()) {
    REQUIRE(line[at] == '"');
    std::string field;
    for (++at;; ++at) {
      REQUIRE(at < line.size());
      if (line[at] == '"') {
        if (at + 1 >= line.size() || line[at + 1] != '"') break;
        ++at;
      }
      field += line[at];
    }
    fields.push_back(field);
    ++at;
    if (at < line.size()) {
      REQUIRE(line[at] == '\t');
      ++at;
    }
  }
  return fields;
}

TEST_CASE("Anki text of the whole bank: headers, then one line a question, names unique") {
  const std::string text = export_anki(bank(), {});
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    REQUIRE(end != std::string::npos);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const auto questions = export_questions(bank(), {});
  REQUIRE(lines.size() == questions.size() + 5);
  CHECK(lines[0] == "#separator:tab");
  CHECK(lines[1] == "#html:true");
  std::set<std::string> names;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto fields = fields_of(lines[i + 5]);
    REQUIRE(fields.size() == 4);
    CHECK(fields[0] == questions[i].name);
    names.insert(fields[0]);
    // HTML that is closed: nothing of the texts opens a tag.
    for (const std::string& field : fields) {
      for (std::size_t at = field.find('<'); at != std::string::npos;
           at = field.find('<', at + 1)) {
        const std::string tag = field.substr(at, field.find('>', at) - at + 1);
        CAPTURE(tag);
        CHECK((tag == "<br>" || tag == "<b>" || tag == "</b>"));
      }
    }
    CHECK(fields[3].find(' ') != std::string::npos);
    const bool has_source = !questions[i].question.item->source.empty();
    CHECK((fields[2].find(" Source: ") != std::string::npos) == has_source);
  }
  CHECK(names.size() == questions.size());
}

}  // namespace

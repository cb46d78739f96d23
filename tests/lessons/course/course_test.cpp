// The course as a whole: order, reading time, terms, figures, and how it looks in a terminal.
#include "ringlab/lessons/course/course.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "ringlab/lessons/course/figures.hpp"
#include "ringlab/lessons/course/progress.hpp"
#include "ringlab/lessons/course/terminal.hpp"
#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::course;

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// The prose: no code, fenced or within a line.
std::string prose(const std::string& text) {
  std::string out;
  bool fenced = false, code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 3, "```") == 0) {
      fenced = !fenced;
      i += 2;
    } else if (text[i] == '`') {
      code = !code;
    } else if (!fenced && !code && text.compare(i, 2, "](") == 0) {
      i = text.find(')', i);  // where a link leads is not read
    } else if (!fenced && !code) {
      out += text[i];
    }
  }
  return out;
}

// A name such as ZeRO is looked for as it is written, a word in any case.
bool is_name(const std::string& term) {
  return std::any_of(term.begin() + 1, term.end(),
                     [](unsigned char c) { return std::isupper(c) != 0; });
}

// True if `word` stands in `text` by itself, or in the plural.
bool uses(const std::string& text, const std::string& word) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) {
    std::size_t end = at + word.size();
    if (end < text.size() && text[end] == 's') ++end;
    const bool begins = at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
    const bool ends = end >= text.size() || !std::isalnum(static_cast<unsigned char>(text[end]));
    if (begins && ends) return true;
  }
  return false;
}

std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

TEST_CASE("lessons stand in order, need only earlier ones, and say what they are for") {
  int before = 0;
  for (const Lesson& lesson : lessons()) {
    INFO(lesson.folder);
    CHECK(lesson.number > before);
    before = lesson.number;
    CHECK(std::stoi(lesson.folder.substr(0, 2)) == lesson.number);
    for (const int need : lesson.needs) CHECK(need < lesson.number);
    CHECK(lesson.title.size() > 3);
    CHECK(lesson.objectives.size() >= 2);
    CHECK((lesson.difficulty >= 1 && lesson.difficulty <= 3));
    const std::string whole = text(lesson);
    CHECK(whole.find("{{") == std::string::npos);
    CHECK(whole.find("Predict") != std::string::npos);
    CHECK(whole.find("\n$ ringlab ") != std::string::npos);
  }
  CHECK_THROWS_WITH(lesson(99), Catch::Contains("give one of 1, 2, 3"));
}

TEST_CASE("a lesson is read within twenty minutes, and says honestly how long it takes") {
  for (const Lesson& lesson : lessons()) {
    INFO(lesson.folder << ", " << word_count(text(lesson)) << " words");
    const int minutes = (word_count(text(lesson)) + 199) / 200;  // 200 words a minute
    CHECK(minutes <= 20);
    CHECK(minutes <= lesson.minutes);
    CHECK(lesson.minutes <= 20);
    CHECK(lesson.minutes <= minutes + 8);  // the rest is for trying things out
  }
}

TEST_CASE("a term is defined once, in a sentence, before it is used") {
  std::set<std::string> seen;
  for (const Term& term : glossary()) {
    INFO(term.term << ": " << term.sentence);
    CHECK(seen.insert(lower(term.term)).second);
    CHECK(lower(term.sentence).find(lower(term.term)) != std::string::npos);
    CHECK(word_count(term.sentence) > 5);
    for (const Lesson& lesson : lessons()) {
      if (lesson.number >= term.lesson) break;
      INFO("used in lesson " << lesson.number);
      const std::string before = prose(text(lesson));
      CHECK(
          !(is_name(term.term) ? uses(before, term.term) : uses(lower(before), lower(term.term))));
    }
  }
  CHECK(seen.size() >= 20);
}

TEST_CASE("a page fits its width, but for code and tables") {
  for (const Lesson& lesson : lessons()) {
    for (const int width : {40, 80}) {
      std::istringstream in(render(text(lesson), {width, false}));
      for (std::string line; std::getline(in, line);) {
        if (line.rfind("    ", 0) == 0 || line.rfind("  ", 0) == 0) continue;
        INFO(lesson.folder << " at " << width << ": " << line);
        const bool one_word = line.find(' ') == std::string::npos;
        CHECK((columns(line) <= static_cast<std::size_t>(width) || one_word));
      }
    }
  }
}

TEST_CASE("a pipe gets no colours, a terminal does") {
  const std::string page = "# One\n\nSome `code` and a **strong** [[word]].\n\n- item\n";
  CHECK(render(page, {80, false}) == "One\n\nSome `code` and a strong word.\n\n  - item\n");
  CHECK(render(page, {80, true}).find("\x1b[") != std::string::npos);
}

TEST_CASE("tables line up and quotes keep their bar") {
  CHECK(render("| a | bcd |\n|---|---|\n| long | e |\n", {80, false}) ==
        "  a     bcd\n  long  e\n");
  CHECK(render("> one two three\n> four\n", {15, false}) == "  | one two\n  | three four\n");
}

TEST_CASE("figures are computed from left to right and shown in their unit") {
  const auto lookup = [](const std::string& reference) {
    if (reference == "r:/a") return 1536.0;
    if (reference == "r:/b") return 2.0;
    throw InputError("reference", reference, "?");
  };
  CHECK(fill("x {{r:/a|bytes}} y", lookup) == "x 1.536 kB y");
  CHECK(fill("{{r:/a * 1000 / r:/b|count}}", lookup) == "768 000");
  CHECK(fill("{{r:/b / 8|percent}}", lookup) == "25 %");
  CHECK(fill("{{r:/b + 1 * 2|number}}", lookup) == "6");
  CHECK(fill("{{r:/a * 1000000|GB}}", lookup) == "1.5 GB");
  CHECK(format_figure(9000, "seconds") == "2.5 hours");
  CHECK(format_figure(0.0125, "seconds") == "12.5 ms");
  CHECK(format_figure(1234567, "count") == "1 234 567");
  CHECK(fill("none", lookup) == "none");
  CHECK_THROWS_WITH(fill("{{r:/a}}", lookup), Catch::Contains("|format"));
  CHECK_THROWS_WITH(fill("{{r:/a|furlongs}}", lookup), Catch::Contains("furlongs"));
  CHECK_THROWS_WITH(fill("{{r:/a +|count}}", lookup), Catch::Contains("value after"));
  CHECK_THROWS_WITH(fill("{{r:/a", lookup), Catch::Contains("}}"));
  CHECK(references("{{r:/a / r:/b|count}} {{r:/a|bytes}}") ==
        std::vector<std::string>{"r:/a", "r:/b"});
}

TEST_CASE("progress is kept, and a broken file is told of") {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("ringlab-progress-test-" + std::to_string(getpid()));
  const auto file = folder / "new" / "lessons.json";
  {
    Progress progress(file);
    CHECK(!progress.has_read(3));
    progress.set_read(3);
    progress.set_solved("ring_bytes");
    progress.set_hints("ring_bytes", 2);
  }
  const Progress again(file);
  CHECK(again.has_read(3));
  CHECK(!again.has_read(4));
  CHECK(again.has_solved("ring_bytes"));
  CHECK(again.hints("ring_bytes") == 2);
  CHECK(again.hints("tile_class") == 0);
  std::ofstream(file) << "{\"read\": 7}";
  CHECK_THROWS_AS(Progress(file), InputError);
  std::filesystem::remove_all(folder);
}

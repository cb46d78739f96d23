// The parsed page against the Markdown itself: nothing is lost, nothing is added, and every mark
// becomes the look that it stands for.
#include "ringlab/lessons/course/page.hpp"

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "ringlab/lessons/course/course.hpp"
#include "ringlab/lessons/course/files.hpp"
#include "ringlab/lessons/course/terminal.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::course;

namespace {

std::string squeezed(const std::string& text) {
  std::istringstream in(text);
  std::string out;
  for (std::string word; in >> word;) out += word + " ";
  return out;
}

// Every text that the program carries: lessons with their figures, exercises.
std::vector<std::string> all_texts() {
  std::vector<std::string> texts;
  for (const Lesson& lesson : lessons()) texts.push_back(text(lesson));
  for (const EmbeddedFile& file : lesson_files::embedded_files()) {
    if (file.name.ends_with(".md")) texts.emplace_back(course_file(file.name));
  }
  return texts;
}

// The words of a Markdown text, by taking marks away from its lines one kind after the other.
std::string words_of_markdown(const std::string& markdown) {
  std::string out;
  std::istringstream in(markdown);
  bool fenced = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("```", 0) == 0) {
      fenced = !fenced;
    } else if (fenced) {
      out += line + "\n";
    } else {
      out += std::regex_replace(line, std::regex("^(#+ |> |- |[0-9]+\\. )"), "") + "\n";
    }
  }
  return out;
}

std::string words_of_page(const Page& page) {
  std::string out;
  for (const Block& block : page.blocks) {
    for (const std::string& line : block.lines) out += line + "\n";
    for (const auto& row : block.rows) {
      for (const Spans& cell : row) out += plain_text(cell) + " ";
    }
    out += plain_text(block.spans) + "\n";
  }
  return out;
}

// Letters and digits alone: no mark of Markdown is one, so they are in both or lost.
std::string letters(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0) out += c;
  }
  return out;
}

std::string without_targets(const std::string& text) {
  return std::regex_replace(text, std::regex("\\]\\([^)]*\\)"), "]");
}

Spans spans_of(const std::string& markdown) {
  const Page page = parse_page(markdown);
  REQUIRE(page.blocks.size() == 1);
  return page.blocks[0].spans;
}

}  // namespace

TEST_CASE("the words of a page are the words of its Markdown") {
  for (const std::string& text : all_texts()) {
    INFO(text.substr(0, 60));
    const Page page = parse_page(text);
    CHECK(letters(words_of_page(page)) == letters(without_targets(words_of_markdown(text))));
    // Where no mark was, nothing but line breaks may differ.
    CHECK(squeezed(words_of_page(page)).find("**") == std::string::npos);
    CHECK(squeezed(words_of_page(page)).find("[[") == std::string::npos);
  }
}

TEST_CASE("a page has as many blocks of each kind as its Markdown has signs of them") {
  for (const Lesson& lesson : lessons()) {
    INFO(lesson.folder);
    const std::string whole = text(lesson);
    const Page page = parse_page(whole);
    std::map<Block::Kind, int> found;
    int terms = 0;
    std::set<std::string> defined;
    for (const Block& block : page.blocks) {
      ++found[block.kind];
      for (const Span& span : block.spans) {
        CHECK_FALSE(span.text.empty());
        if (span.term) ++terms, defined.insert(span.text);
      }
    }
    int fences = 0, headings = 0;
    std::istringstream in(whole);
    for (std::string line; std::getline(in, line);) {
      fences += line.rfind("```", 0) == 0;
      headings += fences % 2 == 0 && line.rfind("#", 0) == 0;
    }
    CHECK(found[Block::Kind::code] == fences / 2);
    CHECK(found[Block::Kind::heading] == headings);
    int in_glossary = 0;
    for (const Term& term : glossary()) {
      if (term.lesson != lesson.number) continue;
      ++in_glossary;
      CHECK(defined.count(term.term) == 1);
    }
    CHECK(terms == in_glossary);
  }
}

TEST_CASE("marks become looks") {
  const Spans spans = spans_of("a **b `c`** *d* [[e f]] 2 * 3 `x ** y`");
  REQUIRE(spans.size() == 9);
  CHECK(spans[0].text == "a ");
  CHECK((spans[1].text == "b " && spans[1].strong && !spans[1].code));
  CHECK((spans[2].text == "c" && spans[2].strong && spans[2].code));
  CHECK((spans[4].text == "d" && spans[4].emphasis));
  CHECK((spans[6].text == "e f" && spans[6].term));
  CHECK((spans[7].text == " 2 * 3 " && !spans[7].emphasis));
  CHECK((spans[8].text == "x ** y" && spans[8].code));
}

TEST_CASE("a link is its words and the scene behind them") {
  const Page page = parse_page(
      "See [rank 2 `wait`](scenario.json#hop=3:arrive,tab=proof,rank=2), and\n"
      "[this](other.json). An array[i](j) of [a, b] (c) is none.");
  REQUIRE(page.links.size() == 3);
  CHECK(page.links[0] == SceneLink{"scenario.json", "hop=3:arrive,rank=2", "proof"});
  CHECK(page.links[1] == SceneLink{"other.json", "", ""});
  std::string first, second;
  for (const Span& span : page.blocks[0].spans) {
    if (span.link == 0) first += span.text;
    if (span.link == 1) second += span.text;
  }
  CHECK(first == "rank 2 wait");
  CHECK(second == "this");
  CHECK(render("See [rank *2*](scenario.json#hop=3), then\n", {80, false}) ==
        "See rank *2*, then\n");
}

TEST_CASE("a picture is a block, alone or as a link") {
  const Page page = parse_page(
      "Text\n[![Rank 2 waits](pictures/wait.png)](scenario.json#hop=3)\nmore\n\n![Still](a.png)\n");
  REQUIRE(page.blocks.size() == 4);
  CHECK(page.blocks[1].kind == Block::Kind::picture);
  CHECK(page.blocks[1].picture == "pictures/wait.png");
  CHECK(plain_text(page.blocks[1].spans) == "Rank 2 waits");
  REQUIRE(page.blocks[1].link == 0);
  CHECK(page.links[0].moment == "hop=3");
  CHECK(page.blocks[3].kind == Block::Kind::picture);
  CHECK(page.blocks[3].link == -1);
  CHECK(render("[![Rank 2 waits](a.png)](scenario.json)\n", {80, false, 5}) ==
        "picture: Rank 2 waits (ringlab lesson 5 --open)\n");
  CHECK(render("![Still](a.png)\n", {80, false}) == "picture: Still\n");
}

TEST_CASE("lists, tables and blank lines are kept as they stand") {
  const Page page =
      parse_page("\n1. one\n   two\n- three\n\n\n| a | `b` |\n|---|---|\n| c | d |\n\n");
  REQUIRE(page.blocks.size() == 3);
  CHECK(page.blocks[0].marker == "1. ");
  CHECK(squeezed(plain_text(page.blocks[0].spans)) == "one two ");
  CHECK(page.blocks[1].marker == "- ");
  CHECK(page.blocks[1].blank_lines == 0);
  CHECK(page.blocks[2].blank_lines == 2);
  REQUIRE(page.blocks[2].rows.size() == 2);
  CHECK(page.blocks[2].rows[0][1][0].code);
  CHECK(page.blocks[0].blank_lines == 1);
  CHECK(page.blank_lines == 1);
}

TEST_CASE("text that is not well formed loses nothing and breaks nothing") {
  for (const char* text :
       {"#", "##", "```",  "```\nopen", "> ",     "|",     "||",     "- ",         "1. ",
        "[", "[[", "[a](", "[a](b",     "![",     "![a]",  "![a](b", "[![a](b)](", "[![a](b)](c",
        "`", "**", "*",    "a]] **b",   "[a](#)", "[](x)", "]("}) {
    INFO(text);
    const Page page = parse_page(text);
    CHECK(page.blocks.size() == 1);
    CHECK_NOTHROW(render(text, {40, true}));
    CHECK(letters(words_of_page(page)).size() <= letters(text).size());
  }
}

TEST_CASE("every link of every lesson names a scenario of its folder and a known tab") {
  const std::set<std::string> tabs{"", "softmax", "balance", "proof", "race"};
  int links = 0;
  for (const Lesson& lesson : lessons()) {
    for (const SceneLink& link : parse_page(text(lesson)).links) {
      INFO(lesson.folder << ": " << link.file << "#" << link.moment << " " << link.tab);
      CHECK(has_course_file(lesson.folder + "/" + link.file));
      CHECK(tabs.count(link.tab) == 1);
      ++links;
    }
  }
  CHECK(links >= 3);
}

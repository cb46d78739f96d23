// The GIFT export of the whole bank, read back by a parser of its own that takes nothing loose.
#include <map>
#include <stdexcept>

#include "ringlab/quiz/export/export.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab::quiz;

struct Choice {
  bool right = false;
  std::string text, feedback;
};
struct Parsed {
  std::string category, name, stem, explanation;
  std::vector<Choice> choices;
};

// Reads GIFT as Moodle's format page describes it; a special character must be escaped.
class Gift {
 public:
  explicit Gift(const std::string& text) : text_(text) {
    while (skip_between()) questions.push_back(question());
  }
  std::vector<Parsed> questions;

 private:
  static constexpr const char* kSpecial = "~=#{}:";

  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error(why + " at: " + text_.substr(at_, 60));
  }
  bool starts(const std::string& what) const { return text_.compare(at_, what.size(), what) == 0; }
  void expect(const std::string& what) {
    if (!starts(what)) fail("expected " + what);
    at_ += what.size();
  }

  // Blank lines, comments and categories; false at the end.
  bool skip_between() {
    while (at_ < text_.size()) {
      if (text_[at_] == '\n') {
        ++at_;
      } else if (starts("//")) {
        at_ = text_.find('\n', at_);
      } else if (starts("$CATEGORY: ")) {
        const std::size_t end = text_.find('\n', at_);
        category_ = text_.substr(at_ + 11, end - at_ - 11);
        at_ = end;
      } else {
        return true;
      }
    }
    return false;
  }

  // Text up to an unescaped special character or the end of the line.
  std::string words() {
    std::string out;
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      char c = text_[at_];
      if (std::string(kSpecial).find(c) != std::string::npos) break;
      if (c == '\\') {
        c = text_.at(++at_);
        if (c == 'n') {
          c = '\n';
        } else if (c != '\\' && std::string(kSpecial).find(c) == std::string::npos) {
          fail("an escape that GIFT does not have");
        }
      }
      out += c;
    }
    return out;
  }

  Parsed question() {
    Parsed out;
    out.category = category_;
    expect("::");
    out.name = words();
    expect("::[plain]");
    out.stem = words();
    expect("{\n");
    if (out.stem.empty() || out.stem.back() != ' ') fail("a blank before the brace");
    out.stem.pop_back();
    while (!starts("####")) {
      Choice choice;
      choice.right = text_.at(at_) == '=';
      if (!choice.right && text_[at_] != '~') fail("neither = nor ~");
      ++at_;
      choice.text = words();
      if (starts("#")) {
        ++at_;
        choice.feedback = words();
      }
      expect("\n");
      out.choices.push_back(choice);
    }
    expect("####");
    out.explanation = words();
    expect("\n}\n");
    if (at_ < text_.size() && text_[at_] != '\n') fail("no blank line after a question");
    return out;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::string category_;
};

TEST_CASE("GIFT of the whole bank: every question comes back as it went out") {
  const ExportOptions options;
  const std::string text = export_gift(bank(), options);
  const Gift gift(text);
  const auto questions = export_questions(bank(), options);
  REQUIRE(gift.questions.size() == questions.size());
  REQUIRE(questions.size() >= bank().size());
  int sources = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Parsed& parsed = gift.questions[i];
    const Question& question = questions[i].question;
    CAPTURE(parsed.name);
    CHECK(parsed.name == questions[i].name);
    CHECK(parsed.category.substr(0, 8) == "RingLab/");
    CHECK(std::stoi(parsed.category.substr(8)) == questions[i].lesson);
    CHECK(parsed.stem == question.stem.in("en"));
    // The explanation, and behind it the source where the item has one.
    const std::string& source = question.item->source;
    const std::string tail = source.empty() ? "" : " Source: " + source + ".";
    CHECK(parsed.explanation == question.explanation.in("en") + tail);
    sources += !source.empty();
    REQUIRE(parsed.choices.size() == question.options.size());
    for (std::size_t k = 0; k < question.options.size(); ++k) {
      CHECK(parsed.choices[k].right == question.options[k].right);
      CHECK(parsed.choices[k].text == question.options[k].text.in("en"));
      CHECK(parsed.choices[k].feedback.empty() == question.options[k].right);
    }
  }
  CHECK(sources > 0);
}

TEST_CASE("the strict parser is strict") {
  for (const char* bad :
       {"::a::[plain]What { is?} {\n=b\n~c\n####d\n}\n", "::a::[plain]What? {\n=b = c\n####d\n}\n",
        "::a::[plain]What? {\n=b\n\n~c\n####d\n}\n", "::a::[plain]What? {\n=b\n~c\n}\n"}) {
    CAPTURE(bad);
    CHECK_THROWS(Gift(bad));
  }
}

TEST_CASE("every special character survives, newlines too") {
  Bank small;
  small.misconceptions["m"] = {"m", {{{"en", "It ~ is = {so}: # \\n."}}}, "C1"};
  Item item;
  item.id = "special";
  item.lesson = 1;
  item.stem = {{{"en", "a{b} ~ c = d # e: f \\ g <h> & \"i\"\nj"}}};
  item.explanation = {{{"en", "1:2 = 1/2 {half}"}}};
  item.options.resize(3);
  for (int i = 0; i < 3; ++i) {
    Option& option = item.options[static_cast<std::size_t>(i)];
    option.text = {{{"en", std::string(1, "~={"[i]) + " # option"}}};
    option.right = i == 1;
    option.misconception = "m";
    option.mend = {{{"en", "Use \\ instead of ="}}};
  }
  small.lessons.push_back({1, {{{"en", "One"}}}, {item}});
  const std::string text = export_gift(small, {});
  const Gift gift(text);
  REQUIRE(gift.questions.size() == 1);
  const Parsed& parsed = gift.questions[0];
  CHECK(parsed.stem == item.stem.in("en"));
  CHECK(parsed.explanation == item.explanation.in("en"));
  for (const Choice& choice : parsed.choices) {
    if (!choice.right) CHECK(choice.feedback == "It ~ is = {so}: # \\n. Use \\ instead of =");
  }
}

}  // namespace

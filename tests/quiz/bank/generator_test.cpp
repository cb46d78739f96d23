// Every generator over 10 000 seeds: options distinct, one right, and the key is what the closed
// form of by_hand.cpp says.
#include <cmath>
#include <set>

#include "ringlab/quiz/bank/question.hpp"
#include "tests/catch.hpp"
#include "tests/quiz/bank/by_hand.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;

constexpr std::uint64_t kSeeds = 10000;

// Half a unit of the last decimal that is written, and the rounding of the closed form itself.
double precision(const std::string& plain, double value) {
  const std::size_t point = plain.find('.');
  const int digits = point == std::string::npos ? 0 : static_cast<int>(plain.size() - point - 1);
  return 0.5 * std::pow(10, -digits) + 1e-9 * std::abs(value);
}

bool agrees(const Value& answer, const test::ByHand& right) {
  if (const auto* text = std::get_if<std::string>(&right)) return answer.plain == *text;
  const double number = std::get<double>(right);
  const bool integers = number == std::floor(number) && answer.plain.find('.') == std::string::npos;
  if (integers) return answer.order == number;
  return std::abs(answer.order - number) <= precision(answer.plain, number);
}

TEST_CASE("generated items: options distinct, one right, the key equals the closed form") {
  std::set<std::string> used;
  for (const BankLesson& lesson : bank().lessons) {
    for (const Item& item : lesson.items) {
      if (item.generator.empty()) continue;
      CAPTURE(item.id);
      used.insert(item.generator);
      REQUIRE(test::by_hand().count(item.generator) == 1);
      const auto& right = test::by_hand().at(item.generator);
      std::string key;
      for (const Option& option : item.options) {
        if (option.right) key = option.value;
      }
      DYNAMIC_SECTION(item.id) {
        std::set<std::string> stems;
        for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
          CAPTURE(seed);
          const Question question = make_question(item, sub_seed(7, seed));
          std::set<std::string> texts;
          int rights = 0;
          for (const Option& option : question.options) {
            texts.insert(option.text.in("en"));
            rights += option.right;
          }
          if (texts.size() != item.options.size()) FAIL("two options read alike");
          if (rights != 1) FAIL("not one right option");
          if (!agrees(question.values.at(key), right(question.values))) {
            FAIL("the key " << question.values.at(key).plain
                            << " is not what the closed form says: " << question.stem.in("en"));
          }
          stems.insert(question.stem.in("en"));
        }
        // A generator that hardly varies is a fixed item in disguise.
        CHECK(stems.size() >= 10);
      }
    }
  }
  for (const auto& [name, generator] : generators()) {
    CAPTURE(name);
    CHECK(used.count(name) == 1);
  }
}

TEST_CASE("a question is a pure function of item and seed") {
  for (const BankLesson& lesson : bank().lessons) {
    for (const Item& item : lesson.items) {
      const Question a = make_question(item, 12345), b = make_question(item, 12345);
      CHECK(a.stem == b.stem);
      REQUIRE(a.options.size() == b.options.size());
      for (std::size_t i = 0; i < a.options.size(); ++i) {
        CHECK(a.options[i].text == b.options[i].text);
        CHECK(a.options[i].right == b.options[i].right);
      }
    }
  }
}

TEST_CASE("values: groups of three, and rounding half up") {
  CHECK(whole(1234).text == "1234");
  CHECK(whole(12345).text == "12,345");
  CHECK(whole(-1234567).text == "-1,234,567");
  CHECK(whole(1048576).plain == "1048576");
  CHECK(ratio(1, 3, 2).text == "0.33");
  CHECK(ratio(1, 8, 2).text == "0.13");
  CHECK(ratio(2, 3, 0).text == "1");
  CHECK(ratio(123456789, 1000, 1).text == "123,456.8");
  CHECK(ratio(1999, 1000, 2).plain == "2.00");
}

}  // namespace

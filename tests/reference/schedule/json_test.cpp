#include "ringlab/reference/schedule/json.hpp"

#include <random>

#include "ringlab/reference/schedule/check.hpp"
#include "ringlab/reference/schedule/ring.hpp"
#include "tests/catch.hpp"
#include "tests/reference/schedule/problems.hpp"

using namespace ringlab;

TEST_CASE("a schedule comes back from JSON as it was") {
  for (int id = 0; id < 60; ++id) {
    const test::Case c = test::make_case(id);
    INFO(c.text());
    for (const Schedule& schedule :
         {ring_forward(test::problem_of(c)), ring_backward(test::problem_of(c))}) {
      REQUIRE(parse_schedule(to_json(schedule), "test") == schedule);
    }
  }
}

TEST_CASE("what is no schedule is refused with the field's path") {
  const std::string good = to_json(ring_forward(test::plain_problem(LayoutKind::zigzag, 8, 2)));
  const auto refusal = [&](const std::string& from, const std::string& to) -> std::string {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    try {
      parse_schedule(text, "test");
    } catch (const InputError& error) {
      return error.field();
    }
    return "accepted";
  };
  CHECK(refusal("\"hops\": 2", "\"hops\": -2") == "schedule.hops");
  CHECK(refusal("\"kv_heads\": 1", "\"kv_heads\": 1.5") == "schedule.kv_heads");
  CHECK(refusal("\"attend\"", "\"attends\"") == "schedule.ranks[0].steps[1].step");
  CHECK(refusal("\"peer\": 1", "\"pear\": 1") == "schedule.ranks[0].steps[0].sends[0].peer");
  CHECK(refusal("\"shard\": 0", "\"shard\": 7") == "schedule.contents[0].pieces[0].shard");
  CHECK(refusal("{", "[") == "schedule");
}

TEST_CASE("mutated schedules are refused, found wrong or right, never worse") {
  const std::string good = to_json(ring_backward(test::plain_problem(LayoutKind::zigzag, 9, 3)));
  std::mt19937 engine(1);
  int parsed = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    // Digits are swapped for digits, so that most mutants still parse and reach the checker.
    for (int k = 0; k < 2; ++k) {
      std::size_t at = engine() % text.size();
      while (!std::isdigit(static_cast<unsigned char>(text[at]))) at = (at + 1) % text.size();
      text[at] = static_cast<char>('0' + engine() % 10);
    }
    try {
      check(parse_schedule(text, "mutant"), test::causal_mask());
      ++parsed;
    } catch (const InputError&) {
    }
  }
  CHECK(parsed > 500);
}

#include "ringlab/reference/schedule/ring.hpp"

#include "ringlab/reference/schedule/check.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "tests/catch.hpp"
#include "tests/reference/schedule/problems.hpp"

using namespace ringlab;

TEST_CASE("every ring is proven, forward and backward, in both directions") {
  for (int id = 0; id < test::sample(400); ++id) {
    const test::Case c = test::make_case(id);
    INFO(c.text());
    ScheduleProblem problem = test::problem_of(c);
    problem.rotation = id % 2 ? Rotation::next : Rotation::previous;
    for (const bool backward : {false, true}) {
      const Schedule schedule = backward ? ring_backward(problem) : ring_forward(problem);
      const std::vector<Finding> findings = check(schedule, c.rule.mask);
      if (!findings.empty()) FAIL(findings.front().text);
    }
  }
  SUCCEED();
}

TEST_CASE("blocks arrive in the order of the ring") {
  const auto origins = [](Rotation rotation) {
    ScheduleProblem problem = test::plain_problem(LayoutKind::contiguous, 8, 4);
    problem.rotation = rotation;
    const Schedule schedule = ring_forward(problem);
    const Ledger ledger = make_ledger(schedule, Mask{});
    std::vector<int> out;
    for (const TileWork& tile : ledger.ranks[1].tiles) {
      out.push_back(tile.key_value.pieces[0].shard);
    }
    return out;
  };
  CHECK(origins(Rotation::next) == std::vector<int>{1, 0, 3, 2});
  CHECK(origins(Rotation::previous) == std::vector<int>{1, 2, 3, 0});
}

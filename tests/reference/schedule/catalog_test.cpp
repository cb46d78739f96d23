// Every schedule of the catalog is proven over the generated cases, forward and backward.
#include "ringlab/reference/schedule/catalog.hpp"

#include "ringlab/reference/schedule/check.hpp"
#include "ringlab/reference/schedule/json.hpp"
#include "tests/catch.hpp"
#include "tests/families.hpp"

using namespace ringlab;

TEST_CASE("every schedule is proven for every case it can take") {
  for (const CatalogEntry& entry : schedule_catalog()) {
    for (int id = 0; id < test::sample(400); ++id) {
      const test::Case c = test::fit_case(test::make_case(id), entry);
      INFO(entry.name << ", " << c.text());
      const ScheduleProblem problem = test::problem_for(c, entry);
      for (const bool backward : {false, true}) {
        if (backward && !entry.backward) continue;
        const Schedule schedule = backward ? entry.backward(problem) : entry.forward(problem);
        REQUIRE(schedule.backward == backward);
        const std::vector<Finding> findings = check(schedule, c.rule.mask);
        if (!findings.empty()) FAIL(findings.front().text);
      }
    }
  }
}

TEST_CASE("every schedule comes back from JSON as it was") {
  for (const CatalogEntry& entry : schedule_catalog()) {
    for (int id = 0; id < 30; ++id) {
      const test::Case c = test::fit_case(test::make_case(id), entry);
      INFO(entry.name << ", " << c.text());
      const Schedule schedule = entry.forward(test::problem_for(c, entry));
      REQUIRE(parse_schedule(to_json(schedule), "test") == schedule);
    }
  }
}

TEST_CASE("names that are none are refused") {
  CHECK_THROWS_AS(catalog_entry("rings"), InputError);
  CHECK_THROWS_AS(backward_of(catalog_entry("decode_tree"), ScheduleProblem{}), InputError);
}

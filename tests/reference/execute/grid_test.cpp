// Every schedule of the catalog over threads, forward and backward, against full attention in
// float64; what was sent and held against the ledger.
#include "tests/reference/execute/grid.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

template <class T>
void check_case(int id, const CatalogEntry& entry) {
  const test::Case c = test::fit_case(test::make_case(id), entry);
  INFO(entry.name << ", " << c.text());
  const test::Inputs inputs = test::inputs_of(c);
  const AttentionPlan plan = test::plan_of(c, entry);
  const auto outputs =
      run_attention_threads<T>(plan, [&](int rank) { return test::shard_of<T>(c, inputs, rank); });
  REQUIRE(test::what_is_wrong<T>(c, plan, inputs, outputs) == "");
}

template <class T>
void check_catalog() {
  for (const CatalogEntry& entry : schedule_catalog()) {
    const test::Grid grid = test::grid_of(entry);
    for (int id = 0; id < grid.cases; id += grid.stride) check_case<T>(id, entry);
  }
}

}  // namespace

TEST_CASE("the grid in float32") {
  check_catalog<float>();
}

TEST_CASE("the grid in float64") {
  check_catalog<double>();
}

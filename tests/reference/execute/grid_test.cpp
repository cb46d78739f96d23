// Every schedule of the catalog over threads, forward and backward, against full attention in
// float64; what was sent and held against the ledger.
#include "tests/reference/execute/grid.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

template <class T>
void check_case(const test::Case& c, const CatalogEntry& entry) {
  INFO(entry.name << ", " << c.text());
  const test::Inputs inputs = test::inputs_of(c);
  const AttentionPlan plan = test::plan_of(c, entry);
  const auto outputs =
      run_attention_threads<T>(plan, [&](int rank) { return test::shard_of<T>(c, inputs, rank); });
  const std::string wrong = test::what_is_wrong<T>(c, plan, inputs, outputs);
  if (!wrong.empty()) FAIL(wrong);
}

// The whole grid without sanitizers; they take ten times as long.
#ifdef NDEBUG
constexpr int kCases = 600;
#else
constexpr int kCases = 60;
#endif

}  // namespace

TEST_CASE("the grid in float32") {
  for (const CatalogEntry& entry : schedule_catalog()) {
    for (int id = 0; id < kCases; ++id) check_case<float>(test::make_case(id), entry);
  }
  SUCCEED();
}

TEST_CASE("the grid in float64") {
  for (const CatalogEntry& entry : schedule_catalog()) {
    for (int id = 0; id < kCases; ++id) check_case<double>(test::make_case(id), entry);
  }
  SUCCEED();
}

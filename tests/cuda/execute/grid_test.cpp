// Every schedule of the catalog through the CUDA executor on CPU streams, against full attention in
// float64; what was sent and held against the ledger.
#include "tests/catch.hpp"
#include "tests/cuda/execute/device_grid.hpp"

using namespace ringlab;
using cuda::DataType;

namespace {

// Sanitizers take ten times as long.
#ifdef NDEBUG
constexpr int kShare = 1;
#else
constexpr int kShare = 10;
#endif

void check_case(const test::Case& generated, const CatalogEntry& entry, DataType type,
                std::uint64_t seed) {
  const test::Case c = test::fit_case(generated, entry);
  const test::Inputs inputs = test::inputs_of(c);
  const AttentionPlan plan = test::plan_of(c, entry);
  const auto outputs = test::run_on_streams(c, plan, inputs, {type}, seed);
  const test::Judge right = test::device_judge(c, inputs, type);
  test::RunErrors errors = test::errors_of(c, inputs, right, outputs);
  if (!plan.backward) errors.query_gradient = errors.key_gradient = errors.value_gradient = 0;
  INFO(entry.name << ", " << test::name(type) << ", seed " << seed << ", " << c.text() << ": "
                  << test::text(errors));
  REQUIRE(test::right(errors, type));
  for (std::size_t h = 0; plan.backward && h < c.rule.sinks.size(); ++h) {
    double sum = 0;
    for (const auto& rank : outputs) sum += rank.sink_gradient[h];
    REQUIRE(sum == Approx(right.gradients.sinks[h]).margin(type == DataType::f32 ? 1e-4 : 5e-2));
  }
  const ElementBytes element = cuda::element_bytes(type);
  const Ledger forward = make_ledger(plan.forward, c.rule.mask, element);
  std::string wrong;
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    wrong += test::counts_differ(outputs[r].forward, forward.ranks[r]);
  }
  if (plan.backward) {
    const Ledger backward = make_ledger(*plan.backward, c.rule.mask, element);
    for (std::size_t r = 0; r < outputs.size(); ++r) {
      wrong += test::counts_differ(outputs[r].backward, backward.ranks[r]);
    }
  }
  INFO(wrong);
  REQUIRE(wrong.empty());
}

// Small enough for a grid: a CUDA thread is a fiber here.
bool is_small(const test::Case& c) {
  return c.tokens <= 128 && c.ranks <= 8 &&
         c.tokens * c.rule.query_heads * c.rule.head_dim <= 32768;
}

void check_grid(DataType type, int first, int cases) {
  int done = 0;
  for (int id = first; done < cases / kShare; id += 2) {
    const test::Case c = test::device_case(id);
    if (!is_small(c)) continue;
    for (const CatalogEntry& entry : schedule_catalog()) {
      // All for the ring, every fifth for the rest of the catalog.
      if (entry.name != "ring" && done % 5 != 0) continue;
      check_case(c, entry, type, static_cast<std::uint64_t>(id));
    }
    ++done;
  }
}

}  // namespace

TEST_CASE("the grid in float32") {
  check_grid(DataType::f32, 0, 200);
}

TEST_CASE("the grid in bfloat16") {
  check_grid(DataType::bf16, 1, 120);
}

TEST_CASE("the grid in float16") {
  check_grid(DataType::f16, 301, 60);
}

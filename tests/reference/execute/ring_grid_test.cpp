// The ring over threads, forward and backward, against full attention in float64.
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/schedule/ring.hpp"
#include "tests/catch.hpp"
#include "tests/reference/execute/grid.hpp"
#include "tests/reference/schedule/problems.hpp"

using namespace ringlab;

namespace {

AttentionPlan ring_plan(const test::Case& c, AttendKernel kernel = AttendKernel::v3_fast) {
  const Rotation rotation = c.id % 4 == 3 ? Rotation::previous : Rotation::next;
  return {c.rule, c.rotary_base, ring_forward(test::problem_of(c), rotation),
          ring_backward(test::problem_of(c), rotation), kernel};
}

void check_counts(const RunCounts& counts, const RankLedger& ledger) {
  REQUIRE(counts.messages_sent == ledger.messages_sent);
  REQUIRE(counts.bytes_sent == ledger.bytes_sent);
  REQUIRE(counts.bytes_received == ledger.bytes_received);
  REQUIRE(counts.peak_bytes == ledger.peak_bytes);
  REQUIRE(counts.peak_key_value_bytes == ledger.peak_key_value_bytes);
}

template <class T>
void check_case(const test::Case& c) {
  INFO(c.text());
  const test::Inputs inputs = test::inputs_of(c);
  const test::Judge right = test::judge(c, inputs);
  const AttentionPlan plan = ring_plan(c);
  const auto outputs =
      run_attention_threads<T>(plan, [&](int rank) { return test::shard_of<T>(c, inputs, rank); });
  const test::RunErrors errors = test::errors_of(c, inputs, right, outputs);
  REQUIRE(errors.out <= test::kForwardTolerance<T>);
  REQUIRE(errors.lse <= test::kForwardTolerance<T>);
  REQUIRE(errors.query_gradient <= test::kBackwardTolerance<T>);
  REQUIRE(errors.key_gradient <= test::kBackwardTolerance<T>);
  REQUIRE(errors.value_gradient <= test::kBackwardTolerance<T>);

  const ElementBytes element{sizeof(T), sizeof(T)};
  const Ledger forward = make_ledger(plan.forward, c.rule.mask, element);
  const Ledger backward = make_ledger(*plan.backward, c.rule.mask, element);
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    check_counts(outputs[r].forward, forward.ranks[r]);
    check_counts(outputs[r].backward, backward.ranks[r]);
  }
  for (std::size_t h = 0; h < c.rule.sinks.size(); ++h) {
    double sum = 0;
    for (const auto& rank : outputs) sum += rank.sink_gradient[h];
    REQUIRE(sum == Approx(right.gradients.sinks[h]).margin(1e-4));
  }
}

}  // namespace

TEST_CASE("the ring in float32 over 600 generated scenarios") {
  for (int id = 0; id < 600; ++id) check_case<float>(test::make_case(id));
}

TEST_CASE("the ring in float64 over 600 generated scenarios") {
  for (int id = 0; id < 600; ++id) check_case<double>(test::make_case(id));
}

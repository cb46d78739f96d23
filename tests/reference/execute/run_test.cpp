#include "ringlab/reference/schedule/ring.hpp"
#include "tests/catch.hpp"
#include "tests/reference/execute/grid.hpp"
#include "tests/reference/schedule/problems.hpp"

using namespace ringlab;

namespace {

std::vector<AttentionOutput<float>> run(const test::Case& c,
                                        const TransportOptions& transport = {}) {
  const AttentionPlan plan{c.rule, c.rotary_base, ring_forward(test::problem_of(c)),
                           ring_backward(test::problem_of(c))};
  const test::Inputs inputs = test::inputs_of(c);
  return run_attention_threads<float>(
      plan, [&](int rank) { return test::shard_of<float>(c, inputs, rank); }, transport);
}

bool same_bits(const std::vector<AttentionOutput<float>>& a,
               const std::vector<AttentionOutput<float>>& b) {
  for (std::size_t r = 0; r < a.size(); ++r) {
    if (a[r].result != b[r].result || a[r].query_gradient != b[r].query_gradient ||
        a[r].key_value_gradient != b[r].key_value_gradient) {
      return false;
    }
  }
  return a.size() == b.size();
}

}  // namespace

TEST_CASE("random delays on the wire change no bit") {
  for (const int id : {4, 5, 12, 46, 83, 130}) {
    const test::Case c = test::make_case(id);
    INFO(c.text());
    const auto calm = run(c);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      TransportOptions transport;
      transport.largest_delay = std::chrono::microseconds(300);
      transport.delay_seed = seed;
      REQUIRE(same_bits(run(c, transport), calm));
    }
  }
}

TEST_CASE("a trace has one tile a hop, and every move on both sides") {
  test::Case c = test::make_case(0);
  c.tokens = c.query_tokens = 64;
  c.documents = {64};
  c.ranks = 4;
  c.rule = {.query_heads = 1, .kv_heads = 1, .head_dim = 8, .scale = 1};
  c.layout_kind = LayoutKind::zigzag;
  for (const auto& rank : run(c)) {
    int tiles = 0, sends = 0, receives = 0;
    for (const TraceEvent& event : rank.events) {
      tiles += event.lane == Lane::compute;
      sends += event.lane == Lane::send;
      receives += event.lane == Lane::receive;
      CHECK(event.end_nanoseconds >= event.start_nanoseconds);
    }
    CHECK(tiles == 8);
    CHECK(sends == 3 + 3 + 4);  // blocks forward, blocks backward, gradients
    CHECK(receives == sends);
  }
}

TEST_CASE("a rank that fails ends the run for all") {
  const test::Case c = test::make_case(46);
  const AttentionPlan plan{c.rule, c.rotary_base, ring_forward(test::problem_of(c)), {}};
  const test::Inputs inputs = test::inputs_of(c);
  REQUIRE(c.ranks > 2);
  CHECK_THROWS_WITH(run_attention_threads<float>(plan,
                                                 [&](int rank) {
                                                   if (rank == 1)
                                                     throw RunError("rank 1 has lost its input");
                                                   return test::shard_of<float>(c, inputs, rank);
                                                 }),
                    Catch::Contains("rank 1 has lost its input"));
}

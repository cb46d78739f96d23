// Three ranks, as threads, compute one causal attention in float; one machine computes it whole in
// double. They differ by rounding and by nothing else.
#include <cmath>
#include <cstdio>

#include "ringlab/reference/attention/full.hpp"
#include "ringlab/reference/execute/attention.hpp"
#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/sequence/shard.hpp"
#include "ringlab/reference/workload/gaussian.hpp"

int main() {
  using namespace ringlab;
  AttentionRule rule{.query_heads = 4, .kv_heads = 2, .head_dim = 32};
  rule.scale = default_scale(rule.head_dim);
  rule.mask.causal = true;

  // Who holds which of the 100 tokens, and what is sent where and when.
  const Positions sequence = whole_sequence(100);
  const Layout layout = make_layout(LayoutKind::zigzag, sequence, 3);
  const ScheduleProblem problem{layout, layout, rule.query_heads, rule.kv_heads, rule.head_dim};
  const AttentionPlan plan{
      .rule = rule, .forward = catalog_entry("ring").forward(problem), .backward = {}};

  // The inputs of any tokens; a rank asks for its own.
  const auto input = [&](int stream, const Positions& tokens, int heads) {
    return gaussian_tensor<float>(1, stream, tokens, heads, rule.head_dim);
  };
  const auto outputs = run_attention_threads<float>(plan, [&](int rank) {
    const Positions& own = layout[static_cast<std::size_t>(rank)];
    return AttentionInput<float>{input(0, own, rule.query_heads),
                                 {input(1, own, rule.kv_heads), input(2, own, rule.kv_heads)},
                                 {}};
  });
  std::vector<Tensor<float>> shards;
  for (const auto& output : outputs) shards.push_back(output.result.out);
  const Tensor<float> out = unshard(shards, sequence, layout);

  const KeyValue<double> key_value{input(1, sequence, rule.kv_heads).cast<double>(),
                                   input(2, sequence, rule.kv_heads).cast<double>()};
  const Partial<double> exact = full_attention(
      rule, input(0, sequence, rule.query_heads).cast<double>(), sequence, key_value, sequence);
  double largest = 0;
  for (Index i = 0; i < out.size(); ++i) {
    const double difference = std::abs(out.data()[i] - exact.out.data()[i]);
    if (!(difference <= largest)) largest = difference;  // a NaN stays
  }
  std::printf("3 ranks against one machine: largest difference %.2e\n", largest);
  return largest < 2e-6 ? 0 : 1;
}

// A generated case as inputs, a plan and the judge's answer, and the comparison of a run with it.
// Every schedule and every transport goes through here.
#pragma once

#include <fmt/format.h>

#include <cstdlib>

#include "ringlab/reference/attention/full.hpp"
#include "ringlab/reference/attention/rotary.hpp"
#include "ringlab/reference/execute/attention.hpp"
#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/sequence/shard.hpp"
#include "tests/cases.hpp"
#include "tests/families.hpp"
#include "tests/random.hpp"

namespace ringlab::test {

/// How many of the generated cases a schedule goes through. The whole grid is for RINGLAB_GRID=full
/// (ctest label slow); by default the ring takes it whole and the other families every fifth case.
/// Builds with sanitizers take ten times as long and get a tenth.
struct Grid {
  int cases = 600, stride = 1;
};

inline Grid grid_of(const CatalogEntry& entry) {
  const char* wish = std::getenv("RINGLAB_GRID");
  const bool whole = (wish && std::string(wish) == "full") || entry.name == "ring";
#ifdef NDEBUG
  return {600, whole ? 1 : 5};
#else
  return {600, whole ? 10 : 50};
#endif
}

struct Inputs {
  Tensor<double> query, output_gradient;
  KeyValue<double> key_value;
};

inline Inputs inputs_of(const Case& c) {
  const auto seed = static_cast<std::uint64_t>(c.id) * 10;
  const AttentionRule& rule = c.rule;
  return {gaussian(seed + 1, c.query_tokens, rule.query_heads, rule.head_dim),
          gaussian(seed + 4, c.query_tokens, rule.query_heads, rule.head_dim),
          {gaussian(seed + 2, c.tokens, rule.kv_heads, rule.head_dim),
           gaussian(seed + 3, c.tokens, rule.kv_heads, rule.head_dim)}};
}

/// Full attention in float64, rotary included, and its gradient.
struct Judge {
  Partial<double> result;
  Gradients<double> gradients;
};

inline Judge judge(const Case& c, Inputs inputs) {
  const Positions queries = c.queries(), keys = c.sequence();
  rotate(inputs.query, queries, c.rotary_base);
  rotate(inputs.key_value.keys, keys, c.rotary_base);
  Judge judge;
  judge.result = full_attention(c.rule, inputs.query, queries, inputs.key_value, keys);
  judge.gradients = full_attention_backward(c.rule, inputs.query, queries, inputs.key_value, keys,
                                            judge.result, inputs.output_gradient);
  rotate(judge.gradients.query, queries, c.rotary_base, true);
  rotate(judge.gradients.key_value.keys, keys, c.rotary_base, true);
  return judge;
}

template <class T>
AttentionInput<T> shard_of(const Case& c, const Inputs& inputs, int rank) {
  const auto r = static_cast<std::size_t>(rank);
  const std::vector<Index> queries = rows_of(c.queries(), c.query_layout()[r]);
  const std::vector<Index> keys = rows_of(c.sequence(), c.key_layout()[r]);
  return {gather_rows(inputs.query, queries).template cast<T>(),
          {gather_rows(inputs.key_value.keys, keys).template cast<T>(),
           gather_rows(inputs.key_value.values, keys).template cast<T>()},
          gather_rows(inputs.output_gradient, queries).template cast<T>()};
}

inline AttentionPlan plan_of(const Case& c, const CatalogEntry& entry) {
  const ScheduleProblem problem = problem_for(c, entry);
  AttentionPlan plan{c.rule, c.rotary_base, entry.forward(problem), {}};
  if (entry.backward) plan.backward = entry.backward(problem);
  return plan;
}

/// What a right run may differ by, relative in the Frobenius norm: float32 rounds at 6e-8 a step
/// and folds up to sixteen blocks; the backward has three products in a row and a difference of
/// sums.
template <class T>
constexpr double kForwardTolerance = sizeof(T) == 4 ? 1e-6 : 1e-13;
template <class T>
constexpr double kBackwardTolerance = sizeof(T) == 4 ? 3e-6 : 1e-12;

inline std::string counts_differ(const RunCounts& counts, const RankLedger& ledger) {
  const auto differ = [](const char* what, Index found, Index right) {
    return found == right ? std::string()
                          : fmt::format("{}: {}, the ledger says {}; ", what, found, right);
  };
  return differ("messages sent", counts.messages_sent, ledger.messages_sent) +
         differ("bytes sent", counts.bytes_sent, ledger.bytes_sent) +
         differ("bytes received", counts.bytes_received, ledger.bytes_received) +
         differ("peak bytes", counts.peak_bytes, ledger.peak_bytes) +
         differ("peak key/value bytes", counts.peak_key_value_bytes, ledger.peak_key_value_bytes);
}

/// Empty if the outputs of all ranks equal the judge's and the counts the ledger's; else what
/// differs.
template <class T>
std::string what_is_wrong(const Case& c, const AttentionPlan& plan, const Inputs& inputs,
                          const std::vector<AttentionOutput<T>>& outputs) {
  std::vector<Tensor<T>> out, lse, dq, dk, dv;
  for (const AttentionOutput<T>& rank : outputs) {
    out.push_back(rank.result.out);
    lse.push_back(rank.result.lse);
    if (!plan.backward) continue;
    dq.push_back(rank.query_gradient);
    dk.push_back(rank.key_value_gradient.keys);
    dv.push_back(rank.key_value_gradient.values);
  }
  const Judge right = judge(c, inputs);
  const Positions queries = c.queries(), keys = c.sequence();
  const Layout query_layout = c.query_layout(), key_layout = c.key_layout();
  const double terms = norm(inputs.output_gradient);
  std::string wrong;
  const auto hold = [&](const char* what, double error, double allowed) {
    if (!(error <= allowed)) wrong += fmt::format("{} is off by {:.2e}; ", what, error);
  };
  const double forward = kForwardTolerance<T>, backward = kBackwardTolerance<T>;
  const KeyValue<double>& gradients = right.gradients.key_value;
  hold("O", relative_error(unshard(out, queries, query_layout), right.result.out), forward);
  hold("lse", relative_error(unshard(lse, queries, query_layout), right.result.lse), forward);
  const ElementBytes element{sizeof(T), sizeof(T)};
  const Ledger sent = make_ledger(plan.forward, c.rule.mask, element);
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    wrong += counts_differ(outputs[r].forward, sent.ranks[r]);
  }
  if (!plan.backward) return wrong;
  hold("dQ", relative_error(unshard(dq, queries, query_layout), right.gradients.query, terms),
       backward);
  hold("dK", relative_error(unshard(dk, keys, key_layout), gradients.keys, terms), backward);
  hold("dV", relative_error(unshard(dv, keys, key_layout), gradients.values, terms), backward);
  for (std::size_t h = 0; h < c.rule.sinks.size(); ++h) {
    double sum = -right.gradients.sinks[h];
    for (const AttentionOutput<T>& rank : outputs) sum += rank.sink_gradient[h];
    hold("the sinks' gradient", std::abs(sum), 1e-4);
  }
  const Ledger returned = make_ledger(*plan.backward, c.rule.mask, element);
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    wrong += counts_differ(outputs[r].backward, returned.ranks[r]);
  }
  return wrong;
}

}  // namespace ringlab::test

// The problems that generators ask about, and what the library says of them.
#pragma once

#include <cmath>

#include "ringlab/quiz/bank/generator.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/session/session.hpp"

namespace ringlab::quiz {

constexpr Index kMega = 1000000, kGiga = 1000000000;

/// The ledger of a scenario's schedule, with `element` bytes an input and an accumulator.
inline Ledger ledger_of(const Scenario& scenario, ElementBytes element = {}) {
  return make_ledger(schedule_of(scenario), rule_of(scenario).mask, element);
}

/// The rank with most of something.
inline Index largest(const Ledger& ledger, Index RankLedger::*field) {
  Index most = 0;
  for (const RankLedger& rank : ledger.ranks) most = std::max(most, rank.*field);
  return most;
}

inline const RankLedger& rank_of(const Ledger& ledger, Index rank) {
  return ledger.ranks[static_cast<std::size_t>(rank)];
}

/// A ring of one head of width 1: for questions about pairs and places.
inline Scenario thin_ring(Index ranks, Index tokens, LayoutKind layout) {
  Scenario scenario;
  scenario.ranks = static_cast<int>(ranks);
  scenario.tokens = tokens;
  scenario.heads = 1;
  scenario.head_dim = 1;
  scenario.layout = layout;
  return scenario;
}

/// Heads of a question.
struct Heads {
  Index query = 1, kv = 1, dim = 1;
};

inline Heads pick_heads(Random& random) {
  const Index kv = random.pick<Index>({2, 4, 8});
  return {kv * random.pick<Index>({2, 4, 8}), kv, random.pick<Index>({64, 128})};
}

/// A ring of so many ranks with `shard` tokens each.
inline Scenario ring_of(Index ranks, Index shard, const Heads& heads, LayoutKind layout) {
  Scenario scenario = thin_ring(ranks, ranks * shard, layout);
  scenario.heads = static_cast<int>(heads.query);
  scenario.kv_heads = static_cast<int>(heads.kv);
  scenario.head_dim = static_cast<int>(heads.dim);
  return scenario;
}

/// A double that holds a whole number.
inline Index rounded(double number) {
  return std::llround(number);
}

inline Index ceiling(Index numerator, Index denominator) {
  return (numerator + denominator - 1) / denominator;
}

}  // namespace ringlab::quiz

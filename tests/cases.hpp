// One generator of attention problems for every executor, kernel and schedule.
//
// Case i is a pure function of i: the dimensions cycle through their lists with coprime strides, so
// a few hundred cases meet every pair of values, and the awkward ones (one token, more ranks than
// tokens, primes, empty shards) come early.
#pragma once

#include <string>

#include "ringlab/reference/attention/rule.hpp"
#include "ringlab/reference/sequence/layout.hpp"

namespace ringlab::test {

struct Case {
  int id = 0;
  Index tokens = 0;
  int ranks = 1;
  LayoutKind layout_kind = LayoutKind::contiguous;
  std::vector<Index> documents;
  AttentionRule rule;
  double rotary_base = 0;
  Index query_tokens = 0;  // the last so many positions are queries

  Positions sequence() const;
  Positions queries() const;  // of the whole sequence, ascending
  Layout key_layout() const;
  Layout query_layout() const;  // the queries among each rank's tokens
  std::string text() const;     // names the case in a failing check
};

/// Plain cases (masks and layouts) for every id; about one in three also carries an option: soft
/// cap, sinks, ALiBi, rotary, dropout, fewer queries than keys.
Case make_case(int id);

/// How many of `cases` a test takes: all, but a tenth in debug builds, which carry the sanitizers
/// and take twenty times as long.
constexpr int sample(int cases) {
#ifdef NDEBUG
  return cases;
#else
  return cases / 10;
#endif
}

}  // namespace ringlab::test

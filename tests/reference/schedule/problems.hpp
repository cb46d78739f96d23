// Problems for schedules, from the shared cases.
#pragma once

#include "ringlab/reference/schedule/builder.hpp"
#include "tests/cases.hpp"

namespace ringlab::test {

inline ScheduleProblem problem_of(const Case& c) {
  return {c.query_layout(),
          c.key_layout(),
          c.rule.query_heads,
          c.rule.kv_heads,
          c.rule.head_dim,
          Rotation::next,
          {}};
}

/// `tokens` tokens over `ranks` ranks, as many queries as keys.
inline ScheduleProblem plain_problem(LayoutKind kind, Index tokens, int ranks, int heads = 1,
                                     int kv_heads = 1, int head_dim = 4) {
  const Layout layout = make_layout(kind, whole_sequence(tokens), ranks);
  return {layout, layout, heads, kv_heads, head_dim, Rotation::next, {}};
}

inline Mask causal_mask() {
  Mask mask;
  mask.causal = true;
  return mask;
}

}  // namespace ringlab::test

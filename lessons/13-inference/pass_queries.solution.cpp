#include "exercise.hpp"

bool pass_queries(Heads heads, long long new_tokens, long long cached_tokens, bool way_home) {
  // Times (R - 1) / R on both sides: every block is passed on by all ranks but one, and every
  // partial result but the rank's own goes home.
  const long long there = 2 * heads.head_dim, back = way_home ? 4 * (heads.head_dim + 1) : 0;
  return new_tokens * heads.query_heads * (there + back) <=
         2 * (new_tokens + cached_tokens) * heads.kv_heads * 2 * heads.head_dim;
}

// Few new tokens after a long cached prefix: pass keys and values round the ring, or queries?
#include "exercise.hpp"

// True where passing queries sends no more bytes than passing keys and values. Tokens are spread
// evenly over the ranks, and queries, keys and values are of 2 bytes a number. `way_home` is for
// the second goal: count the partial results too, which come home in float32 with their
// log-sum-exps.
bool pass_queries(Heads heads, long long new_tokens, long long cached_tokens, bool way_home) {
  // Two lines. way_home is false in the judged cases.
  (void)heads;
  (void)new_tokens;
  (void)cached_tokens;
  (void)way_home;
  return false;
}

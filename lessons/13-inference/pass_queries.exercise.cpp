// Few new tokens after a long cached prefix: pass keys and values round the ring, or queries?
#include "exercise.hpp"

// True where passing queries sends no more in a hop. Tokens are spread evenly over the ranks.
bool pass_queries(Heads heads, long long new_tokens, long long cached_tokens) {
  // Two lines.
  (void)heads;
  (void)new_tokens;
  (void)cached_tokens;
  return false;
}

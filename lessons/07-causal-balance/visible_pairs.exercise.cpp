// How many (query, key) pairs does a rank compute under a causal mask?
#include "exercise.hpp"

// The rank's queries are these runs; a query at position p sees keys 0 to p.
double visible_pairs(const std::vector<Run>& shard) {
  // About five lines. A loop over tokens is right, and too slow for the second goal.
  (void)shard;
  return 0;
}

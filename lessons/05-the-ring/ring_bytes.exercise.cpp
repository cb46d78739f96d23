// What one rank sends in a forward pass of one layer of the ring.
#include "exercise.hpp"

// tokens[r] is what rank r holds; blocks go to rank + 1. `bytes` is the size of a number.
// struct Heads { long long query_heads, kv_heads, head_dim; } stands in exercise.hpp.
double ring_bytes(const std::vector<long long>& tokens, long long rank, Heads heads,
                  long long bytes) {
  // About two lines. In the judged cases all ranks hold the same number of tokens.
  (void)tokens;
  (void)rank;
  (void)heads;
  (void)bytes;
  return 0;
}

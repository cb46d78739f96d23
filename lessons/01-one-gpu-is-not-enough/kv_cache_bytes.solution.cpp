#include "exercise.hpp"

struct Model {
  long long layers, query_heads, kv_heads, head_dim, bytes_per_number;
};

double kv_cache_bytes(Model model, long long tokens, long long ranks) {
  const long long most = (tokens + ranks - 1) / ranks;  // the fullest rank
  return 2.0 * model.layers * model.kv_heads * model.head_dim * model.bytes_per_number * most;
}

long long longest_sequence(Model model, double bytes, long long ranks) {
  // Whole tokens on each rank: what is left over on one of them does not help the others.
  return static_cast<long long>(bytes / kv_cache_bytes(model, 1, 1)) * ranks;
}

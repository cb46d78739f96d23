#include "exercise.hpp"

struct Model {
  long long layers, query_heads, kv_heads, head_dim, bytes_per_number;
};

double kv_cache_bytes(Model model, long long tokens, long long ranks) {
  const long long most = (tokens + ranks - 1) / ranks;  // the fullest rank
  return 2.0 * model.layers * model.kv_heads * model.head_dim * model.bytes_per_number * most;
}

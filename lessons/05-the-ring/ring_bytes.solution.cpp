#include "exercise.hpp"

double ring_bytes(long long ranks, long long tokens_per_rank, Heads heads, long long bytes) {
  return 2.0 * (ranks - 1) * tokens_per_rank * heads.kv_heads * heads.head_dim * bytes;
}

#include "exercise.hpp"

struct Machine {
  double flops_per_second, bytes_per_second, latency_seconds;
};

double smallest_block(Machine machine, Heads heads, double bytes, bool causal) {
  // a n^2 = latency + b n: a tile of n by n pairs takes as long as a message with n tokens.
  const double a =
      (causal ? 2.0 : 4.0) * heads.head_dim * heads.query_heads / machine.flops_per_second;
  const double b = 2.0 * heads.kv_heads * heads.head_dim * bytes / machine.bytes_per_second;
  const double n = (b + std::sqrt(b * b + 4 * a * machine.latency_seconds)) / (2 * a);
  return std::ceil(n * (1 - 1e-12));
}

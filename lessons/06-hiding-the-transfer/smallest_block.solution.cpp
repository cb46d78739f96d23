#include "exercise.hpp"

struct Machine {
  double flops_per_second, bytes_per_second;
};

double smallest_block(Machine machine, Heads heads, double bytes, bool causal) {
  // 4 D Hq n^2 / F = 2 n Hkv D b / B; causal halves the left side.
  const double n = heads.kv_heads * bytes * machine.flops_per_second /
                   (2 * heads.query_heads * machine.bytes_per_second);
  return std::ceil((causal ? 2 * n : n) * (1 - 1e-12));
}

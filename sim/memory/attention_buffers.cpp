#include "ringlab/sim/memory/attention_buffers.hpp"

#include <algorithm>

namespace ringlab {
namespace {

// One rank's tensors in bytes. Letters as in reference/schedule: b input, a accumulator.
struct Sizes {
  double q, kv;           // inputs
  double out;             // O and log-sum-exp
  double statistics;      // log-sum-exp and delta
  double dq, dkv;         // gradients
  double replicated = 1;  // copies of a key/value head in an exchange of more ranks than heads
};

Sizes sizes_of(const AttentionShape& s, int ulysses) {
  const double n = s.tokens, row = s.query_heads * s.head_dim;
  const double kv = n * 2 * s.kv_heads * s.head_dim;
  return {n * row * s.input_bytes,
          kv * s.input_bytes,
          n * (row + s.query_heads) * s.accumulator_bytes,
          n * 2 * s.query_heads * s.accumulator_bytes,
          n * row * s.accumulator_bytes,
          kv * s.accumulator_bytes,
          std::max(1.0, ulysses / s.kv_heads)};
}

int ulysses_degree(Family family, int context, int ulysses) {
  if (family == Family::ulysses) return context;
  return family == Family::ulysses_ring ? ulysses : 1;
}

}  // namespace

AttentionBuffers attention_buffers(const AttentionShape& shape, Family family, int context,
                                   int ulysses, bool backward) {
  const int u = ulysses_degree(family, context, ulysses), ring = context / u;
  const Sizes s = sizes_of(shape, u);
  const double blocks = std::min(3, ring);  // own (or the head shard), and two slots
  AttentionBuffers b;
  b.own = s.q + s.kv + (backward ? s.q + s.statistics : 0);
  if (context == 1) {
    b.total = b.own + (backward ? s.dq + s.dkv : s.out);
  } else if (family == Family::all_gather) {
    const double gathered = context * s.kv;
    b.total = backward ? b.own + gathered + 2 * context * s.dkv + s.dq : b.own + gathered + s.out;
  } else {
    const double kv = s.kv * s.replicated, dkv = s.dkv * s.replicated;
    const double inputs = s.q + blocks * kv + (backward ? s.q + s.statistics : 0);
    if (!backward) {
      // An exchange frees what it sent, and brings the result home into a second buffer.
      b.total = inputs + s.out + (u > 1 ? s.out : 0);
      if (u > 1) b.total = std::max(b.total, 2 * s.q + s.kv + kv);
    } else {
      const double carried = ring == 1 ? 1 : 3;
      b.total = inputs + s.dq + carried * dkv;
      // On the way home: dQ comes beside its head shard, then dK and dV beside theirs; copies of
      // one head are summed, so the parts from all members wait side by side.
      const double parts = s.replicated > 1 ? dkv * (u - 1) / u : 0;
      if (u > 1) b.total = std::max(b.total, inputs + s.dq + dkv + std::max(s.dq, s.dkv + parts));
    }
  }
  return b;
}

double attention_bytes_sent(const AttentionShape& shape, Family family, int context, int ulysses,
                            bool backward) {
  const int u = ulysses_degree(family, context, ulysses), ring = context / u;
  const Sizes s = sizes_of(shape, u);
  const double kv = s.kv * s.replicated, dkv = s.dkv * s.replicated;
  if (family == Family::all_gather) return (context - 1) * (s.kv + (backward ? s.dkv : 0));
  const double round = (ring - 1) * kv + (backward && ring > 1 ? ring * dkv : 0);
  if (u == 1) return round;
  const double swapped = backward ? 2 * s.q + s.statistics + kv + s.dq + dkv : s.q + kv + s.out;
  return round + swapped * (u - 1) / u;
}

}  // namespace ringlab

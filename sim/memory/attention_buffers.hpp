// The most memory that one attention layer's schedule has on a rank: own tensors, and blocks on
// their way. Closed forms of what the ledger counts, for any number of ranks.
#pragma once

#include "ringlab/sim/memory/parallel.hpp"

namespace ringlab {

/// One rank's part of the sequence, after tensor parallelism.
struct AttentionShape {
  double tokens = 0;  // of one rank
  double query_heads = 1, kv_heads = 1, head_dim = 1;
  double input_bytes = 2, accumulator_bytes = 4;
};

struct AttentionBuffers {
  double own = 0;    // Q, K, V (and dO) as the layer hands them over
  double total = 0;  // the ledger's peak
  double in_flight() const { return total - own; }
};

/// `ulysses` ranks of the `context` exchange heads (all of them for Family::ulysses).
AttentionBuffers attention_buffers(const AttentionShape& shape, Family family, int context,
                                   int ulysses, bool backward);

/// Bytes that a rank sends in one layer, forward or backward.
double attention_bytes_sent(const AttentionShape& shape, Family family, int context, int ulysses,
                            bool backward);

}  // namespace ringlab

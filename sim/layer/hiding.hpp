// When does a ring hide its traffic: the block length from which a tile takes as long as the next
// block's transfer.
//
// arXiv 2310.01889, section 3 (c >= F / B for one head), with grouped heads, causal halves, the
// float32 gradients that travel backward, and the link's latency.
#pragma once

#include "ringlab/sim/cluster/gpu.hpp"

namespace ringlab {

struct HidingProblem {
  double query_heads = 1, kv_heads = 1, head_dim = 1;
  double input_bytes = 2, gradient_bytes = 4;
  double flops_per_second = 0;  // reached by attention on visible pairs
  LinkSpec link;                // to the neighbour
  bool causal = false;          // balanced: half of every tile is visible
  bool backward = false;
};

/// Tokens a rank from which on every transfer but none of the computation is hidden: the positive
/// root of  A n^2 = alpha + B n  with A = FLOPs of a tile over the rate, B = bytes over bandwidth.
double hidden_from_tokens(const HidingProblem& problem);

}  // namespace ringlab

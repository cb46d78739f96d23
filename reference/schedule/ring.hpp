// The key/value ring: queries stay, key/value blocks pass from neighbour to neighbour.
//
// Ring Attention with Blockwise Transformers, Liu et al., arXiv 2310.01889, section 3. With R ranks
// and n tokens a rank, every rank sends per forward pass
//   (R - 1) * n * 2 * kv_heads * head_dim * input bytes        in R - 1 messages
// and per backward pass the same again for the blocks, plus their gradients, which travel with them
// in float32 and need one more move to come home:
//   R * n * 2 * kv_heads * head_dim * accumulator bytes        in R messages.
#pragma once

#include "ringlab/reference/schedule/builder.hpp"

namespace ringlab {

Schedule ring_forward(const ScheduleProblem& problem);
Schedule ring_backward(const ScheduleProblem& problem);

}  // namespace ringlab

// All-gather context parallelism: every rank gathers all keys and values, then computes alone.
//
// The Llama 3 Herd of Models, arXiv 2407.21783, section 3.3.2. Bytes sent per rank, forward, R
// ranks of n tokens: (R - 1) n 2 kv_heads head_dim input bytes, as a ring, but in one go that
// nothing hides, and with all keys and values in memory. Backward: the same gather, then a
// reduce-scatter of dK and dV, (R - 1) n 2 kv_heads head_dim accumulator bytes.
//
// By head groups only one key/value head is gathered at a time, the next one behind the computation
// on this one: the same bytes, 1 / kv_heads of the memory (twice that, as two are in flight).
#pragma once

#include "ringlab/reference/schedule/builder.hpp"

namespace ringlab {

Schedule all_gather_forward(const ScheduleProblem& problem);
Schedule all_gather_backward(const ScheduleProblem& problem);
Schedule all_gather_heads_forward(const ScheduleProblem& problem);
Schedule all_gather_heads_backward(const ScheduleProblem& problem);

}  // namespace ringlab

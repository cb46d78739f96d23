// The key/value ring with half of every block going each way round, so that both directions of a
// full-duplex link carry traffic at once.
//
// Source of the idea: TokenRing, arXiv 2412.20501, and the two-way rings of NCCL. Bytes sent per
// rank are those of the plain ring, half of them in each direction; twice as many messages. A half
// takes half of either half of the block, so it is balanced as its layout is.
#pragma once

#include "ringlab/reference/schedule/builder.hpp"

namespace ringlab {

Schedule bidirectional_ring_forward(const ScheduleProblem& problem);
Schedule bidirectional_ring_backward(const ScheduleProblem& problem);

}  // namespace ringlab

// The ring of rings: an inner ring over fast links, an outer one whose next block comes during a
// whole inner turn.
//
// LoongTrain, arXiv 2406.18485, section 4.3 (double ring attention). Axis I: inner rings; axis O:
// outer. A rank sends as much as in a plain ring, (R - 1) blocks a forward pass, but only O - 1 of
// them over the outer links, each with I hops of time to hide in. Memory: up to five blocks (own,
// the turn's first, the next turn's, two inner slots).
#pragma once

#include "ringlab/reference/schedule/builder.hpp"

namespace ringlab {

/// problem.degree: I and O; I is always innermost. Unset: I is the largest divisor of the ranks
/// that is not above their square root.
Schedule double_ring_forward(const ScheduleProblem& problem);
Schedule double_ring_backward(const ScheduleProblem& problem);

}  // namespace ringlab

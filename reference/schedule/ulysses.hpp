// Ulysses, alone and with a ring inside: all-to-all from sequence shards to head shards and back.
//
// DeepSpeed Ulysses, arXiv 2309.14509; the mesh of both, USP, arXiv 2405.07719. Axis U: groups that
// exchange heads; axis R: rings. In a group every rank ends up with the tokens of all members and
// 1 / U of the query heads, with the key/value heads that those read: where there are fewer
// key/value heads than members they are replicated, and their gradients summed on the way back.
//
// Bytes sent per rank and forward pass, n tokens a rank, kv_heads divisible by U, b input and a
// accumulator bytes:  (U-1)/U n (Hq + 2 Hkv) D b  there,  (U-1)/U n Hq (D + 1) a  back (O and lse),
// and n 2 Hkv D b  round the ring. The degree U divides the query heads.
#pragma once

#include "ringlab/reference/schedule/builder.hpp"

namespace ringlab {

/// One group of all ranks.
Schedule ulysses_forward(const ScheduleProblem& problem);
Schedule ulysses_backward(const ScheduleProblem& problem);

/// problem.degree: U and R in either order, the first innermost. Unset: U is the largest degree
/// that the heads allow, innermost.
Schedule ulysses_ring_forward(const ScheduleProblem& problem);
Schedule ulysses_ring_backward(const ScheduleProblem& problem);

}  // namespace ringlab

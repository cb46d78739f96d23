// The query ring (pass-Q): queries travel, keys and values stay. For a long cached prefix and few
// new tokens, where the queries are the smaller thing to move.
//
// Context Parallelism for Scalable Million-Token Inference, arXiv 2411.01783 (pass-Q).
// Each rank computes a partial result for every rank's queries; a closing exchange brings the
// partial results home, where they are merged. Bytes sent per rank forward, t queries a rank, b
// input and a accumulator bytes:  t Hq D b  for the queries and  t Hq (D + 1) a  for
// the results (O and lse). Backward: queries, dO and row statistics travel, (R-1) t Hq (2 D b + 2
// a), and dQ follows and comes home, R t Hq D a.
#pragma once

#include "ringlab/reference/schedule/builder.hpp"

namespace ringlab {

Schedule query_ring_forward(const ScheduleProblem& problem);
Schedule query_ring_backward(const ScheduleProblem& problem);

/// What the choice between the two rings depends on.
struct RingChoice {
  double new_tokens = 0, cached_tokens = 0;  // T and P, of the whole sequence
  int query_heads = 1, kv_heads = 1;
  int ranks = 1;
  double input_bytes = 2;  // of an element
  double flops_per_second =
      510e12;                      // of a rank: an H100's, from the prefill of the paper's table 3
  double bytes_per_second = 26e9;  // to the neighbour: fits the paper's ring steps
};

/// True if queries should travel: T / (T + P) <= 2 Hkv / Hq - 4 T BW / (ranks C e), the paper's
/// rule with the closing exchange that nothing hides.
bool queries_should_travel(const RingChoice& choice);

/// The ring that queries_should_travel picks for the problem, with float32 elements and the figures
/// above.
Schedule auto_ring_forward(const ScheduleProblem& problem);
Schedule auto_ring_backward(const ScheduleProblem& problem);

}  // namespace ringlab

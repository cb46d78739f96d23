// Decoding over a key/value cache that is sharded over ranks: a few new queries, every rank's keys.
//
// decode_tree  The queries of a rank go down a binomial tree, each rank attends to its own part of
// the
//              cache, and partial results are merged on the way up. Tree Attention, arXiv
//              2408.04093. ceil(log2 R) steps each way; per query R - 1 messages down of Hq D b
//              bytes and R - 1 up of Hq (D + 1) a bytes, in all ranks together.
// decode_ring  Queries and their partial result go round the ring together, picking up each rank's
//              keys: R - 1 hops and one home, none of them hidden: per query R - 1 moves of Hq D b
//              and R of Hq (D + 1) a bytes.
//
// A rank that holds no key yet adds the identity.
#pragma once

#include "ringlab/reference/schedule/builder.hpp"

namespace ringlab {

Schedule decode_tree(const ScheduleProblem& problem);
Schedule decode_ring(const ScheduleProblem& problem);

}  // namespace ringlab

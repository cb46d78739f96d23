// What a schedule costs, counted from its contents: messages, bytes, pairs, FLOPs, memory.
//
// The ledger is pinned from both sides: tests hold it against the closed forms of the builders'
// comments, and the executors' own counts against the ledger.
#pragma once

#include "ringlab/reference/schedule/schedule.hpp"
#include "ringlab/reference/sequence/mask.hpp"
#include "ringlab/reference/sequence/visible.hpp"

namespace ringlab {

/// One tile that a rank computes. `pairs` are visible (query, key) pairs of one head.
struct TileWork {
  int hop = 0;
  Content query, key_value;
  Index pairs = 0;
  Index square = 0;  // all pairs
  double flops =
      0;  // visible pairs, all heads: 4 * head_dim a pair forward, 10 * head_dim backward
  TileClass tile() const {
    return pairs == 0 ? TileClass::empty : pairs == square ? TileClass::full : TileClass::partial;
  }
};

struct RankLedger {
  Index messages_sent = 0, messages_received = 0;
  Index bytes_sent = 0, bytes_received = 0;
  Index pair_heads = 0;  // visible pairs, counted once for each query head that computes them
  double flops = 0;
  Index peak_bytes = 0;            // all buffers
  Index peak_key_value_bytes = 0;  // buffers that hold K and V
  std::vector<TileWork> tiles;     // in the order of the steps
  std::vector<Index> pair_heads_per_hop, bytes_sent_per_hop;
};

struct Ledger {
  std::vector<RankLedger> ranks;
  int query_heads = 1;
  Index pair_heads = 0;             // of all ranks
  Index worst_rank_pair_heads = 0;  // of the rank with most
  /// Sum over hops of what the rank with most computes in that hop: the work that ranks in lock
  /// step wait for.
  Index worst_per_hop_pair_heads = 0;

  /// Visible pairs as a person counts them: of all heads together, over the number of heads.
  double pairs(Index pair_heads_count) const {
    return static_cast<double>(pair_heads_count) / query_heads;
  }
  /// The useful share of lock step: pair_heads / (ranks * worst_per_hop_pair_heads).
  double efficiency() const;
  Index bytes_sent() const;
};

Ledger make_ledger(const Schedule& schedule, const Mask& mask, const ElementBytes& element = {});

/// FLOPs of one visible pair of one query head.
double flops_per_pair(const Schedule& schedule);

}  // namespace ringlab

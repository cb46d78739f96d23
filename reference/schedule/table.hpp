// A schedule as a table for people: one row a hop, one column a rank.
#pragma once

#include "ringlab/reference/schedule/ledger.hpp"

namespace ringlab {

/// Each cell names the block that the rank computes on at that hop and how much of the tile is
/// visible: "kv3 full", "kv3 52%", "kv3 -" for an empty tile. Several tiles of a hop are joined
/// with '+'.
std::string schedule_table(const Schedule& schedule, const Ledger& ledger);

}  // namespace ringlab

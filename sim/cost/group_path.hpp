// How the members of a group of GPUs reach each other: which level of the cluster they span, and
// what is left of its links when all such groups work at the same time.
#pragma once

#include <string>
#include <vector>

#include "ringlab/sim/cluster/cluster.hpp"

namespace ringlab {

/// GPUs first, first + stride, ..., size of them. All GPUs of the cluster belong to one such group
/// each, and all groups do the same at the same time.
struct RankGroup {
  int size = 1, stride = 1;
  auto operator<=>(const RankGroup&) const = default;
};

/// A level that the group spans.
struct SpannedLevel {
  int level = 0;
  int members_inside = 1;  // of the group, in one member of the level (a node of the rack)
  /// What one GPU has of the level's links when every GPU sends over it.
  LinkSpec share;
};

struct GroupPath {
  RankGroup group;
  std::vector<SpannedLevel> levels;  // innermost first; empty for a group of one
  /// The slowest hop of a ring in the order of ranks, and the level that it crosses.
  LinkSpec ring_hop;
  int ring_level = -1;
  int ring_flows = 1;  // messages of such rings that share that hop's link
  /// For collectives that a library runs as one ring through each member's own link (rails): what a
  /// node of m members has is m shares, no more than the hop inside.
  LinkSpec collective;

  bool alone() const { return levels.empty(); }
};

/// Throws InputError (field `layout`) for a group that the cluster does not hold.
GroupPath path_of(const Cluster& cluster, const RankGroup& group);

/// "rail, 46 GB/s, 8 messages share a link": what a person reads.
std::string describe(const Cluster& cluster, const GroupPath& path);

}  // namespace ringlab

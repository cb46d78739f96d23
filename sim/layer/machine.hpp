// A cluster with the rates that its GPUs reach: what every time here is counted with.
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "ringlab/sim/cost/calibration.hpp"
#include "ringlab/sim/cost/group_path.hpp"

namespace ringlab {

class Machine {
 public:
  explicit Machine(Cluster cluster, const std::optional<Calibration>& calibration = {});

  const Cluster& cluster() const { return cluster_; }
  const Gpu& gpu() const { return cluster_.gpu; }
  const AttentionCost& attention() const { return attention_; }
  /// Found once for each group; a search asks for the same few again and again.
  const GroupPath& path(const RankGroup& group) const;

 private:
  Cluster cluster_;
  AttentionCost attention_;
  mutable std::map<RankGroup, GroupPath> paths_;
};

/// The same kind of cluster with another number of GPUs: a part of a node, or more or fewer nodes.
/// Throws InputError (field `gpus`) where that is not possible: a torus, a box without a network
/// card, a number that fills no whole nodes.
Cluster with_gpus(const Cluster& cluster, int gpus);

}  // namespace ringlab

#include "ringlab/sim/layer/machine.hpp"

#include <fmt/format.h>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {

Machine::Machine(Cluster cluster, const std::optional<Calibration>& calibration)
    : cluster_(std::move(cluster)), attention_(AttentionCost::constant(1)) {
  if (calibration) calibration->apply_to(cluster_);
  attention_ = calibration && calibration->attention ? *calibration->attention
                                                     : AttentionCost::for_gpu(cluster_.gpu);
}

const GroupPath& Machine::path(const RankGroup& group) const {
  const auto found = paths_.find(group);
  if (found != paths_.end()) return found->second;
  return paths_.emplace(group, path_of(cluster_, group)).first->second;
}

Cluster with_gpus(const Cluster& cluster, int gpus) {
  if (gpus == cluster.gpus()) return cluster;
  const auto refuse = [&](const std::string& why) -> InputError {
    return {"gpus", std::to_string(gpus), why};
  };
  if (gpus < 1) throw refuse("give at least 1");
  for (const Level& level : cluster.levels) {
    if (level.kind == LevelKind::torus) throw refuse("a torus has the size that it has");
  }
  Cluster other = cluster;
  const Level& node = cluster.levels.front();
  if (gpus <= node.size) {
    other.levels.resize(1);
    other.levels[0].size = gpus;
  } else if (gpus > cluster.gpus() &&
             (cluster.levels.size() == 1 || cluster.levels.back().kind == LevelKind::bus)) {
    // A box that is full: more of them behind network cards, where there are any.
    if (cluster.gpu.nic.bytes_per_second <= 0) {
      throw refuse(fmt::format("cluster {} has one box of {} GPUs and no network card",
                               cluster.name, cluster.gpus()));
    }
    other.levels.push_back({"rail", gpus / cluster.gpus(), LevelKind::crossbar, cluster.gpu.nic});
  } else {
    // Inner levels stay; of the outer ones as many members as are needed.
    int below = node.size;
    std::size_t l = 1;
    while (l + 1 < other.levels.size() && below * other.levels[l].size < gpus) {
      below *= other.levels[l++].size;
    }
    other.levels.resize(l + 1);
    other.levels[l].size = gpus / below;
  }
  if (other.gpus() != gpus) throw refuse(fmt::format("give a multiple of {}", node.size));
  other.name = fmt::format("{} GPUs as in {}", gpus, cluster.name);
  return other;
}

}  // namespace ringlab

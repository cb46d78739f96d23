#include "ringlab/sim/cost/group_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/cluster/network.hpp"

namespace ringlab {
namespace {

// Members of the group within an aligned block of so many GPUs.
int members_within(const RankGroup& group, int block) {
  return std::clamp(block / group.stride, 1, group.size);
}

// Messages that one link carries in one hop of all rings. Of each group's members inside a node one
// sends out of it; those senders stand side by side, `stride` of them in every m * stride GPUs.
int crossbar_flows(const Level& level, const RankGroup& group, int inside) {
  const int period = inside * group.stride;
  return std::min(group.stride, level.gpus_per_link) * std::max(1, level.gpus_per_link / period);
}

struct Hop {
  LinkSpec link;
  int flows = 1;
};

// On a torus the links of a hop are counted, one by one, over a whole block of the level.
Hop torus_hop(const Cluster& cluster, int block, const RankGroup& group) {
  const Network network(cluster);
  std::map<std::int64_t, int> load;
  std::vector<std::vector<std::int64_t>> paths;
  const int span = group.size * group.stride;
  for (int gpu = 0; gpu < block; ++gpu) {
    const int seat = gpu % span / group.stride;
    const int next = gpu + (seat + 1 == group.size ? 1 - group.size : 1) * group.stride;
    if (next >= block) continue;
    paths.push_back(network.path(gpu, next));
    for (const std::int64_t link : paths.back()) ++load[link];
  }
  Hop worst;
  std::size_t links = 1;
  for (const auto& path : paths) {
    for (const std::int64_t link : path) worst.flows = std::max(worst.flows, load[link]);
    links = std::max(links, path.size());
  }
  worst.link.latency_seconds = static_cast<double>(links);
  return worst;
}

}  // namespace

GroupPath path_of(const Cluster& cluster, const RankGroup& group) {
  if (group.size < 1 || group.stride < 1 || group.size > cluster.gpus() / group.stride) {
    throw InputError("layout", fmt::format("{} GPUs, {} apart", group.size, group.stride),
                     fmt::format("cluster {} has {} GPUs", cluster.name, cluster.gpus()));
  }
  GroupPath path;
  path.group = group;
  double slowest = -1;
  int below = 1;
  for (std::size_t l = 0; l < cluster.levels.size(); ++l) {
    const Level& level = cluster.levels[l];
    const int block = below * level.size;
    const int inside = members_within(group, below), members = members_within(group, block);
    if (members == inside) {
      below = block;
      continue;
    }
    Hop hop{level.link, 1};
    LinkSpec share = level.link;
    switch (level.kind) {
      case LevelKind::crossbar:
        hop.flows = crossbar_flows(level, group, inside);
        share.bytes_per_second /= level.gpus_per_link;
        break;
      case LevelKind::bus:
        // Of each group that has members here, one message from node to node, and one that closes
        // the ring unless the ring goes on outside.
        hop.flows = block / members * (members / inside - (members < group.size ? 1 : 0));
        share.bytes_per_second /= block;
        break;
      case LevelKind::torus: {
        const Hop counted = torus_hop(cluster, block, group);
        hop.flows = counted.flows;
        hop.link.latency_seconds *= counted.link.latency_seconds;
        // Both ways round, which a collective uses and a ring of one direction does not.
        share.bytes_per_second *= 2.0 / counted.flows;
        break;
      }
    }
    hop.link.bytes_per_second /= hop.flows;
    path.levels.push_back({static_cast<int>(l), inside, share});
    if (1 / hop.link.bytes_per_second > slowest) {
      slowest = 1 / hop.link.bytes_per_second;
      path.ring_level = static_cast<int>(l);
      path.ring_flows = hop.flows;
      path.ring_hop = hop.link;
    }
    const double reach = share.bytes_per_second * inside;
    if (path.levels.size() == 1) {
      path.collective = {reach, level.link.latency_seconds};
    } else {
      path.collective = {std::min(path.collective.bytes_per_second, reach),
                         std::max(path.collective.latency_seconds, level.link.latency_seconds)};
    }
    below = block;
  }
  return path;
}

std::string describe(const Cluster& cluster, const GroupPath& path) {
  if (path.alone()) return "alone";
  const Level& level = cluster.levels[static_cast<std::size_t>(path.ring_level)];
  std::string text =
      fmt::format("{}, {:.4g} GB/s a hop", level.name, path.ring_hop.bytes_per_second * 1e-9);
  if (path.ring_flows > 1) text += fmt::format(", {} messages share a link", path.ring_flows);
  return text;
}

}  // namespace ringlab

#include "ringlab/sim/cluster/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {
namespace {

// All members of a torus, each a neighbour of the one before: to and fro along each dimension. With
// an even number of rows the last is a neighbour of the first, too.
std::vector<int> snake(const std::vector<int>& dimensions) {
  std::vector<int> order = {0};
  int stride = 1;
  for (const int size : dimensions) {
    std::vector<int> longer;
    longer.reserve(order.size() * static_cast<std::size_t>(size));
    for (int row = 0; row < size; ++row) {
      for (const int member : order) longer.push_back(row * stride + member);
      std::reverse(order.begin(), order.end());
    }
    stride *= size;
    order = std::move(longer);
  }
  return order;
}

std::vector<int> ring_order(const Level& level) {
  if (level.kind == LevelKind::torus) return snake(level.dimensions);
  std::vector<int> order(static_cast<std::size_t>(level.size));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

const char* name(Placement placement) {
  switch (placement) {
    case Placement::flat:
      return "flat";
    case Placement::topology:
      return "topology";
    case Placement::scattered:
      return "scattered";
  }
  return "?";
}

Placement placement_from(const std::string& text) {
  for (const Placement one : {Placement::flat, Placement::topology, Placement::scattered}) {
    if (text == name(one)) return one;
  }
  throw InputError("placement", text, "give flat, topology or scattered");
}

std::vector<int> place_ranks(const Cluster& cluster, int ranks, Placement placement) {
  const int gpus = cluster.gpus();
  if (ranks < 1 || ranks > gpus) {
    throw InputError("ranks", std::to_string(ranks),
                     fmt::format("cluster {} has {} GPUs; give at most as many ranks, or a larger "
                                 "cluster",
                                 cluster.name, gpus));
  }
  std::vector<int> order(static_cast<std::size_t>(gpus));
  std::iota(order.begin(), order.end(), 0);
  if (placement == Placement::topology) {
    order = {0};
    int stride = 1;
    for (const Level& level : cluster.levels) {
      std::vector<int> longer;
      for (const int member : ring_order(level)) {
        for (const int gpu : order) longer.push_back(member * stride + gpu);
      }
      stride *= level.size;
      order = std::move(longer);
    }
  } else if (placement == Placement::scattered) {
    const int members = cluster.levels.back().size, each = gpus / members;
    for (int i = 0; i < gpus; ++i) {
      order[static_cast<std::size_t>(i)] = i % members * each + i / members;
    }
  }
  order.resize(static_cast<std::size_t>(ranks));
  return order;
}

RingBottleneck ring_bottleneck(const Cluster& cluster, const std::vector<int>& placement,
                               double bytes) {
  RingBottleneck slowest;
  const int ranks = static_cast<int>(placement.size());
  double worst = -1;
  for (int r = 0; r < ranks && ranks > 1; ++r) {
    const int to = (r + 1) % ranks;
    const int a = placement[static_cast<std::size_t>(r)],
              b = placement[static_cast<std::size_t>(to)];
    const LinkSpec link = cluster.between(a, b);
    if (link.seconds(bytes) <= worst) continue;
    worst = link.seconds(bytes);
    slowest = {r, to, cluster.levels[static_cast<std::size_t>(cluster.level_between(a, b))].name,
               link};
  }
  return slowest;
}

}  // namespace ringlab

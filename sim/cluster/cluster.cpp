#include "ringlab/sim/cluster/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/cluster/network.hpp"

namespace ringlab {

int Cluster::gpus() const {
  int product = 1;
  for (const Level& level : levels) product *= level.size;
  return product;
}

int Cluster::level_between(int a, int b) const {
  RINGLAB_ENSURE(a != b && a >= 0 && b >= 0 && a < gpus() && b < gpus(),
                 "two different GPUs of the cluster");
  int outermost = 0;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    if (a % levels[l].size != b % levels[l].size) outermost = static_cast<int>(l);
    a /= levels[l].size;
    b /= levels[l].size;
  }
  return outermost;
}

LinkSpec Cluster::between(int a, int b) const {
  const Level& level = levels[static_cast<std::size_t>(level_between(a, b))];
  const auto links = static_cast<double>(Network(*this).path(a, b).size());
  if (level.store_and_forward) {
    return {level.link.bytes_per_second / links, level.link.latency_seconds * links};
  }
  // A message cuts through the ports of one switch at once, and is late by every hop of a torus.
  const double hops = level.kind == LevelKind::torus ? links : 1;
  return {level.link.bytes_per_second, level.link.latency_seconds * hops};
}

Network::Network(const Cluster& cluster) : cluster_(&cluster) {
  int below = 1;
  std::int64_t first = 0;
  const std::int64_t gpus = cluster.gpus();
  for (const Level& level : cluster.levels) {
    levels_.push_back({first, below});
    below *= level.size;
    switch (level.kind) {
      case LevelKind::crossbar:
        first += 2 * ((gpus + level.gpus_per_link - 1) / level.gpus_per_link);
        break;
      case LevelKind::bus:
        first += gpus / below;
        break;
      case LevelKind::torus:
        first += gpus * 2 * static_cast<std::int64_t>(level.dimensions.size());
        break;
    }
  }
}

namespace {

// Steps from one coordinate to another round a circle, the shorter way; a tie goes up.
int steps_round(int from, int to, int size) {
  const int up = (to - from + size) % size;
  return 2 * up <= size ? up : up - size;
}

}  // namespace

std::vector<std::int64_t> Network::path(int a, int b) const {
  const int l = cluster_->level_between(a, b);
  const Level& level = cluster_->levels[static_cast<std::size_t>(l)];
  const auto [first, below] = levels_[static_cast<std::size_t>(l)];
  switch (level.kind) {
    case LevelKind::crossbar:
      return {first + 2 * (a / level.gpus_per_link), first + 2 * (b / level.gpus_per_link) + 1};
    case LevelKind::bus:
      return {first + a / (below * level.size)};
    case LevelKind::torus:
      break;
  }
  // Dimension by dimension; a link belongs to the chip that it leaves.
  std::vector<std::int64_t> links;
  int stride = below, here = a;
  const auto dimensions = static_cast<int>(level.dimensions.size());
  for (int d = 0; d < dimensions; ++d) {
    const int size = level.dimensions[static_cast<std::size_t>(d)];
    int at = here / stride % size;
    const int steps = steps_round(at, b / stride % size, size);
    for (int s = 0; s < std::abs(steps); ++s) {
      links.push_back(first + (std::int64_t{here} * dimensions + d) * 2 + (steps < 0 ? 1 : 0));
      const int next = (at + (steps < 0 ? size - 1 : 1)) % size;
      here += (next - at) * stride;
      at = next;
    }
    stride *= size;
  }
  return links;
}

int Network::level_of(std::int64_t link) const {
  std::size_t l = levels_.size() - 1;
  while (levels_[l].first_link > link) --l;
  return static_cast<int>(l);
}

std::string Network::name(std::int64_t link) const {
  const auto l = static_cast<std::size_t>(level_of(link));
  const Level& level = cluster_->levels[l];
  const std::int64_t place = link - levels_[l].first_link;
  switch (level.kind) {
    case LevelKind::crossbar: {
      const char* way = place % 2 == 0 ? "out" : "in";
      const std::int64_t owner = place / 2;
      if (level.gpus_per_link == 1) return fmt::format("{} gpu{} {}", level.name, owner, way);
      const std::int64_t from = owner * level.gpus_per_link;
      return fmt::format("{} gpu{}-{} {}", level.name, from, from + level.gpus_per_link - 1, way);
    }
    case LevelKind::bus: {
      const std::int64_t members = std::int64_t{levels_[l].below} * level.size;
      return fmt::format("{} gpu{}-{} shared", level.name, place * members,
                         (place + 1) * members - 1);
    }
    case LevelKind::torus: {
      const auto dimensions = static_cast<std::int64_t>(level.dimensions.size());
      return fmt::format("{} gpu{} {}{}", level.name, place / 2 / dimensions,
                         place % 2 == 0 ? '+' : '-',
                         std::string(1, static_cast<char>('x' + place / 2 % dimensions)));
    }
  }
  return "?";
}

}  // namespace ringlab

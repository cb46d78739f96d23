#include "ringlab/reference/sequence/shard.hpp"

#include <algorithm>
#include <numeric>

namespace ringlab {

std::vector<Index> rows_of(const Positions& sequence, const Positions& shard) {
  const std::vector<Place> all = sequence.expand();
  std::vector<Index> order(all.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto position = [&](Index row) { return all[static_cast<std::size_t>(row)].position; };
  const auto earlier = [&](Index a, Index b) { return position(a) < position(b); };
  if (!std::is_sorted(order.begin(), order.end(), earlier)) {
    std::sort(order.begin(), order.end(), earlier);
  }
  std::vector<Index> rows;
  rows.reserve(static_cast<std::size_t>(shard.size()));
  for (const Place& place : shard.expand()) {
    const auto found =
        std::lower_bound(order.begin(), order.end(), place.position,
                         [&](Index row, Index wanted) { return position(row) < wanted; });
    if (found == order.end() || position(*found) != place.position) {
      throw InputError("layout", "position " + std::to_string(place.position),
                       "hold only tokens of the sequence");
    }
    rows.push_back(*found);
  }
  return rows;
}

std::vector<Index> next_positions(const Positions& sequence) {
  const std::vector<Place> all = sequence.expand();
  std::vector<Index> next(all.size(), -1);
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (all[i].document == all[i + 1].document) next[i] = all[i + 1].position;
  }
  return next;
}

}  // namespace ringlab

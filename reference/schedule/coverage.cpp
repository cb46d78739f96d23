#include "ringlab/reference/schedule/coverage.hpp"

#include <algorithm>

#include "ringlab/reference/sequence/visible.hpp"

namespace ringlab {
namespace {

// [first, first + count) of two intervals' common part.
template <class T>
std::pair<T, T> common(T first_a, T count_a, T first_b, T count_b) {
  const T first = std::max(first_a, first_b);
  return {first, std::max<T>(0, std::min(first_a + count_a, first_b + count_b) - first)};
}

}  // namespace

Index Coverage::pairs(ShardPair shards, const Rectangle& tile) const {
  if (tile.heads <= 0 || tile.queries <= 0 || tile.keys <= 0) return 0;
  const Positions queries = schedule_->query_layout[static_cast<std::size_t>(shards.first)].slice(
      tile.first_query, tile.queries);
  const Positions keys = schedule_->key_layout[static_cast<std::size_t>(shards.second)].slice(
      tile.first_key, tile.keys);
  return visible_pairs(*mask_, queries, keys) * tile.heads;
}

Index Coverage::overlap(ShardPair shards, const Rectangle& a, const Rectangle& b) const {
  Rectangle both;
  std::tie(both.first_query, both.queries) =
      common(a.first_query, a.queries, b.first_query, b.queries);
  std::tie(both.first_key, both.keys) = common(a.first_key, a.keys, b.first_key, b.keys);
  std::tie(both.first_head, both.heads) = common(a.first_head, a.heads, b.first_head, b.heads);
  return pairs(shards, both);
}

bool Coverage::add(ShardPair shards, const Rectangle& tile) {
  std::vector<Rectangle>& here = tiles_[shards];
  for (const Rectangle& other : here) {
    if (overlap(shards, tile, other) > 0) return false;
  }
  here.push_back(tile);
  return true;
}

bool Coverage::add(const Content& query, const Content& key_value) {
  for (const Piece& q : query.pieces) {
    for (const Piece& k : key_value.pieces) {
      const Rectangle tile{q.first, q.count, k.first, k.count, query.first_head, query.heads};
      if (!add({q.shard, k.shard}, tile)) return false;
    }
  }
  return true;
}

bool Coverage::add(const Coverage& other) {
  for (const auto& [shards, tiles] : other.tiles_) {
    for (const Rectangle& tile : tiles) {
      if (!add(shards, tile)) return false;
    }
  }
  return true;
}

Coverage Coverage::restricted(const Content& content) const {
  const bool queries = is_of_queries(content.quantity);
  const int group = queries ? 1 : schedule_->query_heads / schedule_->kv_heads;
  Coverage part(*schedule_, *mask_);
  for (const auto& [shards, tiles] : tiles_) {
    for (const Piece& piece : content.pieces) {
      if (piece.shard != (queries ? shards.first : shards.second)) continue;
      for (Rectangle tile : tiles) {
        std::tie(tile.first_head, tile.heads) =
            common(tile.first_head, tile.heads, content.first_head * group, content.heads * group);
        Index& first = queries ? tile.first_query : tile.first_key;
        Index& count = queries ? tile.queries : tile.keys;
        std::tie(first, count) = common(first, count, piece.first, piece.count);
        if (tile.heads > 0 && count > 0) part.tiles_[shards].push_back(tile);
      }
    }
  }
  return part;
}

Index Coverage::covered(const Piece& query, int first_head, int heads, int key_shard) const {
  const ShardPair shards{query.shard, key_shard};
  const auto here = tiles_.find(shards);
  if (here == tiles_.end()) return 0;
  const Index all_keys = schedule_->key_layout[static_cast<std::size_t>(key_shard)].size();
  const Rectangle wanted{query.first, query.count, 0, all_keys, first_head, heads};
  Index sum = 0;
  for (const Rectangle& tile : here->second) sum += overlap(shards, tile, wanted);
  return sum;
}

Index Coverage::covered_of_keys(const Piece& keys, int first_head, int heads,
                                int query_shard) const {
  const ShardPair shards{query_shard, keys.shard};
  const auto here = tiles_.find(shards);
  if (here == tiles_.end()) return 0;
  const int group = schedule_->query_heads / schedule_->kv_heads;
  const Index all = schedule_->query_layout[static_cast<std::size_t>(query_shard)].size();
  const Rectangle wanted{0, all, keys.first, keys.count, first_head * group, heads * group};
  Index sum = 0;
  for (const Rectangle& tile : here->second) sum += overlap(shards, tile, wanted);
  return sum;
}

}  // namespace ringlab

// Which (query, key) pairs a partial result or gradient has folded in: a set of rectangles over
// pieces of shards and heads.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ringlab/reference/schedule/schedule.hpp"
#include "ringlab/reference/sequence/mask.hpp"

namespace ringlab {

/// Queries of one shard against keys of one shard, for some query heads; local indices.
struct Rectangle {
  Index first_query = 0, queries = 0;
  Index first_key = 0, keys = 0;
  int first_head = 0, heads = 0;
};

class Coverage {
 public:
  Coverage(const Schedule& schedule, const Mask& mask) : schedule_(&schedule), mask_(&mask) {}

  /// Adds the tile of two contents. False, and nothing else, if a visible pair of it is here
  /// already.
  bool add(const Content& query, const Content& key_value);
  /// Adds all of `other`; false as above.
  bool add(const Coverage& other);

  /// The part that belongs to the tokens and heads of `content`: of queries, or of keys for dK and
  /// dV.
  Coverage restricted(const Content& content) const;

  /// Visible pairs times heads between a piece of queries (heads included) and one key shard.
  Index covered(const Piece& query, int first_head, int heads, int key_shard) const;
  /// The same between a piece of keys and all queries of one shard, for all the query heads that
  /// read the key/value heads given.
  Index covered_of_keys(const Piece& keys, int first_head, int heads, int query_shard) const;

 private:
  using ShardPair = std::pair<int, int>;  // (query shard, key shard)
  bool add(ShardPair shards, const Rectangle& tile);
  Index pairs(ShardPair shards, const Rectangle& tile) const;
  Index overlap(ShardPair shards, const Rectangle& a, const Rectangle& b) const;

  const Schedule* schedule_;
  const Mask* mask_;
  std::map<ShardPair, std::vector<Rectangle>> tiles_;
};

}  // namespace ringlab

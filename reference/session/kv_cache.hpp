// A key/value cache sharded over ranks: filled by a prefill, grown token by token by decoding, read
// by both. Prefill and decode share this one object, so decoding goes on where the prefill ended.
#pragma once

#include "ringlab/reference/execute/attention.hpp"

namespace ringlab {

/// Who takes the next new token. round_robin: rank = position mod ranks. block: `block_tokens`
/// tokens to one rank, then as many to the next.
enum class CacheGrowth { round_robin, block };

template <class T>
class KvCache {
 public:
  /// Throws InputError for ranks < 1 or block_tokens < 1.
  KvCache(const AttentionRule& rule, int ranks, CacheGrowth growth, Index block_tokens = 1);

  int ranks() const { return static_cast<int>(shards_.size()); }
  Index size() const { return size_; }
  /// The rank that holds, or will hold, the token at a position.
  int owner(Index position) const;
  /// Positions of each rank's keys, ascending.
  const Layout& layout() const { return layout_; }
  const KeyValue<T>& shard(int rank) const { return shards_[static_cast<std::size_t>(rank)]; }

  /// Adds tokens at positions size(), size() + 1, ... : keys and values [tokens, kv_heads,
  /// head_dim], in order, each to its owner.
  void append(const KeyValue<T>& tokens);

  /// Attention of the last query.tokens() cached positions over everything cached, by a schedule of
  /// the catalog: a prefill (all tokens appended, all of them queries) or a decode step (the new
  /// ones). Rows of the result are in the order of `query`, [tokens, query_heads, head_dim]. Ranks
  /// are threads.
  Partial<T> attend(const std::string& schedule, const Tensor<T>& query) const;

 private:
  AttentionRule rule_;
  CacheGrowth growth_;
  Index block_tokens_;
  Index size_ = 0;
  Layout layout_;
  std::vector<KeyValue<T>> shards_;
};

}  // namespace ringlab

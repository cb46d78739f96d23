#include "ringlab/reference/session/kv_cache.hpp"

#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/sequence/shard.hpp"

namespace ringlab {

template <class T>
KvCache<T>::KvCache(const AttentionRule& rule, int ranks, CacheGrowth growth, Index block_tokens)
    : rule_(rule), growth_(growth), block_tokens_(block_tokens) {
  rule.check();
  if (ranks < 1) throw InputError("ranks", std::to_string(ranks), "give 1 or more");
  if (block_tokens < 1) {
    throw InputError("block_tokens", std::to_string(block_tokens), "give 1 or more");
  }
  const Tensor<T> none(0, rule.kv_heads, rule.head_dim);
  layout_.resize(static_cast<std::size_t>(ranks));
  shards_.assign(static_cast<std::size_t>(ranks), KeyValue<T>{none, none});
}

template <class T>
int KvCache<T>::owner(Index position) const {
  const Index unit = growth_ == CacheGrowth::round_robin ? position : position / block_tokens_;
  return static_cast<int>(unit % ranks());
}

template <class T>
void KvCache<T>::append(const KeyValue<T>& tokens) {
  RINGLAB_ENSURE(tokens.keys.same_shape(tokens.values) && tokens.keys.heads() == rule_.kv_heads &&
                     tokens.keys.head_dim() == rule_.head_dim,
                 "cached keys and values have the rule's heads and head_dim");
  for (Index i = 0; i < tokens.keys.tokens(); ++i, ++size_) {
    const auto rank = static_cast<std::size_t>(owner(size_));
    layout_[rank] = layout_[rank].joined(Positions::contiguous(size_, 1));
    KeyValue<T>& shard = shards_[rank];
    const auto add_row = [&](const Tensor<T>& from, Tensor<T>& into) {
      into.reshape(into.tokens() + 1, rule_.kv_heads, rule_.head_dim);
      std::copy(from.row(i, 0), from.row(i, 0) + from.token_stride(),
                into.row(into.tokens() - 1, 0));
    };
    add_row(tokens.keys, shard.keys);
    add_row(tokens.values, shard.values);
  }
}

template <class T>
Partial<T> KvCache<T>::attend(const std::string& schedule, const Tensor<T>& query) const {
  const Index first = size_ - query.tokens();
  RINGLAB_ENSURE(first >= 0, "queries are cached tokens");
  const Positions queries = Positions::contiguous(first, query.tokens());
  Layout query_layout;
  for (const Positions& shard : layout_) {
    std::vector<Place> places;
    for (const Place& place : shard.expand()) {
      if (place.position >= first) places.push_back(place);
    }
    query_layout.push_back(Positions::from_places(places));
  }
  const ScheduleProblem problem{
      query_layout, layout_, rule_.query_heads, rule_.kv_heads, rule_.head_dim, Rotation::next, {}};
  const AttentionPlan plan{rule_, 0, forward_of(catalog_entry(schedule), problem), {}};
  const auto outputs = run_attention_threads<T>(plan, [&](int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return AttentionInput<T>{gather_rows(query, rows_of(queries, query_layout[r])), shards_[r], {}};
  });
  Partial<T> result = identity_partial<T>(query.tokens(), query.heads(), query.head_dim());
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    const std::vector<Index> rows = rows_of(queries, query_layout[r]);
    scatter_rows(outputs[r].result.out, rows, result.out);
    scatter_rows(outputs[r].result.lse, rows, result.lse);
  }
  return result;
}

template class KvCache<float>;
template class KvCache<double>;

}  // namespace ringlab

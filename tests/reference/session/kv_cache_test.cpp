#include "ringlab/reference/session/kv_cache.hpp"

#include "ringlab/reference/attention/full.hpp"
#include "ringlab/reference/sequence/shard.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"

using namespace ringlab;

namespace {

AttentionRule causal_rule() {
  AttentionRule rule{.query_heads = 4, .kv_heads = 2, .head_dim = 16, .scale = default_scale(16)};
  rule.mask.causal = true;
  return rule;
}

std::vector<Index> rows(Index first, Index count) {
  std::vector<Index> list;
  for (Index i = 0; i < count; ++i) list.push_back(first + i);
  return list;
}

struct Sequence {
  Tensor<double> query, keys, values;
  explicit Sequence(Index tokens)
      : query(test::gaussian(1, tokens, 4, 16)),
        keys(test::gaussian(2, tokens, 2, 16)),
        values(test::gaussian(3, tokens, 2, 16)) {}
  template <class T>
  KeyValue<T> part(Index first, Index count) const {
    return {gather_rows(keys, rows(first, count)).template cast<T>(),
            gather_rows(values, rows(first, count)).template cast<T>()};
  }
  template <class T>
  Tensor<T> queries(Index first, Index count) const {
    return gather_rows(query, rows(first, count)).template cast<T>();
  }
};

}  // namespace

TEST_CASE("257 tokens decoded one at a time equal the full causal pass") {
  const Index tokens = 257;
  const Sequence s(tokens);
  const AttentionRule rule = causal_rule();
  const Positions all = Positions::contiguous(0, tokens);
  const Partial<double> right = full_attention(rule, s.query, all, {s.keys, s.values}, all);
  for (const char* schedule : {"decode_tree", "decode_ring"}) {
    for (const int ranks : {1, 2, 3, 8}) {
      const CacheGrowth growth = ranks == 3 ? CacheGrowth::block : CacheGrowth::round_robin;
      INFO(schedule << " over " << ranks);
      KvCache<float> cache(rule, ranks, growth, 16);
      Partial<float> found = identity_partial<float>(tokens, 4, 16);
      for (Index i = 0; i < tokens; ++i) {
        cache.append(s.part<float>(i, 1));
        const Partial<float> step = cache.attend(schedule, s.queries<float>(i, 1));
        scatter_rows(step.out, {i}, found.out);
        scatter_rows(step.lse, {i}, found.lse);
      }
      REQUIRE(test::relative_error(found.out, right.out) <= 1e-6);
      REQUIRE(test::relative_error(found.lse, right.lse) <= 1e-6);
    }
  }
}

TEST_CASE("prefill, then decode by several queries at a time, equals one full pass") {
  const Index prefix = 90, tokens = 120;
  const Sequence s(tokens);
  const AttentionRule rule = causal_rule();
  const Positions all = Positions::contiguous(0, tokens);
  const Partial<double> right = full_attention(rule, s.query, all, {s.keys, s.values}, all);
  for (const CacheGrowth growth : {CacheGrowth::round_robin, CacheGrowth::block}) {
    for (const int ranks : {1, 2, 3, 8}) {
      for (const char* schedule : {"decode_tree", "decode_ring", "query_ring", "ring", "auto"}) {
        INFO(schedule << " over " << ranks);
        KvCache<double> cache(rule, ranks, growth, 7);
        Partial<double> found = identity_partial<double>(tokens, 4, 16);
        cache.append(s.part<double>(0, prefix));
        const auto take = [&](const Partial<double>& part, Index first) {
          scatter_rows(part.out, rows(first, part.out.tokens()), found.out);
          scatter_rows(part.lse, rows(first, part.lse.tokens()), found.lse);
        };
        take(cache.attend("ring", s.queries<double>(0, prefix)), 0);
        for (Index first = prefix; first < tokens; first += 6) {
          cache.append(s.part<double>(first, 6));
          take(cache.attend(schedule, s.queries<double>(first, 6)), first);
        }
        REQUIRE(test::relative_error(found.out, right.out) <= 1e-13);
        REQUIRE(test::relative_error(found.lse, right.lse) <= 1e-13);
      }
    }
  }
}

TEST_CASE("a cache with fewer tokens than ranks") {
  const Sequence s(2);
  KvCache<double> cache(causal_rule(), 8, CacheGrowth::round_robin);
  cache.append(s.part<double>(0, 1));
  CHECK(cache.owner(0) == 0);
  CHECK(cache.owner(9) == 1);
  // One key: its value is the answer, whatever the score.
  for (const char* schedule : {"decode_tree", "decode_ring"}) {
    const Partial<double> result = cache.attend(schedule, s.queries<double>(0, 1));
    for (Index h = 0; h < 4; ++h) {
      for (Index d = 0; d < 16; ++d) CHECK(result.out(0, h, d) == s.values(0, h / 2, d));
    }
  }
}

TEST_CASE("a block cache gives whole blocks to ranks in turn") {
  KvCache<float> cache(causal_rule(), 3, CacheGrowth::block, 4);
  CHECK(cache.owner(3) == 0);
  CHECK(cache.owner(4) == 1);
  CHECK(cache.owner(12) == 0);
  CHECK_THROWS_AS(KvCache<float>(causal_rule(), 0, CacheGrowth::block, 4), InputError);
  CHECK_THROWS_AS(KvCache<float>(causal_rule(), 3, CacheGrowth::block, 0), InputError);
}

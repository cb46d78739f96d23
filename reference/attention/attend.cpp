#include "ringlab/reference/attention/attend.hpp"

#include "ringlab/reference/attention/rungs.hpp"

namespace ringlab {
namespace {

template <class T>
void check_tile(const AttentionRule& rule, const QueryTile<T>& query, const KeyValueTile<T>& tile) {
  const Tensor<T>&q = query.values, &k = tile.block.keys, &v = tile.block.values;
  RINGLAB_ENSURE(q.tokens() == query.positions.size(), "one position for each query");
  RINGLAB_ENSURE(k.tokens() == tile.positions.size(), "one position for each key");
  RINGLAB_ENSURE(k.same_shape(v), "keys and values have one shape");
  RINGLAB_ENSURE(q.head_dim() == rule.head_dim && k.head_dim() == rule.head_dim,
                 "head_dim is the rule's");
  RINGLAB_ENSURE(query.first_head >= 0 && query.first_head + q.heads() <= rule.query_heads,
                 "query heads are heads of the rule");
  if (q.heads() == 0) return;
  const int last = query.first_head + static_cast<int>(q.heads()) - 1;
  RINGLAB_ENSURE(rule.kv_head_of(query.first_head) >= tile.first_head &&
                     rule.kv_head_of(last) < tile.first_head + k.heads(),
                 "the block holds the key/value head of every query head");
}

}  // namespace

const char* name(AttendKernel kernel) {
  switch (kernel) {
    case AttendKernel::v1_full:
      return "v1_full";
    case AttendKernel::v2_blockwise:
      return "v2_blockwise";
    case AttendKernel::v3_fast:
      return "v3_fast";
  }
  return "?";
}

template <class T>
void attend(const AttentionRule& rule, const QueryTile<T>& query, const KeyValueTile<T>& block,
            Partial<T>& into, AttendKernel kernel) {
  check_tile(rule, query, block);
  RINGLAB_ENSURE(into.out.same_shape(query.values), "a partial result has the shape of its query");
  switch (kernel) {
    case AttendKernel::v1_full:
      return rung::v1_full::attend(rule, query, block, into);
    case AttendKernel::v2_blockwise:
      return rung::v2_blockwise::attend(rule, query, block, into);
    case AttendKernel::v3_fast:
      return rung::v3_fast::attend(rule, query, block, into);
  }
}

template <class T>
void attend_backward(const AttentionRule& rule, const QueryTile<T>& query,
                     const Tensor<T>& output_gradient, const RowStatistics<T>& statistics,
                     const KeyValueTile<T>& block, Tensor<T>& query_gradient,
                     KeyValue<T>& block_gradient, AttendKernel kernel) {
  check_tile(rule, query, block);
  RINGLAB_ENSURE(query_gradient.same_shape(query.values), "dQ has the shape of Q");
  RINGLAB_ENSURE(output_gradient.same_shape(query.values), "dO has the shape of Q");
  RINGLAB_ENSURE(block_gradient.keys.same_shape(block.block.keys) &&
                     block_gradient.values.same_shape(block.block.values),
                 "dK and dV have the shapes of K and V");
  const auto run = [&](auto backward) {
    backward(rule, query, output_gradient, statistics, block, query_gradient, block_gradient);
  };
  switch (kernel) {
    case AttendKernel::v1_full:
      return run(rung::v1_full::attend_backward<T>);
    case AttendKernel::v2_blockwise:
      return run(rung::v2_blockwise::attend_backward<T>);
    case AttendKernel::v3_fast:
      return run(rung::v3_fast::attend_backward<T>);
  }
}

#define RINGLAB_INSTANTIATE(T)                                                                  \
  template void attend<T>(const AttentionRule&, const QueryTile<T>&, const KeyValueTile<T>&,    \
                          Partial<T>&, AttendKernel);                                           \
  template void attend_backward<T>(const AttentionRule&, const QueryTile<T>&, const Tensor<T>&, \
                                   const RowStatistics<T>&, const KeyValueTile<T>&, Tensor<T>&, \
                                   KeyValue<T>&, AttendKernel);
RINGLAB_INSTANTIATE(float)
RINGLAB_INSTANTIATE(double)
#undef RINGLAB_INSTANTIATE

}  // namespace ringlab

// The ladder of tile attention. Every rung computes the same thing: the visible pairs of a query
// tile and a key/value block, folded into a running partial result; and the gradient of that.
//
//   v1_full        whole rows at once, scores kept: the judge (float64), O(queries * keys) memory
//   v2_blockwise   online softmax over blocks of keys, one pair at a time: the algorithm, readable
//   v3_fast        the same in SIMD (Highway), tiles classified first: what the executors run
//
// `ringlab bench cpu` measures the rungs. All of them accept any rule, any positions, tiles of no
// tokens, and heads given as a slice of the rule's heads.
#pragma once

#include "ringlab/reference/attention/partial.hpp"

namespace ringlab {

enum class AttendKernel { v1_full, v2_blockwise, v3_fast };

const char* name(AttendKernel kernel);

/// Folds the visible pairs of `query` x `block` into `into` ([tokens, heads, head_dim] of the
/// query). Rows of `query` that see no key of the block keep their bits.
template <class T>
void attend(const AttentionRule& rule, const QueryTile<T>& query, const KeyValueTile<T>& block,
            Partial<T>& into, AttendKernel kernel = AttendKernel::v3_fast);

/// Adds the gradients of the visible pairs to `query_gradient` (shape of the query) and
/// `block_gradient` (shapes of keys and values); `statistics` is of the finished rows, all keys
/// merged: P = exp(s - lse), dS = P * (drop * dO.v - delta).
template <class T>
void attend_backward(const AttentionRule& rule, const QueryTile<T>& query,
                     const Tensor<T>& output_gradient, const RowStatistics<T>& statistics,
                     const KeyValueTile<T>& block, Tensor<T>& query_gradient,
                     KeyValue<T>& block_gradient, AttendKernel kernel = AttendKernel::v3_fast);

}  // namespace ringlab

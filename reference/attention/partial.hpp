// The state of an attention that has seen only some of its keys, and how two of them become one.
//
// (O, lse) over a set of keys is all that is needed to continue: merging is associative and
// commutative up to rounding and has the identity (0, -inf). The same pair is a running state of
// the online softmax with maximum m = lse and sum l = 1, so `attend` starts from what it is given.
// Source: Milakov & Gimelshein, arXiv 1805.02867; Rabe & Staats, arXiv 2112.05682.
#pragma once

#include "ringlab/reference/attention/rule.hpp"

namespace ringlab {

/// Queries of one shard: values [tokens, heads, head_dim], of query heads first_head, first_head +
/// 1, ...
template <class T>
struct QueryTile {
  const Tensor<T>& values;
  const Positions& positions;
  int first_head = 0;
};

/// Keys and values of one block: each [tokens, heads, head_dim], of kv heads first_head, ...
template <class T>
struct KeyValue {
  Tensor<T> keys, values;
  bool operator==(const KeyValue&) const = default;
};

template <class T>
struct KeyValueTile {
  const KeyValue<T>& block;
  const Positions& positions;
  int first_head = 0;
};

template <class T>
struct Partial {
  Tensor<T> out;  // [tokens, heads, head_dim], normalised
  Tensor<T> lse;  // [tokens, heads, 1], natural logarithm
  bool operator==(const Partial&) const = default;
};

/// What the backward needs of a finished row beside its inputs.
template <class T>
struct RowStatistics {
  Tensor<T> lse;    // [tokens, heads, 1], of the whole row
  Tensor<T> delta;  // [tokens, heads, 1], rowsum(dO * O) - dLSE
  bool operator==(const RowStatistics&) const = default;
};

/// The partial over no keys: O = 0, lse = -inf.
template <class T>
Partial<T> identity_partial(Index tokens, Index heads, Index head_dim);

/// Folds `from` into `into`, row by row; shapes are equal. A NaN in either stays a NaN.
template <class T>
void merge(const Partial<T>& from, Partial<T>& into);

/// Adds each head's sink logit to the finished rows, once: O scales by exp(lse - total).
/// Does nothing without sinks.
template <class T>
void apply_sinks(const AttentionRule& rule, int first_head, Partial<T>& finished);

/// delta = rowsum(dO * O) - dLSE (FlashAttention-2, arXiv 2307.08691, algorithm 2).
/// `lse_gradient` is [tokens, heads, 1] or empty for zero.
template <class T>
RowStatistics<T> row_statistics(const Partial<T>& finished, const Tensor<T>& output_gradient,
                                const Tensor<T>& lse_gradient = {});

}  // namespace ringlab

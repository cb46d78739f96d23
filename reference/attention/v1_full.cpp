// v1: whole rows at once. The scores of a group of rows against all keys are one matrix product,
// then softmax, then another product. No trick of any kind: this is what the others are judged by.
#include <cmath>
#include <limits>

#include "ringlab/reference/attention/rungs.hpp"
#include "ringlab/reference/attention/score.hpp"

namespace ringlab::rung::v1_full {
namespace {

constexpr Index kRowsAtOnce = 128;  // bounds the memory to 128 rows of scores

// One group of rows against all keys: weights P, the factor of dropout, the slope of the score.
template <class T>
struct Rows {
  RowMatrix<T> weight;  // [rows, keys]; 0 where not visible
  RowMatrix<T> drop;    // [rows, keys]
  RowMatrix<T> slope;   // [rows, keys], ds / d(q . k)
  RowMatrix<bool> visible;
};

// With a NaN or Inf among the inputs a matrix product would carry 0 * NaN into rows that do not see
// it; then the products go pair by pair over visible pairs only.
template <class T>
RowMatrix<T> product(const RowMatrix<T>& weight, const RowMatrix<bool>& visible,
                     const RowMatrix<T>& right) {
  if (right.allFinite()) return weight * right;
  RowMatrix<T> out = RowMatrix<T>::Zero(weight.rows(), right.cols());
  for (Index i = 0; i < weight.rows(); ++i) {
    for (Index j = 0; j < weight.cols(); ++j) {
      if (visible(i, j)) out.row(i) += weight(i, j) * right.row(j);
    }
  }
  return out;
}

template <class T>
Rows<T> scores(const AttentionRule& rule, int head, const RowMatrix<T>& q, const Place* queries,
               const RowMatrix<T>& k, const std::vector<Place>& keys) {
  Rows<T> rows;
  rows.weight = q * k.transpose();
  rows.drop = RowMatrix<T>::Ones(q.rows(), k.rows());
  rows.slope = RowMatrix<T>::Zero(q.rows(), k.rows());
  rows.visible = RowMatrix<bool>::Constant(q.rows(), k.rows(), false);
  for (Index i = 0; i < q.rows(); ++i) {
    for (Index j = 0; j < k.rows(); ++j) {
      const Place query = queries[i], key = keys[static_cast<std::size_t>(j)];
      rows.visible(i, j) = rule.mask.visible(query, key);
      if (!rows.visible(i, j)) {
        rows.weight(i, j) = -std::numeric_limits<T>::infinity();
        continue;
      }
      const Score<T> s = score(rule, head, rows.weight(i, j), query.position, key.position);
      rows.weight(i, j) = s.value;
      rows.slope(i, j) = s.slope;
      rows.drop(i, j) =
          static_cast<T>(dropout_factor(rule.dropout, head, query.position, key.position));
    }
  }
  return rows;
}

}  // namespace

template <class T>
void attend(const AttentionRule& rule, const QueryTile<T>& query, const KeyValueTile<T>& block,
            Partial<T>& into) {
  const T nothing = -std::numeric_limits<T>::infinity();
  const std::vector<Place> queries = query.positions.expand(), keys = block.positions.expand();
  Partial<T> tile =
      identity_partial<T>(query.values.tokens(), query.values.heads(), query.values.head_dim());
  for (Index h = 0; h < query.values.heads(); ++h) {
    const int head = query.first_head + static_cast<int>(h);
    const Index kv_head = rule.kv_head_of(head) - block.first_head;
    const RowMatrix<T> k = block.block.keys.head_matrix(kv_head);
    const RowMatrix<T> v = block.block.values.head_matrix(kv_head);
    for (Index first = 0; first < query.values.tokens(); first += kRowsAtOnce) {
      const Index count = std::min(kRowsAtOnce, query.values.tokens() - first);
      const RowMatrix<T> q = query.values.head_matrix(h).middleRows(first, count);
      Rows<T> rows = scores(rule, head, q, queries.data() + first, k, keys);
      for (Index i = 0; i < count; ++i) {
        T largest = nothing;
        for (Index j = 0; j < k.rows(); ++j) {
          const T s = rows.weight(i, j);
          if (s > largest || std::isnan(s)) largest = s;
          if (std::isnan(s)) break;
        }
        if (largest == nothing) {
          rows.weight.row(i).setZero();
          continue;
        }
        T sum = 0;
        for (Index j = 0; j < k.rows(); ++j) {
          T& w = rows.weight(i, j);
          w = rows.visible(i, j) ? std::exp(w - largest) : T(0);
          sum += w;
        }
        rows.weight.row(i) /= sum;
        tile.lse(first + i, h, 0) = largest + std::log(sum);
      }
      rows.weight = rows.weight.cwiseProduct(rows.drop);
      tile.out.head_matrix(h).middleRows(first, count) = product(rows.weight, rows.visible, v);
    }
  }
  merge(tile, into);
}

template <class T>
void attend_backward(const AttentionRule& rule, const QueryTile<T>& query,
                     const Tensor<T>& output_gradient, const RowStatistics<T>& statistics,
                     const KeyValueTile<T>& block, Tensor<T>& query_gradient,
                     KeyValue<T>& block_gradient) {
  const std::vector<Place> queries = query.positions.expand(), keys = block.positions.expand();
  for (Index h = 0; h < query.values.heads(); ++h) {
    const int head = query.first_head + static_cast<int>(h);
    const Index kv_head = rule.kv_head_of(head) - block.first_head;
    const RowMatrix<T> k = block.block.keys.head_matrix(kv_head);
    const RowMatrix<T> v = block.block.values.head_matrix(kv_head);
    for (Index first = 0; first < query.values.tokens(); first += kRowsAtOnce) {
      const Index count = std::min(kRowsAtOnce, query.values.tokens() - first);
      const RowMatrix<T> q = query.values.head_matrix(h).middleRows(first, count);
      const RowMatrix<T> gradient = output_gradient.head_matrix(h).middleRows(first, count);
      const Rows<T> rows = scores(rule, head, q, queries.data() + first, k, keys);
      const RowMatrix<T> weight_gradient = gradient * v.transpose();  // dP
      RowMatrix<T> weight = RowMatrix<T>::Zero(count, k.rows());      // P
      RowMatrix<T> dot_gradient = weight;                             // dS * slope
      for (Index i = 0; i < count; ++i) {
        const T lse = statistics.lse(first + i, h, 0), delta = statistics.delta(first + i, h, 0);
        for (Index j = 0; j < k.rows(); ++j) {
          if (!rows.visible(i, j)) continue;
          const T p = std::exp(rows.weight(i, j) - lse);
          weight(i, j) = p * rows.drop(i, j);
          dot_gradient(i, j) =
              p * (rows.drop(i, j) * weight_gradient(i, j) - delta) * rows.slope(i, j);
        }
      }
      const RowMatrix<bool> seen_by = rows.visible.transpose();
      query_gradient.head_matrix(h).middleRows(first, count) +=
          product(dot_gradient, rows.visible, k);
      block_gradient.keys.head_matrix(kv_head) +=
          product(RowMatrix<T>(dot_gradient.transpose()), seen_by, q);
      block_gradient.values.head_matrix(kv_head) +=
          product(RowMatrix<T>(weight.transpose()), seen_by, gradient);
    }
  }
}

RINGLAB_INSTANTIATE_RUNG(float)
RINGLAB_INSTANTIATE_RUNG(double)

}  // namespace ringlab::rung::v1_full

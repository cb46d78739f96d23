// v2: the online softmax, one block of keys at a time (arXiv 1805.02867, algorithm 3).
//
// A row's running state is (m, l, acc): the largest score so far, the sum of exp(s - m), and the
// sum of exp(s - m) v. A block with a larger score shrinks what is there by exp(m_old - m_new). The
// state is resumed from a partial (O, lse) as m = lse, l = 1, acc = O, and left behind as O = acc /
// l, lse = m + log l. Tiles that no pair of is visible cost one count in closed form.
#include <cmath>
#include <limits>

#include "ringlab/reference/attention/rungs.hpp"
#include "ringlab/reference/attention/score.hpp"
#include "ringlab/reference/sequence/visible.hpp"

namespace ringlab::rung::v2_blockwise {
namespace {

constexpr Index kBlock = 64;

// Eight partial sums: a single one would let float32 rounding grow with head_dim, and the backward
// subtracts two such sums from each other.
template <class T>
T dot(const T* a, const T* b, Index n) {
  T lane[8] = {};
  for (Index d = 0; d < n; ++d) lane[d % 8] += a[d] * b[d];
  return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

template <class T>
void add_scaled(T factor, const T* from, T* into, Index n) {
  for (Index d = 0; d < n; ++d) into[d] += factor * from[d];
}

// A sub-tile of at most kBlock queries by kBlock keys in which something is visible.
struct SubTile {
  Index first_query, last_query, first_key, last_key;
};

// Calls `visit` for every sub-tile that is not empty.
template <class Visit>
void for_each_tile(const Mask& mask, const Positions& queries, const Positions& keys, Visit visit) {
  for (Index q = 0; q < queries.size(); q += kBlock) {
    const Index rows = std::min(kBlock, queries.size() - q);
    const Positions query_slice = queries.slice(q, rows);
    for (Index k = 0; k < keys.size(); k += kBlock) {
      const Index columns = std::min(kBlock, keys.size() - k);
      if (classify_tile(mask, query_slice, keys.slice(k, columns)) == TileClass::empty) continue;
      visit(SubTile{q, q + rows, k, k + columns});
    }
  }
}

// One row against one block of keys: the online softmax itself.
template <class T>
struct RunningRow {
  T m, l;
  T* acc;  // [head_dim], in place of O

  void resume(T lse) {
    m = lse;
    l = lse == -std::numeric_limits<T>::infinity() ? T(0) : T(1);
  }
  void rescale(T largest, Index head_dim) {
    if (!(largest > m || std::isnan(largest))) return;
    const T shrink = l == 0 ? T(0) : std::exp(m - largest);
    l *= shrink;
    for (Index d = 0; d < head_dim; ++d) acc[d] *= shrink;
    m = largest;
  }
  T finish(Index head_dim) {
    for (Index d = 0; d < head_dim; ++d) acc[d] /= l;
    return m + std::log(l);
  }
};

}  // namespace

template <class T>
void attend(const AttentionRule& rule, const QueryTile<T>& query, const KeyValueTile<T>& block,
            Partial<T>& into) {
  const T nothing = -std::numeric_limits<T>::infinity();
  const std::vector<Place> queries = query.positions.expand(), keys = block.positions.expand();
  const Index dim = rule.head_dim;
  std::vector<T> scores(kBlock), value_sum(static_cast<std::size_t>(dim));
  std::vector<char> visible(kBlock);
  for_each_tile(rule.mask, query.positions, block.positions, [&](const SubTile& tile) {
    for (Index h = 0; h < query.values.heads(); ++h) {
      const int head = query.first_head + static_cast<int>(h);
      const Index kv_head = rule.kv_head_of(head) - block.first_head;
      for (Index i = tile.first_query; i < tile.last_query; ++i) {
        const Place at = queries[static_cast<std::size_t>(i)];
        T largest = nothing;
        for (Index j = tile.first_key; j < tile.last_key; ++j) {
          const Place key = keys[static_cast<std::size_t>(j)];
          const auto slot = static_cast<std::size_t>(j - tile.first_key);
          visible[slot] = rule.mask.visible(at, key);
          if (!visible[slot]) continue;
          scores[slot] =
              score(rule, head, dot(query.values.row(i, h), block.block.keys.row(j, kv_head), dim),
                    at.position, key.position)
                  .value;
          if (scores[slot] > largest || std::isnan(scores[slot])) largest = scores[slot];
        }
        if (largest == nothing) continue;  // the row sees nothing here: its bits stay
        RunningRow<T> row{0, 0, into.out.row(i, h)};
        row.resume(into.lse(i, h, 0));
        row.rescale(largest, dim);
        T weight_sum = 0;
        std::fill(value_sum.begin(), value_sum.end(), T(0));
        for (Index j = tile.first_key; j < tile.last_key; ++j) {
          const auto slot = static_cast<std::size_t>(j - tile.first_key);
          if (!visible[slot]) continue;
          const T weight = std::exp(scores[slot] - row.m);
          const Index key_position = keys[static_cast<std::size_t>(j)].position;
          const T drop =
              static_cast<T>(dropout_factor(rule.dropout, head, at.position, key_position));
          weight_sum += weight;
          add_scaled(weight * drop, block.block.values.row(j, kv_head), value_sum.data(), dim);
        }
        row.l += weight_sum;
        add_scaled(T(1), value_sum.data(), row.acc, dim);
        into.lse(i, h, 0) = row.finish(dim);
      }
    }
  });
}

template <class T>
void attend_backward(const AttentionRule& rule, const QueryTile<T>& query,
                     const Tensor<T>& output_gradient, const RowStatistics<T>& statistics,
                     const KeyValueTile<T>& block, Tensor<T>& query_gradient,
                     KeyValue<T>& block_gradient) {
  const std::vector<Place> queries = query.positions.expand(), keys = block.positions.expand();
  const Index dim = rule.head_dim;
  for_each_tile(rule.mask, query.positions, block.positions, [&](const SubTile& tile) {
    for (Index h = 0; h < query.values.heads(); ++h) {
      const int head = query.first_head + static_cast<int>(h);
      const Index kv_head = rule.kv_head_of(head) - block.first_head;
      for (Index i = tile.first_query; i < tile.last_query; ++i) {
        const Place at = queries[static_cast<std::size_t>(i)];
        const T* q = query.values.row(i, h);
        const T* gradient = output_gradient.row(i, h);
        const T lse = statistics.lse(i, h, 0), delta = statistics.delta(i, h, 0);
        for (Index j = tile.first_key; j < tile.last_key; ++j) {
          const Place key = keys[static_cast<std::size_t>(j)];
          if (!rule.mask.visible(at, key)) continue;
          const T* k = block.block.keys.row(j, kv_head);
          const T* v = block.block.values.row(j, kv_head);
          const Score<T> s = score(rule, head, dot(q, k, dim), at.position, key.position);
          const T drop =
              static_cast<T>(dropout_factor(rule.dropout, head, at.position, key.position));
          const T weight = std::exp(s.value - lse);  // P, of the whole row
          const T weight_gradient = drop * dot(gradient, v, dim);
          const T dot_gradient = weight * (weight_gradient - delta) * s.slope;
          add_scaled(dot_gradient, k, query_gradient.row(i, h), dim);
          add_scaled(dot_gradient, q, block_gradient.keys.row(j, kv_head), dim);
          add_scaled(weight * drop, gradient, block_gradient.values.row(j, kv_head), dim);
        }
      }
    }
  });
}

RINGLAB_INSTANTIATE_RUNG(float)
RINGLAB_INSTANTIATE_RUNG(double)

}  // namespace ringlab::rung::v2_blockwise

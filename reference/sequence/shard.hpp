// Takes a whole tensor apart by a layout and puts it together again.
//
// Token i of the whole sequence is row i; a shard's rows follow its Positions. Sharding and
// unsharding are inverse to each other for every layout. Labels are shifted before they are
// sharded: the target of the last token of a shard lives on another rank (known mistake C12).
#pragma once

#include <vector>

#include "ringlab/reference/sequence/layout.hpp"

namespace ringlab {

/// Row indices, within `sequence`, of the tokens of `shard`. Throws InputError for a stranger.
std::vector<Index> rows_of(const Positions& sequence, const Positions& shard);

/// Rows of `whole` [tokens, heads, head_dim] in the order of `rows`.
template <class T>
Tensor<T> gather_rows(const Tensor<T>& whole, const std::vector<Index>& rows) {
  Tensor<T> out(static_cast<Index>(rows.size()), whole.heads(), whole.head_dim());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const T* from = whole.data() + rows[i] * whole.token_stride();
    std::copy(from, from + whole.token_stride(),
              out.data() + static_cast<Index>(i) * out.token_stride());
  }
  return out;
}

/// The inverse of gather_rows: writes `part` into the rows of `whole`.
template <class T>
void scatter_rows(const Tensor<T>& part, const std::vector<Index>& rows, Tensor<T>& whole) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const T* from = part.data() + static_cast<Index>(i) * part.token_stride();
    std::copy(from, from + part.token_stride(), whole.data() + rows[i] * whole.token_stride());
  }
}

template <class T>
std::vector<Tensor<T>> shard(const Tensor<T>& whole, const Positions& sequence,
                             const Layout& layout) {
  std::vector<Tensor<T>> out;
  for (const Positions& part : layout) out.push_back(gather_rows(whole, rows_of(sequence, part)));
  return out;
}

template <class T>
Tensor<T> unshard(const std::vector<Tensor<T>>& parts, const Positions& sequence,
                  const Layout& layout) {
  RINGLAB_ENSURE(!parts.empty() && parts.size() == layout.size(), "one part for each rank");
  Tensor<T> whole(sequence.size(), parts[0].heads(), parts[0].head_dim());
  for (std::size_t r = 0; r < parts.size(); ++r) {
    scatter_rows(parts[r], rows_of(sequence, layout[r]), whole);
  }
  return whole;
}

/// The position whose token is the target of each token of `sequence`: the next one of the same
/// document, or -1 for a document's last token.
std::vector<Index> next_positions(const Positions& sequence);

}  // namespace ringlab

// The one tensor of the house: row-major [tokens, heads, head_dim], owning, value semantics.
//
// A head's rows lie `heads * head_dim` apart, so Eigen sees one head of all tokens as a strided
// matrix (`head_matrix`) without a copy.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {

using Index = std::int64_t;

template <class T>
using RowMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using HeadMatrix = Eigen::Map<RowMatrix<T>, 0, Eigen::OuterStride<>>;
template <class T>
using ConstHeadMatrix = Eigen::Map<const RowMatrix<T>, 0, Eigen::OuterStride<>>;

template <class T>
class Tensor {
 public:
  Tensor() = default;
  Tensor(Index tokens, Index heads, Index head_dim, T fill = T(0))
      : tokens_(tokens), heads_(heads), head_dim_(head_dim) {
    RINGLAB_ENSURE(tokens >= 0 && heads >= 0 && head_dim >= 0, "a tensor has no negative extent");
    values_.assign(static_cast<std::size_t>(tokens * heads * head_dim), fill);
  }

  /// Another shape; the values are what they happen to be. Memory is kept where it suffices.
  void reshape(Index tokens, Index heads, Index head_dim) {
    tokens_ = tokens;
    heads_ = heads;
    head_dim_ = head_dim;
    values_.resize(static_cast<std::size_t>(tokens * heads * head_dim));
  }

  Index tokens() const { return tokens_; }
  Index heads() const { return heads_; }
  Index head_dim() const { return head_dim_; }
  Index size() const { return static_cast<Index>(values_.size()); }
  /// Number of values in one token: the distance between a head's neighbouring rows.
  Index token_stride() const { return heads_ * head_dim_; }

  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  /// One head of one token: `head_dim` values.
  T* row(Index token, Index head) { return data() + token * token_stride() + head * head_dim_; }
  const T* row(Index token, Index head) const {
    return data() + token * token_stride() + head * head_dim_;
  }
  T& operator()(Index token, Index head, Index d) { return row(token, head)[d]; }
  T operator()(Index token, Index head, Index d) const { return row(token, head)[d]; }

  /// One head of all tokens, [tokens, head_dim], without a copy.
  HeadMatrix<T> head_matrix(Index head) {
    return {data() + head * head_dim_, tokens_, head_dim_, Eigen::OuterStride<>(token_stride())};
  }
  ConstHeadMatrix<T> head_matrix(Index head) const {
    return {data() + head * head_dim_, tokens_, head_dim_, Eigen::OuterStride<>(token_stride())};
  }

  bool same_shape(const Tensor& other) const {
    return tokens_ == other.tokens_ && heads_ == other.heads_ && head_dim_ == other.head_dim_;
  }
  bool operator==(const Tensor&) const = default;

  /// The same values in another precision.
  template <class U>
  Tensor<U> cast() const {
    Tensor<U> out(tokens_, heads_, head_dim_);
    for (Index i = 0; i < size(); ++i) out.data()[i] = static_cast<U>(data()[i]);
    return out;
  }

 private:
  Index tokens_ = 0, heads_ = 0, head_dim_ = 0;
  std::vector<T> values_;
};

}  // namespace ringlab

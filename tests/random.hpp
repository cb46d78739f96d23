// Gaussian tensors for tests, and the errors they are judged by.
#pragma once

#include <cmath>
#include <random>

#include "ringlab/reference/core/tensor.hpp"

namespace ringlab::test {

inline Tensor<double> gaussian(std::uint64_t seed, Index tokens, Index heads, Index head_dim,
                               double deviation = 1) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal(0, deviation);
  Tensor<double> out(tokens, heads, head_dim);
  // Rounded to float32, so that a float32 run starts from the very same numbers as its judge.
  for (Index i = 0; i < out.size(); ++i) out.data()[i] = static_cast<float>(normal(engine));
  return out;
}

inline double norm(const Tensor<double>& x) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += x.data()[i] * x.data()[i];
  return std::sqrt(sum);
}

/// Frobenius norm of the difference over that of `right`; positions of NaN and of infinities must
/// agree, else the answer is infinity. Two empty or zero tensors differ by 0.
/// `terms` is the size of the terms that `right` is a difference of: where they cancel to nothing
/// (a row that sees one key has no gradient of its score), the difference is measured against them.
template <class A>
double relative_error(const Tensor<A>& found, const Tensor<double>& right, double terms = 0) {
  if (found.size() != right.size()) return INFINITY;
  double difference = 0, size = 0;
  for (Index i = 0; i < right.size(); ++i) {
    const double a = static_cast<double>(found.data()[i]), b = right.data()[i];
    if (!std::isfinite(a) || !std::isfinite(b)) {
      if ((std::isnan(a) && std::isnan(b)) || a == b) continue;
      return INFINITY;
    }
    difference += (a - b) * (a - b);
    size += b * b;
  }
  if (difference == 0) return 0;
  size = std::sqrt(size);
  size = std::max(size, 0.1 * terms);
  return size > 0 ? std::sqrt(difference) / size : INFINITY;
}

template <class A>
double largest_difference(const Tensor<A>& found, const Tensor<double>& right) {
  if (found.size() != right.size()) return INFINITY;
  double largest = 0;
  for (Index i = 0; i < right.size(); ++i) {
    const double a = static_cast<double>(found.data()[i]), b = right.data()[i];
    if (!std::isfinite(a) || !std::isfinite(b)) {
      if ((std::isnan(a) && std::isnan(b)) || a == b) continue;
      return INFINITY;
    }
    largest = std::max(largest, std::abs(a - b));
  }
  return largest;
}

}  // namespace ringlab::test

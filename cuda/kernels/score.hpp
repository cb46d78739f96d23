// One score, one weight, one running row: the scalar mathematics that every rung shares.
//
//   s = cap(scale q.k) - slope |i - j|,   P = exp(s - lse),   dS = P (dP - delta) cap'(.) scale
//
// A row's running state is (m, l): the largest score so far and the sum of exp(s - m). It resumes
// from a partial result as m = lse, l = 1, and leaves behind O / l and lse = m + log l (natural).
#pragma once

#include <cmath>

#include "ringlab/cuda/kernels/places.hpp"
#include "ringlab/cuda/ptx/half.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

constexpr float kInfinity = INFINITY;

/// The rule of one head, in registers.
struct HeadRule {
  float scale, cap, alibi_slope;

  __device__ HeadRule(const AttendArguments& a, int head)
      : scale(a.scale),
        cap(a.soft_cap),
        alibi_slope(a.alibi_slopes != nullptr ? a.alibi_slopes[a.first_head + head] : 0.0F) {}

  /// True if a score is more than scale * dot, so that positions matter in full tiles too.
  __device__ bool bent() const { return cap > 0 || alibi_slope != 0; }

  __device__ float score(float dot, std::int64_t query, std::int64_t key) const {
    float s = scale * dot;
    if (cap > 0) s = cap * tanhf(s / cap);
    if (alibi_slope != 0)
      s -= alibi_slope * static_cast<float>(query > key ? query - key : key - query);
    return s;
  }

  /// Derivative of the score with respect to the dot product.
  __device__ float slope(float dot) const {
    if (cap <= 0) return scale;
    const float t = tanhf(scale * dot / cap);
    return scale * (1 - t * t);
  }
};

struct RunningRow {
  float m, l;

  /// Resumes from a row's lse. `counts` is false for all but one of the threads that share a row
  /// and add up their `l` in the end.
  __device__ explicit RunningRow(float lse, bool counts = true)
      : m(lse), l(lse == -kInfinity || !counts ? 0.0F : 1.0F) {}

  /// What exponents are taken relative to: while nothing is visible m is -inf, and -inf - -inf is
  /// no number.
  __device__ float shift() const { return m == -kInfinity ? 0.0F : m; }

  /// Moves to a new maximum; what has been summed so far is to be multiplied by the result.
  __device__ float meet(float largest) {
    if (!(largest > m)) return 1;
    const float carry = expf(m - largest);  // 0 if there was nothing
    m = largest;
    l *= carry;
    return carry;
  }

  __device__ float log_sum_exp() const { return shift() + logf(l); }
};

/// P of a pair in the backward; a row that saw nothing (lse = -inf) gives nothing.
__device__ inline float final_weight(float score, float lse) {
  return lse == -kInfinity ? 0.0F : expf(score - lse);
}

/// Four partial sums: one alone would let rounding grow with head_dim, and the backward subtracts
/// two such sums from each other.
template <class A, class B>
__device__ float dot(const A* a, const B* b, int n) {
  float sum[4] = {};
  for (int d = 0; d < n; d += 4) {
    RINGLAB_UNROLL
    for (int i = 0; i < 4; ++i) sum[i] += ptx::to_float(a[d + i]) * ptx::to_float(b[d + i]);
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

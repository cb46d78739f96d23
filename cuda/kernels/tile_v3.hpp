// What the tensor core rungs (v3) share: four warps, each with 16 rows of a tile of 64, against a
// tile of columns that is copied while the one before it is multiplied.
//
// "Rows" are what a block owns (queries, or keys in the backward of keys), "columns" what it walks
// over. A lane holds rows g and g + 8 of its warp and columns 2t, 2t + 1 of every eight (fragment C
// of ptx/matrix.hpp), with g = lane / 4 and t = lane % 4.
#pragma once

#include "ringlab/cuda/kernels/elements.hpp"
#include "ringlab/cuda/kernels/score.hpp"
#include "ringlab/cuda/ptx/copy_async.hpp"
#include "ringlab/cuda/ptx/exponential.hpp"
#include "ringlab/cuda/ptx/matrix.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

constexpr int kWarps = 4, kWarpRows = 16;
constexpr int kMatrixThreads = 32 * kWarps, kMatrixRows = kWarps * kWarpRows;
constexpr float kLog2E = 1.4426950408889634F;

/// One head of some tokens, in 16 bits. Eight values of padding a row put the eight rows that
/// ldmatrix reads at once into different banks.
template <class T, int kRows, int kHeadDim>
struct alignas(16) HalfTile {
  static constexpr int kStride = kHeadDim + 8;
  T values[kRows][kStride];

  /// Begins to copy tokens [first, first + kRows), by all threads; zeros beyond the last token.
  __device__ void copy_async(const void* tensor, std::int64_t first, std::int64_t tokens, int heads,
                             int head) {
    constexpr int kPieces = kHeadDim / 8;  // of 16 bytes
    for (int i = static_cast<int>(threadIdx.x); i < kRows * kPieces; i += kMatrixThreads) {
      const int row = i / kPieces, d = i % kPieces * 8;
      const bool real = first + row < tokens;
      const std::int64_t token = real ? first + row : 0;
      ptx::copy_async<16>(&values[row][d],
                          static_cast<const T*>(tensor) + (token * heads + head) * kHeadDim + d,
                          real);
    }
  }

  /// True if a value is NaN or infinite; by all lanes of a warp.
  __device__ bool holds_special() const {
    bool special = false;
    for (int i = static_cast<int>(threadIdx.x % 32); i < kRows * kHeadDim; i += 32) {
      special |= (values[i / kHeadDim][i % kHeadDim].bits & T::kExponent) == T::kExponent;
    }
    return __ballot_sync(0xffffffffU, special) != 0;
  }
};

/// Places of the columns of a tile, in shared memory.
template <int kColumns>
struct ColumnPlaces {
  TokenPlace at[kColumns];

  __device__ void load(const TokenPlaces& places, std::int64_t first) {
    const std::int64_t token = first + threadIdx.x;
    if (threadIdx.x < kColumns && token < places.tokens) at[threadIdx.x] = place_of(places, token);
  }
};

/// Which rows and columns of a fragment are this lane's.
struct LaneOfTile {
  int warp = static_cast<int>(threadIdx.x) / 32;
  int lane = static_cast<int>(threadIdx.x) % 32;
  int g = lane / 4, t = lane % 4;

  __device__ int row(int half) const { return warp * kWarpRows + g + 8 * half; }
  /// Of element i of fragment n.
  __device__ int column(int n, int i) const { return 8 * n + 2 * t + i % 2; }
};

/// products += rows of this warp * columns^T: both tiles hold head_dim along a row.
template <class T, int kColumns, int kHeadDim>
__device__ __forceinline__ void multiply_transposed(ptx::FragmentC (&products)[kColumns / 8],
                                                    const HalfTile<T, kMatrixRows, kHeadDim>& rows,
                                                    const HalfTile<T, kColumns, kHeadDim>& columns,
                                                    const LaneOfTile& me) {
  RINGLAB_UNROLL
  for (int k = 0; k < kHeadDim; k += 16) {
    ptx::FragmentA a;
    ptx::load_matrices<false>(
        &rows.values[me.warp * kWarpRows + me.lane % 16][k + me.lane / 16 * 8], a.x);
    RINGLAB_UNROLL
    for (int n = 0; n < kColumns; n += 16) {
      std::uint32_t b[4];  // two fragments B
      ptx::load_matrices<false>(
          &columns.values[n + me.lane % 8 + me.lane / 16 * 8][k + me.lane / 8 % 2 * 8], b);
      ptx::multiply_add<T>(products[n / 8], a, {{b[0], b[1]}});
      ptx::multiply_add<T>(products[n / 8 + 1], a, {{b[2], b[3]}});
    }
  }
}

/// sums += weights * columns, for dimensions [first, first + kWidth); weights are rounded to T.
template <class T, int kColumns, int kHeadDim, int kWidth>
__device__ __forceinline__ void multiply_weights(ptx::FragmentC (&sums)[kWidth / 8],
                                                 const ptx::FragmentC (&weights)[kColumns / 8],
                                                 const HalfTile<T, kColumns, kHeadDim>& columns,
                                                 int first, const LaneOfTile& me) {
  RINGLAB_UNROLL
  for (int k = 0; k < kColumns; k += 16) {
    const ptx::FragmentC &low = weights[k / 8], &high = weights[k / 8 + 1];
    const ptx::FragmentA a{{ptx::pack<T>(low.x[0], low.x[1]), ptx::pack<T>(low.x[2], low.x[3]),
                            ptx::pack<T>(high.x[0], high.x[1]),
                            ptx::pack<T>(high.x[2], high.x[3])}};
    RINGLAB_UNROLL
    for (int d = 0; d < kWidth; d += 16) {
      std::uint32_t b[4];  // two fragments B
      ptx::load_matrices<true>(&columns.values[k + me.lane % 16][first + d + me.lane / 16 * 8], b);
      ptx::multiply_add<T>(sums[d / 8], a, {{b[0], b[1]}});
      ptx::multiply_add<T>(sums[d / 8 + 1], a, {{b[2], b[3]}});
    }
  }
}

/// Weights of each warp's rows, for the way around the tensor cores.
template <int kColumns>
struct WarpWeights {
  float values[kWarps][kWarpRows][kColumns + 1];
};

/// The same product where some value of `columns` is NaN or infinite and some pair is hidden: a
/// product adds 0 * x for a hidden pair, which is no longer 0. Adds the pairs that see(half,
/// column) lets through, one by one. Rare, so it is short rather than fast.
template <class T, int kColumns, int kHeadDim, int kWidth, class See>
__device__ void add_visible(ptx::FragmentC (&sums)[kWidth / 8],
                            const ptx::FragmentC (&weights)[kColumns / 8],
                            const HalfTile<T, kColumns, kHeadDim>& columns, int first,
                            const LaneOfTile& me, WarpWeights<kColumns>& scratch, const See& see) {
  auto& mine = scratch.values[me.warp];
  RINGLAB_UNROLL
  for (int n = 0; n < kColumns / 8; ++n) {
    RINGLAB_UNROLL
    for (int i = 0; i < 4; ++i) mine[me.g + 8 * (i / 2)][me.column(n, i)] = weights[n].x[i];
  }
  warp_sync();  // the warp's weights are there
  for (int column = 0; column < kColumns; ++column) {
    RINGLAB_UNROLL
    for (int half = 0; half < 2; ++half) {
      if (!see(half, column)) continue;
      const float weight = mine[me.g + 8 * half][column];
      RINGLAB_UNROLL
      for (int n = 0; n < kWidth / 8; ++n) {
        RINGLAB_UNROLL
        for (int e = 0; e < 2; ++e) {
          sums[n].x[2 * half + e] +=
              weight * ptx::to_float(columns.values[column][first + me.column(n, e)]);
        }
      }
    }
  }
  warp_sync();  // everyone has read them: the scratch is free
}

/// Over the four lanes that share a row.
__device__ __forceinline__ float quad_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffU, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffU, x, 2));
}
__device__ __forceinline__ float quad_sum(float x) {
  x += __shfl_xor_sync(0xffffffffU, x, 1);
  return x + __shfl_xor_sync(0xffffffffU, x, 2);
}

/// First tile from `tile` on, of `tiles` tiles of kColumns tokens, that is not empty; or `tiles`.
/// `empty(bounds)` says so from a tile's bounds.
template <int kColumns, class Empty>
__device__ std::int64_t next_tile(const TokenPlaces& places, std::int64_t tile, std::int64_t tiles,
                                  const Empty& empty) {
  while (tile < tiles && empty(bounds_of(places, tile * kColumns, kColumns))) ++tile;
  return tile;
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

// What the tiled rungs (v2) share: a block of 128 threads over a tile of 32 rows by 32 columns.
//
// Four neighbouring lanes own a row: lane `part` of the four computes the scores of columns part,
// part + 4, ..., and keeps the sums of dimensions part, part + 4, ... So a row lives within one
// warp, and what its four threads tell each other needs no barrier of the block. Tiles are held as
// float32 with one float of padding a row, which spreads a column over the banks.
#pragma once

#include "ringlab/cuda/kernels/elements.hpp"
#include "ringlab/cuda/kernels/score.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

constexpr int kTile = 32;     // rows, and columns
constexpr int kRowLanes = 4;  // threads that share a row
constexpr int kTileThreads = kTile * kRowLanes;
constexpr int kTileColumns = kTile / kRowLanes;  // columns of one thread

template <int kHeadDim>
struct FloatTile {
  static constexpr int kStride = kHeadDim + 1;
  float values[kTile][kStride];

  /// One head of tokens [first, first + kTile), by all threads; zeros beyond the last token.
  __device__ void load(DataType type, const void* tensor, std::int64_t first, std::int64_t tokens,
                       int heads, int head) {
    for (int i = static_cast<int>(threadIdx.x); i < kTile * kHeadDim; i += kTileThreads) {
      const int row = i / kHeadDim, d = i % kHeadDim;
      const std::int64_t token = first + row;
      values[row][d] =
          token < tokens ? load_element(type, tensor, (token * heads + head) * kHeadDim + d) : 0.0F;
    }
  }
};

/// Places of the columns of a tile, in shared memory.
struct TilePlaces {
  TokenPlace at[kTile];

  __device__ void load(const TokenPlaces& places, std::int64_t first) {
    const std::int64_t token = first + threadIdx.x;
    if (threadIdx.x < kTile && token < places.tokens) at[threadIdx.x] = place_of(places, token);
  }
};

/// Weights of a tile, on their way from the lanes that computed them to those that use them.
struct WeightTile {
  float values[kTile][kTile + 1];
};

/// sums += row of `weights` * `tile`, over the columns named in `bits` only: a hidden column may
/// hold anything, and 0 * NaN is not 0. A tile's products are summed apart and added once, which
/// keeps float32 rounding from growing with the number of keys.
template <int kHeadDim>
__device__ void add_weighted(float (&sums)[kHeadDim / kRowLanes], const float* weights,
                             unsigned bits, const FloatTile<kHeadDim>& tile, int part) {
  constexpr int kChunk = 4;  // so many sums in flight per weight that is read
  RINGLAB_UNROLL
  for (int first = 0; first < kHeadDim / kRowLanes; first += kChunk) {
    float sum[kChunk] = {};
    for (int column = 0; column < kTile; ++column) {
      if ((bits >> column & 1U) == 0) continue;
      const float weight = weights[column];
      RINGLAB_UNROLL
      for (int i = 0; i < kChunk; ++i) {
        sum[i] += weight * tile.values[column][part + kRowLanes * (first + i)];
      }
    }
    RINGLAB_UNROLL
    for (int i = 0; i < kChunk; ++i) sums[first + i] += sum[i];
  }
}

/// Over the four lanes of a row; all lanes of the warp take part.
__device__ inline float row_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffU, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffU, x, 2));
}
__device__ inline float row_sum(float x) {
  x += __shfl_xor_sync(0xffffffffU, x, 1);
  return x + __shfl_xor_sync(0xffffffffU, x, 2);
}
__device__ inline unsigned row_union(unsigned bits) {
  bits |= __shfl_xor_sync(0xffffffffU, bits, 1);
  return bits | __shfl_xor_sync(0xffffffffU, bits, 2);
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

// Backward, rung 3 of 3: tensor cores and double buffering (ladder: backward_v1.cu).
//
// The idea: all products run on mma.sync while cp.async fetches the next tile. The block that owns
// queries computes S = Q K^T and dP = dO V^T and adds dS K to dQ; the block that owns keys computes
// the transposes K Q^T and V dO^T, so that P^T and dS^T come out as fragments that multiply dO and
// Q without a detour through shared memory. S and dP are computed twice for it; nothing is ever
// added by two blocks.
#pragma once

#include "ringlab/cuda/kernels/tile_v3.hpp"
#include "ringlab/cuda/runtime/launch.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

constexpr int kBackwardColumns = 32;
/// Dimensions of dK and dV that one block sums: both in registers, and 256 would not fit.
template <int kHeadDim>
constexpr int kBackwardWidth = kHeadDim > 128 ? 128 : kHeadDim;

template <class T, int kHeadDim>
struct BackwardV3Memory {
  HalfTile<T, kMatrixRows, kHeadDim> rows, row_partners;                   // Q, dO or K, V
  HalfTile<T, kBackwardColumns, kHeadDim> columns[2], column_partners[2];  // K, V or Q, dO
  ColumnPlaces<kBackwardColumns> places;
  float lse[kBackwardColumns], delta[kBackwardColumns];  // of columns that are queries
  WarpWeights<kBackwardColumns> scratch;
};

/// P and dS of a visible pair from its two products.
struct PairV3 {
  float weight, dot_gradient;
  __device__ PairV3(const HeadRule& rule, float product, float weight_gradient,
                    std::int64_t query_position, std::int64_t key_position, float lse,
                    float delta) {
    const float s =
        rule.bent() ? rule.score(product, query_position, key_position) : rule.scale * product;
    const bool nothing = lse == -kInfinity;  // such a row saw nothing, and gives nothing
    weight = nothing ? 0.0F : ptx::exp2_approximate((s - lse) * kLog2E);
    const float slope = rule.bent() ? rule.slope(product) : rule.scale;
    dot_gradient = nothing ? 0.0F : weight * (weight_gradient - delta) * slope;
  }
};

/// gradient rows += sums, for dimensions [first, first + kWidth).
template <int kWidth>
__device__ void add_fragments(float* gradient, const ptx::FragmentC (&sums)[kWidth / 8], int half,
                              int first, const LaneOfTile& me) {
  RINGLAB_UNROLL
  for (int n = 0; n < kWidth / 8; ++n) {
    RINGLAB_UNROLL
    for (int e = 0; e < 2; ++e) gradient[first + me.column(n, e)] += sums[n].x[2 * half + e];
  }
}

template <class T, int kHeadDim>
__global__ void __launch_bounds__(kMatrixThreads, 1) backward_v3_queries(BackwardArguments a) {
  constexpr int kColumns = kBackwardColumns;
  auto& shared = *reinterpret_cast<BackwardV3Memory<T, kHeadDim>*>(dynamic_smem());
  const LaneOfTile me;
  const int head = static_cast<int>(blockIdx.y), kv_head = kv_head_of(a, head);
  const std::int64_t queries = a.query_places.tokens, keys = a.key_places.tokens;
  const std::int64_t first_query = std::int64_t{blockIdx.x} * kMatrixRows;
  const HeadRule rule(a, head);
  const Bounds query_bounds = bounds_of(a.query_places, first_query, kMatrixRows);
  const bool warp_is_real = first_query + me.warp * kWarpRows < queries;

  bool real[2];
  std::int64_t out_row[2];
  TokenPlace at[2];
  float lse[2], delta[2];
  RINGLAB_UNROLL
  for (int half = 0; half < 2; ++half) {
    const std::int64_t query = first_query + me.row(half);
    real[half] = query < queries;
    out_row[half] = query * a.heads + head;
    at[half] = real[half] ? place_of(a.query_places, query) : TokenPlace{};
    lse[half] = real[half] ? a.lse[out_row[half]] : -kInfinity;
    delta[half] = real[half] ? a.delta[out_row[half]] : 0.0F;
  }

  const std::int64_t tiles = (keys + kColumns - 1) / kColumns;
  const auto next = [&](std::int64_t tile) {
    return next_tile<kColumns>(a.key_places, tile, tiles, [&](const Bounds& bounds) {
      return classify(a.mask, query_bounds, bounds) == TileKind::empty;
    });
  };
  const auto copy = [&](std::int64_t tile, int buffer) {
    if (tile < tiles) {
      const std::int64_t first = tile * kColumns;
      shared.columns[buffer].copy_async(a.keys, first, keys, a.kv_heads, kv_head);
      shared.column_partners[buffer].copy_async(a.values, first, keys, a.kv_heads, kv_head);
    }
    ptx::copy_async_commit();
  };
  shared.rows.copy_async(a.query, first_query, queries, a.heads, head);
  shared.row_partners.copy_async(a.output_gradient, first_query, queries, a.heads, head);
  std::int64_t tile = next(0);
  copy(tile, 0);
  ptx::FragmentC sums[kHeadDim / 8] = {};
  for (int buffer = 0; tile < tiles; buffer ^= 1) {
    const std::int64_t following = next(tile + 1), first_key = tile * kColumns;
    copy(following, buffer ^ 1);
    const Bounds key_bounds = bounds_of(a.key_places, first_key, kColumns);
    const bool partial =
        classify(a.mask, query_bounds, key_bounds) != TileKind::full || first_key + kColumns > keys;
    if (partial || rule.bent()) shared.places.load(a.key_places, first_key);
    ptx::copy_async_wait<1>();
    block_sync();  // this tile, and at first the queries, are there

    if (warp_is_real) {
      const auto see = [&](int half, int column) {
        return real[half] && first_key + column < keys &&
               visible(a.mask, at[half], shared.places.at[column]);
      };
      ptx::FragmentC products[kColumns / 8] = {}, gradients[kColumns / 8] = {};
      multiply_transposed<T, kColumns, kHeadDim>(products, shared.rows, shared.columns[buffer], me);
      multiply_transposed<T, kColumns, kHeadDim>(gradients, shared.row_partners,
                                                 shared.column_partners[buffer], me);
      RINGLAB_UNROLL
      for (int n = 0; n < kColumns / 8; ++n) {
        RINGLAB_UNROLL
        for (int i = 0; i < 4; ++i) {
          const int half = i / 2, column = me.column(n, i);
          float& ds = gradients[n].x[i];
          if (partial && !see(half, column)) {
            ds = 0;
          } else {
            const std::int64_t there = rule.bent() ? shared.places.at[column].position : 0;
            ds =
                PairV3(rule, products[n].x[i], ds, at[half].position, there, lse[half], delta[half])
                    .dot_gradient;
          }
        }
      }
      if (partial && shared.columns[buffer].holds_special()) {
        add_visible<T, kColumns, kHeadDim, kHeadDim>(sums, gradients, shared.columns[buffer], 0, me,
                                                     shared.scratch, see);
      } else {
        multiply_weights<T, kColumns, kHeadDim, kHeadDim>(sums, gradients, shared.columns[buffer],
                                                          0, me);
      }
    }
    block_sync();  // everyone is done with this tile: its buffer is free
    tile = following;
  }
  RINGLAB_UNROLL
  for (int half = 0; half < 2; ++half) {
    if (!real[half]) continue;
    add_fragments<kHeadDim>(a.query_gradient + out_row[half] * kHeadDim, sums, half, 0, me);
  }
}

template <class T, int kHeadDim>
__global__ void __launch_bounds__(kMatrixThreads, 1) backward_v3_keys(BackwardArguments a) {
  constexpr int kColumns = kBackwardColumns, kWidth = kBackwardWidth<kHeadDim>;
  auto& shared = *reinterpret_cast<BackwardV3Memory<T, kHeadDim>*>(dynamic_smem());
  const LaneOfTile me;
  const int kv_head = static_cast<int>(blockIdx.y);
  const int first_dim = static_cast<int>(blockIdx.z) * kWidth;
  const HeadSpan heads = heads_of(a, kv_head);
  const std::int64_t queries = a.query_places.tokens, keys = a.key_places.tokens;
  const std::int64_t first_key = std::int64_t{blockIdx.x} * kMatrixRows;
  const Bounds key_bounds = bounds_of(a.key_places, first_key, kMatrixRows);
  const bool warp_is_real = first_key + me.warp * kWarpRows < keys;

  bool real[2];
  TokenPlace there[2];
  RINGLAB_UNROLL
  for (int half = 0; half < 2; ++half) {
    const std::int64_t key = first_key + me.row(half);
    real[half] = key < keys;
    there[half] = real[half] ? place_of(a.key_places, key) : TokenPlace{};
  }

  // The walk goes over the query tiles of one head, then of the next.
  const std::int64_t tiles = (queries + kColumns - 1) / kColumns;
  struct Step {
    int head;
    std::int64_t tile;
  };
  const auto next = [&](Step step) {
    const auto find = [&](std::int64_t tile) {
      return next_tile<kColumns>(a.query_places, tile, tiles, [&](const Bounds& bounds) {
        return classify(a.mask, bounds, key_bounds) == TileKind::empty;
      });
    };
    step.tile = find(step.tile);
    if (step.tile < tiles || step.head + 1 >= heads.end) return step;
    return Step{step.head + 1, find(0)};
  };
  const auto copy = [&](Step step, int buffer) {
    if (step.tile < tiles) {
      const std::int64_t first = step.tile * kColumns;
      shared.columns[buffer].copy_async(a.query, first, queries, a.heads, step.head);
      shared.column_partners[buffer].copy_async(a.output_gradient, first, queries, a.heads,
                                                step.head);
    }
    ptx::copy_async_commit();
  };
  shared.rows.copy_async(a.keys, first_key, keys, a.kv_heads, kv_head);
  shared.row_partners.copy_async(a.values, first_key, keys, a.kv_heads, kv_head);
  Step step = heads.first < heads.end ? next({heads.first, 0}) : Step{heads.first, tiles};
  copy(step, 0);
  ptx::FragmentC key_sums[kWidth / 8] = {}, value_sums[kWidth / 8] = {};
  for (int buffer = 0; step.tile < tiles; buffer ^= 1) {
    const Step following = next({step.head, step.tile + 1});
    copy(following, buffer ^ 1);
    const HeadRule rule(a, step.head);
    const std::int64_t first_query = step.tile * kColumns;
    const Bounds query_bounds = bounds_of(a.query_places, first_query, kColumns);
    const bool partial = classify(a.mask, query_bounds, key_bounds) != TileKind::full ||
                         first_query + kColumns > queries;
    if (partial || rule.bent()) shared.places.load(a.query_places, first_query);
    const std::int64_t query = first_query + threadIdx.x;
    if (threadIdx.x < kColumns && query < queries) {
      shared.lse[threadIdx.x] = a.lse[query * a.heads + step.head];
      shared.delta[threadIdx.x] = a.delta[query * a.heads + step.head];
    }
    ptx::copy_async_wait<1>();
    block_sync();  // this tile, and at first the keys, are there

    if (warp_is_real) {
      const auto see = [&](int half, int column) {
        return real[half] && first_query + column < queries &&
               visible(a.mask, shared.places.at[column], there[half]);
      };
      ptx::FragmentC weights[kColumns / 8] = {}, gradients[kColumns / 8] = {};
      multiply_transposed<T, kColumns, kHeadDim>(weights, shared.rows, shared.columns[buffer], me);
      multiply_transposed<T, kColumns, kHeadDim>(gradients, shared.row_partners,
                                                 shared.column_partners[buffer], me);
      RINGLAB_UNROLL
      for (int n = 0; n < kColumns / 8; ++n) {
        RINGLAB_UNROLL
        for (int i = 0; i < 4; ++i) {
          const int half = i / 2, column = me.column(n, i);
          float &p = weights[n].x[i], &ds = gradients[n].x[i];
          if (partial && !see(half, column)) {
            p = ds = 0;
          } else {
            const std::int64_t at = rule.bent() ? shared.places.at[column].position : 0;
            const PairV3 pair(rule, p, ds, at, there[half].position, shared.lse[column],
                              shared.delta[column]);
            p = pair.weight;
            ds = pair.dot_gradient;
          }
        }
      }
      const bool special = partial && (shared.columns[buffer].holds_special() ||
                                       shared.column_partners[buffer].holds_special());
      if (special) {
        add_visible<T, kColumns, kHeadDim, kWidth>(value_sums, weights,
                                                   shared.column_partners[buffer], first_dim, me,
                                                   shared.scratch, see);
        add_visible<T, kColumns, kHeadDim, kWidth>(key_sums, gradients, shared.columns[buffer],
                                                   first_dim, me, shared.scratch, see);
      } else {
        multiply_weights<T, kColumns, kHeadDim, kWidth>(
            value_sums, weights, shared.column_partners[buffer], first_dim, me);
        multiply_weights<T, kColumns, kHeadDim, kWidth>(key_sums, gradients, shared.columns[buffer],
                                                        first_dim, me);
      }
    }
    block_sync();  // everyone is done with this tile: its buffer is free
    step = following;
  }
  RINGLAB_UNROLL
  for (int half = 0; half < 2; ++half) {
    if (!real[half]) continue;
    const std::int64_t row = (first_key + me.row(half)) * a.kv_heads + kv_head;
    add_fragments<kWidth>(a.key_gradient + row * kHeadDim, key_sums, half, first_dim, me);
    add_fragments<kWidth>(a.value_gradient + row * kHeadDim, value_sums, half, first_dim, me);
  }
}

template <class T>
void backward_v3(const BackwardArguments& a, StreamHandle stream) {
  const unsigned query_blocks = blocks_for(a.query_places.tokens, kMatrixRows);
  const unsigned key_blocks = blocks_for(a.key_places.tokens, kMatrixRows);
  with_head_dim(a.head_dim, [&]<int kHeadDim>() {
    constexpr std::size_t kMemory = sizeof(BackwardV3Memory<T, kHeadDim>);
    static_assert(kMemory <= kSharedMemoryLimit);
    constexpr unsigned kWidths = kHeadDim / kBackwardWidth<kHeadDim>;
    launch(backward_v3_queries<T, kHeadDim>, {query_blocks, static_cast<unsigned>(a.heads), 1},
           {kMatrixThreads, 1, 1}, kMemory, stream, a);
    launch(backward_v3_keys<T, kHeadDim>, {key_blocks, static_cast<unsigned>(a.kv_heads), kWidths},
           {kMatrixThreads, 1, 1}, kMemory, stream, a);
  });
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

// Forward, rung 3 of 3: tensor cores and double buffering (ladder: forward_v1.cu).
//
// The idea: both products run on mma.sync with float32 sums, fed by ldmatrix from padded tiles, and
// cp.async fetches the next keys and values while these are multiplied. Scores never leave
// registers: as fragment C they are the softmax's input, rounded they are fragment A of P V
// (arXiv 2307.08691, section 3). Masks are looked at in partial tiles only.
#pragma once

#include "ringlab/cuda/kernels/tile_v3.hpp"
#include "ringlab/cuda/runtime/launch.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

/// Keys of a tile: what two buffers of keys and values leave room for.
template <int kHeadDim>
constexpr int kForwardColumns = kHeadDim > 128 ? 32 : 64;

template <class T, int kHeadDim>
struct ForwardV3Memory {
  static constexpr int kColumns = kForwardColumns<kHeadDim>;
  HalfTile<T, kMatrixRows, kHeadDim> queries;
  HalfTile<T, kColumns, kHeadDim> keys[2], values[2];
  ColumnPlaces<kColumns> places;
  WarpWeights<kColumns> scratch;
};

template <class T, int kHeadDim>
__global__ void __launch_bounds__(kMatrixThreads, 1) forward_v3_tiles(ForwardArguments a) {
  constexpr int kColumns = kForwardColumns<kHeadDim>;
  auto& shared = *reinterpret_cast<ForwardV3Memory<T, kHeadDim>*>(dynamic_smem());
  const LaneOfTile me;
  const int head = static_cast<int>(blockIdx.y), kv_head = kv_head_of(a, head);
  const std::int64_t queries = a.query_places.tokens, keys = a.key_places.tokens;
  const std::int64_t first_query = std::int64_t{blockIdx.x} * kMatrixRows;
  const HeadRule rule(a, head);
  const Bounds query_bounds = bounds_of(a.query_places, first_query, kMatrixRows);
  const bool warp_is_real = first_query + me.warp * kWarpRows < queries;

  // This lane's two rows. Cheap facts about them are worked out again where they are needed:
  // head_dim 256 leaves no register to keep them in.
  const auto real = [&](int half) { return first_query + me.row(half) < queries; };
  const auto out_row = [&](int half) { return (first_query + me.row(half)) * a.heads + head; };
  bool seen[2] = {};
  TokenPlace at[2];
  float lse[2];
  RINGLAB_UNROLL
  for (int half = 0; half < 2; ++half) {
    at[half] = real(half) ? place_of(a.query_places, first_query + me.row(half)) : TokenPlace{};
    lse[half] = real(half) ? a.lse[out_row(half)] : -kInfinity;
  }
  RunningRow state[2] = {RunningRow(lse[0], me.t == 0), RunningRow(lse[1], me.t == 0)};
  ptx::FragmentC out[kHeadDim / 8];
  RINGLAB_UNROLL
  for (int n = 0; n < kHeadDim / 8; ++n) {
    RINGLAB_UNROLL
    for (int i = 0; i < 4; ++i) {
      out[n].x[i] = real(i / 2) ? a.out[out_row(i / 2) * kHeadDim + me.column(n, i)] : 0.0F;
    }
  }

  const auto next = [&](std::int64_t tile) {
    return next_tile<kColumns>(a.key_places, tile, (keys + kColumns - 1) / kColumns,
                               [&](const Bounds& bounds) {
                                 return classify(a.mask, query_bounds, bounds) == TileKind::empty;
                               });
  };
  const auto copy = [&](std::int64_t tile, int buffer) {
    if (tile * kColumns < keys) {
      shared.keys[buffer].copy_async(a.keys, tile * kColumns, keys, a.kv_heads, kv_head);
      shared.values[buffer].copy_async(a.values, tile * kColumns, keys, a.kv_heads, kv_head);
    }
    ptx::copy_async_commit();
  };
  shared.queries.copy_async(a.query, first_query, queries, a.heads, head);
  std::int64_t tile = next(0);
  copy(tile, 0);
  for (int buffer = 0; tile * kColumns < keys; buffer ^= 1) {
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
        return real(half) && first_key + column < keys &&
               visible(a.mask, at[half], shared.places.at[column]);
      };
      ptx::FragmentC weights[kColumns / 8] = {};  // scores, at first
      multiply_transposed<T, kColumns, kHeadDim>(weights, shared.queries, shared.keys[buffer], me);
      float largest[2] = {-kInfinity, -kInfinity};
      RINGLAB_UNROLL
      for (int n = 0; n < kColumns / 8; ++n) {
        RINGLAB_UNROLL
        for (int i = 0; i < 4; ++i) {
          const int half = i / 2, column = me.column(n, i);
          float& s = weights[n].x[i];
          if (partial && !see(half, column)) {
            s = -kInfinity;
          } else if (rule.bent()) {
            s = rule.score(s, at[half].position, shared.places.at[column].position);
          } else {
            s *= rule.scale;
          }
          if (s != -kInfinity) seen[half] = true;  // a NaN counts
          largest[half] = fmaxf(largest[half], s);
        }
      }
      float carry[2], shift[2];
      RINGLAB_UNROLL
      for (int half = 0; half < 2; ++half) {
        carry[half] = state[half].meet(quad_max(largest[half]));
        shift[half] = state[half].shift() * kLog2E;
      }
      RINGLAB_UNROLL
      for (int n = 0; n < kColumns / 8; ++n) {
        RINGLAB_UNROLL
        for (int i = 0; i < 4; ++i) {
          float& x = weights[n].x[i];
          x = ptx::exp2_approximate(x * kLog2E - shift[i / 2]);
          state[i / 2].l += x;
        }
      }
      RINGLAB_UNROLL
      for (int n = 0; n < kHeadDim / 8; ++n) {
        RINGLAB_UNROLL
        for (int i = 0; i < 4; ++i) out[n].x[i] *= carry[i / 2];
      }
      if (partial && shared.values[buffer].holds_special()) {
        add_visible<T, kColumns, kHeadDim, kHeadDim>(out, weights, shared.values[buffer], 0, me,
                                                     shared.scratch, see);
      } else {
        multiply_weights<T, kColumns, kHeadDim, kHeadDim>(out, weights, shared.values[buffer], 0,
                                                          me);
      }
    }
    block_sync();  // everyone is done with this tile: its buffer is free
    tile = following;
  }

  if (!warp_is_real) return;
  RINGLAB_UNROLL
  for (int half = 0; half < 2; ++half) {
    const unsigned voters = __ballot_sync(0xffffffffU, seen[half]) >> (4 * me.g) & 0xfU;
    state[half].l = quad_sum(state[half].l);
    if (!real(half) || voters == 0) continue;  // the row keeps its bits
    RINGLAB_UNROLL
    for (int n = 0; n < kHeadDim / 8; ++n) {
      RINGLAB_UNROLL
      for (int e = 0; e < 2; ++e) {
        a.out[out_row(half) * kHeadDim + me.column(n, e)] = out[n].x[2 * half + e] / state[half].l;
      }
    }
    if (me.t == 0) a.lse[out_row(half)] = state[half].log_sum_exp();
  }
}

template <class T>
void forward_v3(const ForwardArguments& a, StreamHandle stream) {
  const Dim3 grid{blocks_for(a.query_places.tokens, kMatrixRows), static_cast<unsigned>(a.heads),
                  1};
  with_head_dim(a.head_dim, [&]<int kHeadDim>() {
    constexpr std::size_t kMemory = sizeof(ForwardV3Memory<T, kHeadDim>);
    static_assert(kMemory <= kSharedMemoryLimit);
    launch(forward_v3_tiles<T, kHeadDim>, grid, {kMatrixThreads, 1, 1}, kMemory, stream, a);
  });
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

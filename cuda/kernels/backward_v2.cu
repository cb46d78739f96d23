// Backward, rung 2 of 3: tiles in shared memory (ladder: backward_v1.cu).
//
// The idea: P and dS of a tile are computed once, kept in shared memory, and used for every
// dimension. One block per query tile walks over keys for dQ; one block per key tile walks over the
// queries of all heads that read it, for dK and dV. So each gradient row belongs to one block, and
// no two blocks ever add to the same place.
#include "ringlab/cuda/kernels/tile_v2.hpp"
#include "ringlab/cuda/runtime/launch.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

template <int kHeadDim>
struct BackwardV2Memory {
  FloatTile<kHeadDim> queries, output_gradients, keys, values;
  WeightTile weights, dot_gradients;
  TilePlaces places;  // of the side that is walked over
  float lse[kTile], delta[kTile];
};

/// P and dS of one pair of rows in shared memory.
struct PairV2 {
  float weight, dot_gradient;
};
template <int kHeadDim>
__device__ PairV2 pair_v2(const BackwardV2Memory<kHeadDim>& shared, const HeadRule& rule, int query,
                          int key, TokenPlace query_place, TokenPlace key_place, float lse,
                          float delta) {
  const float product = dot(shared.queries.values[query], shared.keys.values[key], kHeadDim);
  const float weight =
      final_weight(rule.score(product, query_place.position, key_place.position), lse);
  const float weight_gradient =
      dot(shared.output_gradients.values[query], shared.values.values[key], kHeadDim);
  return {weight, weight * (weight_gradient - delta) * rule.slope(product)};
}

template <int kHeadDim>
__device__ void add_to_row(float* gradient, const float (&sums)[kHeadDim / kRowLanes], int part) {
  RINGLAB_UNROLL
  for (int i = 0; i < kHeadDim / kRowLanes; ++i) gradient[part + kRowLanes * i] += sums[i];
}

template <int kHeadDim>
__global__ void __launch_bounds__(kTileThreads, 1) backward_v2_queries(BackwardArguments a) {
  auto& shared = *reinterpret_cast<BackwardV2Memory<kHeadDim>*>(dynamic_smem());
  const int row = static_cast<int>(threadIdx.x) / kRowLanes;
  const int part = static_cast<int>(threadIdx.x) % kRowLanes;
  const int head = static_cast<int>(blockIdx.y), kv_head = kv_head_of(a, head);
  const std::int64_t first_query = std::int64_t{blockIdx.x} * kTile, query = first_query + row;
  const bool real = query < a.query_places.tokens;
  const std::int64_t out_row = query * a.heads + head;
  const HeadRule rule(a, head);
  const TokenPlace at = real ? place_of(a.query_places, query) : TokenPlace{};
  const float lse = real ? a.lse[out_row] : -kInfinity, delta = real ? a.delta[out_row] : 0.0F;
  const Bounds query_bounds = bounds_of(a.query_places, first_query, kTile);

  float sums[kHeadDim / kRowLanes] = {};
  const std::int64_t queries = a.query_places.tokens, keys = a.key_places.tokens;
  shared.queries.load(a.type, a.query, first_query, queries, a.heads, head);
  shared.output_gradients.load(a.type, a.output_gradient, first_query, queries, a.heads, head);
  for (std::int64_t first_key = 0; first_key < keys; first_key += kTile) {
    const Bounds key_bounds = bounds_of(a.key_places, first_key, kTile);
    if (classify(a.mask, query_bounds, key_bounds) == TileKind::empty) continue;
    block_sync();  // everyone is done with the last tile
    shared.keys.load(a.type, a.keys, first_key, keys, a.kv_heads, kv_head);
    shared.values.load(a.type, a.values, first_key, keys, a.kv_heads, kv_head);
    shared.places.load(a.key_places, first_key);
    block_sync();  // this tile, and at first the queries, are there

    unsigned bits = 0;
    for (int i = 0; i < kTileColumns; ++i) {
      const int column = part + kRowLanes * i;
      if (lse == -kInfinity || first_key + column >= keys) continue;
      if (visible(a.mask, at, shared.places.at[column])) bits |= 1U << column;
    }
    bits = row_union(bits);
    for (int i = 0; i < kTileColumns; ++i) {
      const int column = part + kRowLanes * i;
      if ((bits >> column & 1U) == 0) continue;
      const TokenPlace there = shared.places.at[column];
      shared.dot_gradients.values[row][column] =
          pair_v2(shared, rule, row, column, at, there, lse, delta).dot_gradient;
    }
    warp_sync();  // the row's dS are there
    add_weighted<kHeadDim>(sums, shared.dot_gradients.values[row], bits, shared.keys, part);
  }
  if (real) add_to_row<kHeadDim>(a.query_gradient + out_row * kHeadDim, sums, part);
}

template <int kHeadDim>
__global__ void __launch_bounds__(kTileThreads, 1) backward_v2_keys(BackwardArguments a) {
  auto& shared = *reinterpret_cast<BackwardV2Memory<kHeadDim>*>(dynamic_smem());
  const int row = static_cast<int>(threadIdx.x) / kRowLanes;
  const int part = static_cast<int>(threadIdx.x) % kRowLanes;
  const int kv_head = static_cast<int>(blockIdx.y);
  const HeadSpan heads = heads_of(a, kv_head);
  const std::int64_t first_key = std::int64_t{blockIdx.x} * kTile, key = first_key + row;
  const bool real = key < a.key_places.tokens;
  const TokenPlace there = real ? place_of(a.key_places, key) : TokenPlace{};
  const Bounds key_bounds = bounds_of(a.key_places, first_key, kTile);

  float key_sums[kHeadDim / kRowLanes] = {}, value_sums[kHeadDim / kRowLanes] = {};
  const std::int64_t queries = a.query_places.tokens, keys = a.key_places.tokens;
  shared.keys.load(a.type, a.keys, first_key, keys, a.kv_heads, kv_head);
  shared.values.load(a.type, a.values, first_key, keys, a.kv_heads, kv_head);
  for (int head = heads.first; head < heads.end; ++head) {
    const HeadRule rule(a, head);
    for (std::int64_t first_query = 0; first_query < queries; first_query += kTile) {
      const Bounds query_bounds = bounds_of(a.query_places, first_query, kTile);
      if (classify(a.mask, query_bounds, key_bounds) == TileKind::empty) continue;
      block_sync();  // everyone is done with the last tile
      shared.queries.load(a.type, a.query, first_query, queries, a.heads, head);
      shared.output_gradients.load(a.type, a.output_gradient, first_query, queries, a.heads, head);
      shared.places.load(a.query_places, first_query);
      const std::int64_t query = first_query + threadIdx.x;
      if (threadIdx.x < kTile && query < queries) {
        shared.lse[threadIdx.x] = a.lse[query * a.heads + head];
        shared.delta[threadIdx.x] = a.delta[query * a.heads + head];
      }
      block_sync();  // this tile, and at first the keys, are there

      unsigned bits = 0;
      for (int i = 0; i < kTileColumns; ++i) {
        const int column = part + kRowLanes * i;
        if (!real || first_query + column >= queries) continue;
        if (shared.lse[column] == -kInfinity) continue;
        if (visible(a.mask, shared.places.at[column], there)) bits |= 1U << column;
      }
      bits = row_union(bits);
      for (int i = 0; i < kTileColumns; ++i) {
        const int column = part + kRowLanes * i;
        if ((bits >> column & 1U) == 0) continue;
        const TokenPlace at = shared.places.at[column];
        const PairV2 pair =
            pair_v2(shared, rule, column, row, at, there, shared.lse[column], shared.delta[column]);
        shared.weights.values[row][column] = pair.weight;
        shared.dot_gradients.values[row][column] = pair.dot_gradient;
      }
      warp_sync();  // the row's P and dS are there
      add_weighted<kHeadDim>(value_sums, shared.weights.values[row], bits, shared.output_gradients,
                             part);
      add_weighted<kHeadDim>(key_sums, shared.dot_gradients.values[row], bits, shared.queries,
                             part);
    }
  }
  if (!real) return;
  const std::int64_t out_row = key * a.kv_heads + kv_head;
  add_to_row<kHeadDim>(a.key_gradient + out_row * kHeadDim, key_sums, part);
  add_to_row<kHeadDim>(a.value_gradient + out_row * kHeadDim, value_sums, part);
}

void backward_v2(const BackwardArguments& a, StreamHandle stream) {
  const Dim3 query_grid{blocks_for(a.query_places.tokens, kTile), static_cast<unsigned>(a.heads),
                        1};
  const Dim3 key_grid{blocks_for(a.key_places.tokens, kTile), static_cast<unsigned>(a.kv_heads), 1};
  with_head_dim(a.head_dim, [&]<int kHeadDim>() {
    constexpr std::size_t kMemory = sizeof(BackwardV2Memory<kHeadDim>);
    static_assert(kMemory <= kSharedMemoryLimit);
    launch(backward_v2_queries<kHeadDim>, query_grid, {kTileThreads, 1, 1}, kMemory, stream, a);
    launch(backward_v2_keys<kHeadDim>, key_grid, {kTileThreads, 1, 1}, kMemory, stream, a);
  });
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

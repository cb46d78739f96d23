// Forward, rung 2 of 3: tiles in shared memory and the online softmax (ladder: forward_v1.cu).
//
// The idea: a key and a value are read from global memory once per 32 queries instead of once per
// query, and a row's maximum, sum and output are carried from tile to tile, so one walk is enough
// (arXiv 1805.02867). O stays in registers until the last tile. Empty tiles are skipped.
#include "ringlab/cuda/kernels/tile_v2.hpp"
#include "ringlab/cuda/runtime/launch.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

template <int kHeadDim>
struct ForwardV2Memory {
  FloatTile<kHeadDim> queries, keys, values;
  WeightTile weights;
  TilePlaces key_places;
};

template <int kHeadDim>
__global__ void __launch_bounds__(kTileThreads, 1) forward_v2_tiles(ForwardArguments a) {
  auto& shared = *reinterpret_cast<ForwardV2Memory<kHeadDim>*>(dynamic_smem());
  const int row = static_cast<int>(threadIdx.x) / kRowLanes;
  const int part = static_cast<int>(threadIdx.x) % kRowLanes;
  const int head = static_cast<int>(blockIdx.y), kv_head = kv_head_of(a, head);
  const std::int64_t first_query = std::int64_t{blockIdx.x} * kTile, query = first_query + row;
  const bool real = query < a.query_places.tokens;
  const std::int64_t out_row = query * a.heads + head;
  const HeadRule rule(a, head);
  const TokenPlace at = real ? place_of(a.query_places, query) : TokenPlace{};
  const Bounds query_bounds = bounds_of(a.query_places, first_query, kTile);

  RunningRow state(real ? a.lse[out_row] : -kInfinity, part == 0);
  float out[kHeadDim / kRowLanes];
  RINGLAB_UNROLL
  for (int i = 0; i < kHeadDim / kRowLanes; ++i) {
    out[i] = real ? a.out[out_row * kHeadDim + part + kRowLanes * i] : 0.0F;
  }
  bool seen = false;
  shared.queries.load(a.type, a.query, first_query, a.query_places.tokens, a.heads, head);

  for (std::int64_t first_key = 0; first_key < a.key_places.tokens; first_key += kTile) {
    const Bounds key_bounds = bounds_of(a.key_places, first_key, kTile);
    if (classify(a.mask, query_bounds, key_bounds) == TileKind::empty) continue;
    block_sync();  // everyone is done with the last tile
    shared.keys.load(a.type, a.keys, first_key, a.key_places.tokens, a.kv_heads, kv_head);
    shared.values.load(a.type, a.values, first_key, a.key_places.tokens, a.kv_heads, kv_head);
    shared.key_places.load(a.key_places, first_key);
    block_sync();  // this tile, and at first the queries, are there

    float scores[kTileColumns], largest = -kInfinity;
    unsigned bits = 0;  // the visible columns of this row
    RINGLAB_UNROLL
    for (int i = 0; i < kTileColumns; ++i) {
      const int column = part + kRowLanes * i;
      scores[i] = -kInfinity;
      if (!real || first_key + column >= a.key_places.tokens) continue;
      const TokenPlace there = shared.key_places.at[column];
      if (!visible(a.mask, at, there)) continue;
      scores[i] = rule.score(dot(shared.queries.values[row], shared.keys.values[column], kHeadDim),
                             at.position, there.position);
      if (scores[i] != -kInfinity) bits |= 1U << column;  // a NaN counts
      if (scores[i] > largest) largest = scores[i];
    }
    bits = row_union(bits);
    const float carry = state.meet(row_max(largest)), shift = state.shift();
    RINGLAB_UNROLL
    for (int i = 0; i < kTileColumns; ++i) {
      const float weight = expf(scores[i] - shift);
      shared.weights.values[row][part + kRowLanes * i] = weight;
      state.l += weight;
    }
    seen = seen || bits != 0;
    warp_sync();  // the row's weights are there
    RINGLAB_UNROLL
    for (int i = 0; i < kHeadDim / kRowLanes; ++i) out[i] *= carry;
    add_weighted<kHeadDim>(out, shared.weights.values[row], bits, shared.values, part);
  }

  state.l = row_sum(state.l);
  if (!real || !seen) return;  // the row keeps its bits
  RINGLAB_UNROLL
  for (int i = 0; i < kHeadDim / kRowLanes; ++i) {
    a.out[out_row * kHeadDim + part + kRowLanes * i] = out[i] / state.l;
  }
  if (part == 0) a.lse[out_row] = state.log_sum_exp();
}

void forward_v2(const ForwardArguments& a, StreamHandle stream) {
  const Dim3 grid{blocks_for(a.query_places.tokens, kTile), static_cast<unsigned>(a.heads), 1};
  with_head_dim(a.head_dim, [&]<int kHeadDim>() {
    constexpr std::size_t kMemory = sizeof(ForwardV2Memory<kHeadDim>);
    static_assert(kMemory <= kSharedMemoryLimit);
    launch(forward_v2_tiles<kHeadDim>, grid, {kTileThreads, 1, 1}, kMemory, stream, a);
  });
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

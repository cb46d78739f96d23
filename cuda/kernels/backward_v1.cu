// Backward, rung 1 of 3: naive. One thread owns one row of dQ, or one row of dK and dV.
//
//   v1  naive        a walk over the other side per row, everything from global memory
//   v2  tiled        both sides in shared memory, P and dS of a tile computed once per tile
//   v3  tensor cores all products by mma.sync, the next tile copied while this one is multiplied
//
// Each sum belongs to one thread, so its order is fixed: no atomics, and the same bits every time.
// The price is that P and dS are computed twice, once for dQ and once for dK and dV.
#include "ringlab/cuda/kernels/elements.hpp"
#include "ringlab/cuda/kernels/score.hpp"
#include "ringlab/cuda/runtime/launch.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

/// P and dS of one visible pair, from rows in global memory.
struct PairGradient {
  float weight, dot_gradient;
};
template <class T>
__device__ PairGradient pair_gradient(const BackwardArguments& a, const HeadRule& rule,
                                      std::int64_t query_row, std::int64_t key_row,
                                      std::int64_t query_position, std::int64_t key_position) {
  const int dim = a.head_dim;
  const float product = dot(static_cast<const T*>(a.query) + query_row * dim,
                            static_cast<const T*>(a.keys) + key_row * dim, dim);
  const float weight =
      final_weight(rule.score(product, query_position, key_position), a.lse[query_row]);
  const float weight_gradient = dot(static_cast<const T*>(a.output_gradient) + query_row * dim,
                                    static_cast<const T*>(a.values) + key_row * dim, dim);
  return {weight, weight * (weight_gradient - a.delta[query_row]) * rule.slope(product)};
}

template <class T>
__global__ void backward_v1_queries(BackwardArguments a) {
  const std::int64_t row = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row >= a.query_places.tokens * a.heads) return;
  const int head = static_cast<int>(row % a.heads), kv_head = kv_head_of(a, head);
  if (a.lse[row] == -kInfinity) return;
  const HeadRule rule(a, head);
  const TokenPlace at = place_of(a.query_places, row / a.heads);
  for (std::int64_t key = 0; key < a.key_places.tokens; ++key) {
    const TokenPlace there = place_of(a.key_places, key);
    if (!visible(a.mask, at, there)) continue;
    const std::int64_t key_row = key * a.kv_heads + kv_head;
    const float ds =
        pair_gradient<T>(a, rule, row, key_row, at.position, there.position).dot_gradient;
    const T* k = static_cast<const T*>(a.keys) + key_row * a.head_dim;
    float* dq = a.query_gradient + row * a.head_dim;
    for (int d = 0; d < a.head_dim; ++d) dq[d] += ds * ptx::to_float(k[d]);
  }
}

template <class T>
__global__ void backward_v1_keys(BackwardArguments a) {
  const std::int64_t key_row = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (key_row >= a.key_places.tokens * a.kv_heads) return;
  const HeadSpan heads = heads_of(a, static_cast<int>(key_row % a.kv_heads));
  const TokenPlace there = place_of(a.key_places, key_row / a.kv_heads);
  float* dk = a.key_gradient + key_row * a.head_dim;
  float* dv = a.value_gradient + key_row * a.head_dim;
  for (int head = heads.first; head < heads.end; ++head) {
    const HeadRule rule(a, head);
    for (std::int64_t query = 0; query < a.query_places.tokens; ++query) {
      const TokenPlace at = place_of(a.query_places, query);
      const std::int64_t row = query * a.heads + head;
      if (!visible(a.mask, at, there) || a.lse[row] == -kInfinity) continue;
      const PairGradient pair =
          pair_gradient<T>(a, rule, row, key_row, at.position, there.position);
      const T* q = static_cast<const T*>(a.query) + row * a.head_dim;
      const T* g = static_cast<const T*>(a.output_gradient) + row * a.head_dim;
      for (int d = 0; d < a.head_dim; ++d) {
        dk[d] += pair.dot_gradient * ptx::to_float(q[d]);
        dv[d] += pair.weight * ptx::to_float(g[d]);
      }
    }
  }
}

void backward_v1(const BackwardArguments& a, StreamHandle stream) {
  const unsigned query_blocks = blocks_for(a.query_places.tokens * a.heads, kNaiveThreads);
  const unsigned key_blocks = blocks_for(a.key_places.tokens * a.kv_heads, kNaiveThreads);
  with_element(a.type, [&]<class T>() {
    launch(backward_v1_queries<T>, {query_blocks, 1, 1}, {kNaiveThreads, 1, 1}, 0, stream, a);
    launch(backward_v1_keys<T>, {key_blocks, 1, 1}, {kNaiveThreads, 1, 1}, 0, stream, a);
  });
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

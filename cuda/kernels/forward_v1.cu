// Forward, rung 1 of 3: naive. One thread owns one row and walks over all keys three times.
//
//   v1  naive        largest score, sum of exponentials, weighted values; all from global memory
//   v2  tiled        keys and values in shared memory, the three walks become one (online softmax)
//   v3  tensor cores both products by mma.sync, the next tile copied while this one is multiplied
//
// Correct and slow on purpose: the mathematics without the machine. Every score is computed three
// times and neighbouring threads read addresses far apart.
#include "ringlab/cuda/kernels/elements.hpp"
#include "ringlab/cuda/kernels/score.hpp"
#include "ringlab/cuda/runtime/launch.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

template <class T>
__global__ void forward_v1_rows(ForwardArguments a) {
  const std::int64_t row = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row >= a.query_places.tokens * a.heads) return;
  const std::int64_t query = row / a.heads;
  const int head = static_cast<int>(row % a.heads), kv_head = kv_head_of(a, head);
  const HeadRule rule(a, head);
  const TokenPlace at = place_of(a.query_places, query);
  const T* q = static_cast<const T*>(a.query) + row * a.head_dim;
  float* out = a.out + row * a.head_dim;

  // Calls use(score, value row) for each visible key.
  const auto for_each_visible = [&](const auto& use) {
    for (std::int64_t key = 0; key < a.key_places.tokens; ++key) {
      const TokenPlace there = place_of(a.key_places, key);
      if (!visible(a.mask, at, there)) continue;
      const std::int64_t offset = (key * a.kv_heads + kv_head) * a.head_dim;
      const T* k = static_cast<const T*>(a.keys) + offset;
      use(rule.score(dot(q, k, a.head_dim), at.position, there.position),
          static_cast<const T*>(a.values) + offset);
    }
  };

  RunningRow state(a.lse[row]);
  float largest = -kInfinity;
  bool seen = false;
  for_each_visible([&](float s, const T*) {
    if (s > largest) largest = s;
    if (s != -kInfinity) seen = true;  // a NaN counts
  });
  if (!seen) return;  // the row keeps its bits
  const float carry = state.meet(largest), shift = state.shift();
  for_each_visible([&](float s, const T*) { state.l += expf(s - shift); });
  for (int d = 0; d < a.head_dim; ++d) out[d] *= carry / state.l;
  for_each_visible([&](float s, const T* v) {
    const float weight = expf(s - shift) / state.l;
    for (int d = 0; d < a.head_dim; ++d) out[d] += weight * ptx::to_float(v[d]);
  });
  a.lse[row] = state.log_sum_exp();
}

void forward_v1(const ForwardArguments& a, StreamHandle stream) {
  const unsigned blocks = blocks_for(a.query_places.tokens * a.heads, kNaiveThreads);
  with_element(a.type, [&]<class T>() {
    launch(forward_v1_rows<T>, {blocks, 1, 1}, {kNaiveThreads, 1, 1}, 0, stream, a);
  });
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

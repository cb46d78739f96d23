// The rungs behind attend_forward and attend_backward; arguments have been checked.
#pragma once

#include <cstddef>

#include "ringlab/cuda/kernels/kernels.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

void forward_v1(const ForwardArguments& arguments, StreamHandle stream);
void forward_v2(const ForwardArguments& arguments, StreamHandle stream);
void forward_v3_f16(const ForwardArguments& arguments, StreamHandle stream);
void forward_v3_bf16(const ForwardArguments& arguments, StreamHandle stream);

void backward_v1(const BackwardArguments& arguments, StreamHandle stream);
void backward_v2(const BackwardArguments& arguments, StreamHandle stream);
void backward_v3_f16(const BackwardArguments& arguments, StreamHandle stream);
void backward_v3_bf16(const BackwardArguments& arguments, StreamHandle stream);

/// Calls visit.operator()<head_dim>() with the supported head_dim that `head_dim` is.
template <class Visit>
void with_head_dim(int head_dim, const Visit& visit) {
  switch (head_dim) {
    case 32:
      return visit.template operator()<32>();
    case 64:
      return visit.template operator()<64>();
    case 80:
      return visit.template operator()<80>();
    case 128:
      return visit.template operator()<128>();
    case 256:
      return visit.template operator()<256>();
    default:  // refused by check_supported
      return;
  }
}

/// Shared memory that one block may have on every GPU we compile for (sm_80: 163 KiB).
constexpr std::size_t kSharedMemoryLimit = 163 * 1024;

/// Threads of a block where every thread minds its own row (v1).
constexpr int kNaiveThreads = 64;

constexpr unsigned blocks_for(std::int64_t count, int per_block) {
  return static_cast<unsigned>((count + per_block - 1) / per_block);
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

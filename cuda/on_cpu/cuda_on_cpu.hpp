// The CUDA words that kernels use, for g++: what cuda_runtime.h and nvcc give on the other side.
//
// Included through cuda/runtime/device.hpp, never together with CUDA's own headers. Not here, and
// so not in kernels: <<<>>>, cooperative groups, __syncthreads and inline PTX. Use launch(),
// block_sync(), warp_sync() and cuda/ptx.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "ringlab/cuda/on_cpu/fibers.hpp"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
// One block at a time runs on an OS thread, so what a block shares is what its OS thread owns.
#define __shared__ static thread_local

#define threadIdx (::ringlab::on_cpu::this_thread->thread)
#define blockIdx (::ringlab::on_cpu::this_thread->block)
#define blockDim (::ringlab::on_cpu::this_thread->block_size)
#define gridDim (::ringlab::on_cpu::this_thread->grid_size)

namespace ringlab::on_cpu {

/// What a lane brings to a shuffle or vote, and takes home.
template <class T>
struct Exchange {
  T value;
  int source;  // lane to read from
  T result;
};

template <class T>
void shuffle_operation(void* const* operands) {
  for (int lane = 0; lane < 32; ++lane) {
    auto* mine = static_cast<Exchange<T>*>(operands[lane]);
    if (mine == nullptr) continue;
    const auto* theirs = static_cast<const Exchange<T>*>(operands[mine->source & 31]);
    mine->result = theirs != nullptr ? theirs->value : mine->value;
  }
}

inline void ballot_operation(void* const* operands) {
  unsigned bits = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const auto* mine = static_cast<const Exchange<unsigned>*>(operands[lane]);
    if (mine != nullptr && mine->value != 0) bits |= 1U << lane;
  }
  for (int lane = 0; lane < 32; ++lane) {
    if (operands[lane] != nullptr) static_cast<Exchange<unsigned>*>(operands[lane])->result = bits;
  }
}

template <class T>
T shuffle(T value, int source) {
  Exchange<T> exchange{value, source, value};
  warp_collective(&shuffle_operation<T>, &exchange);
  return exchange.result;
}

inline int lane() {
  const ThreadPlace& p = *this_thread;
  return static_cast<int>(
      (p.thread.x + p.block_size.x * (p.thread.y + p.block_size.y * p.thread.z)) % 32);
}

}  // namespace ringlab::on_cpu

// Shuffles and votes of whole warps: the mask is always 0xffffffff.
template <class T>
T __shfl_sync(unsigned, T value, int source) {
  return ::ringlab::on_cpu::shuffle(value, source);
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int lane_mask) {
  return ::ringlab::on_cpu::shuffle(value, ::ringlab::on_cpu::lane() ^ lane_mask);
}
template <class T>
T __shfl_up_sync(unsigned, T value, int delta) {
  const int lane = ::ringlab::on_cpu::lane();
  return ::ringlab::on_cpu::shuffle(value, lane < delta ? lane : lane - delta);
}
template <class T>
T __shfl_down_sync(unsigned, T value, int delta) {
  const int lane = ::ringlab::on_cpu::lane();
  return ::ringlab::on_cpu::shuffle(value, lane + delta > 31 ? lane : lane + delta);
}
inline unsigned __ballot_sync(unsigned, bool vote) {
  ::ringlab::on_cpu::Exchange<unsigned> exchange{vote ? 1U : 0U, 0, 0};
  ::ringlab::on_cpu::warp_collective(&::ringlab::on_cpu::ballot_operation, &exchange);
  return exchange.result;
}

/// Blocks may run on several OS threads.
template <class T>
T atomicAdd(T* target, T value) {
  return std::atomic_ref<T>(*target).fetch_add(value, std::memory_order_relaxed);
}

namespace ringlab::cuda {

inline void block_sync() {
  ::ringlab::on_cpu::block_barrier();
}
inline void warp_sync() {
  ::ringlab::on_cpu::warp_barrier();
}

/// The block's dynamic shared memory, from its first byte.
inline unsigned char* dynamic_smem() {
  return ::ringlab::on_cpu::this_thread->dynamic_smem;
}

}  // namespace ringlab::cuda

// A stream as kernels see it: one pointer, so that the host interface needs no CUDA header.
#pragma once

#include "ringlab/cuda/on_cpu/stream_queue.hpp"

namespace ringlab::cuda {

/// On the GPU side `queue` is the cudaStream_t. On the CPU it is a StreamQueue* (converted from
/// exactly that type), or null for a kernel that runs at once, on the calling thread.
struct StreamHandle {
  void* queue = nullptr;
};

}  // namespace ringlab::cuda

// The one way to start a kernel, on either side.
//
// Under nvcc it is <<<>>> and a check. On the CPU the arguments are copied into a callable that
// runs the grid on fibers: handed to the stream's queue, or run here and now without one.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include "ringlab/cuda/runtime/device.hpp"
#include "ringlab/cuda/runtime/stream_handle.hpp"
#include "ringlab/reference/core/error.hpp"

#ifndef __CUDACC__
#include <functional>
#include <tuple>
#endif

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

#ifdef __CUDACC__

using Dim3 = dim3;

inline void check_launch(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw RunError(std::string(what) + ": " + cudaGetErrorString(error));
}

/// Runs `kernel(arguments...)` on `grid` blocks of `block` threads; throws RunError if CUDA
/// refuses.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), Dim3 grid, Dim3 block, std::size_t smem_bytes,
            StreamHandle stream, std::type_identity_t<Parameters>... arguments) {
  if (smem_bytes > 48 * 1024) {  // more than every device has must be asked for
    check_launch(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                      cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(smem_bytes)),
                 "shared memory of a kernel");
  }
  kernel<<<grid, block, smem_bytes, static_cast<cudaStream_t>(stream.queue)>>>(arguments...);
  check_launch(cudaGetLastError(), "launch of a kernel");
}

#else

using Dim3 = on_cpu::Dim3;

/// Runs `kernel(arguments...)` on `grid` blocks of `block` threads, with the grid options of now.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), Dim3 grid, Dim3 block, std::size_t smem_bytes,
            StreamHandle stream, std::type_identity_t<Parameters>... arguments) {
  std::function<void()> work = [=, options = on_cpu::grid_options(),
                                packed = std::tuple<Parameters...>(arguments...)] {
    on_cpu::run_grid(options, grid, block, smem_bytes, [&] { std::apply(kernel, packed); });
  };
  if (stream.queue != nullptr) {
    static_cast<StreamQueue*>(stream.queue)->enqueue(std::move(work));
  } else {
    work();
  }
}

#endif

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

// Every call of the CUDA runtime goes through here: a failure is a RunError with the call, the
// name and text of the error, and the place.
#pragma once

#include <cuda_runtime_api.h>

namespace ringlab::cuda::detail {

[[noreturn]] void cuda_call_failed(const char* call, cudaError_t error, const char* file, int line);

}  // namespace ringlab::cuda::detail

#define RINGLAB_CUDA_CHECK(call)                                                                \
  do {                                                                                          \
    const cudaError_t ringlab_cuda_error = (call);                                              \
    if (ringlab_cuda_error != cudaSuccess) {                                                    \
      ::ringlab::cuda::detail::cuda_call_failed(#call, ringlab_cuda_error, __FILE__, __LINE__); \
    }                                                                                           \
  } while (false)

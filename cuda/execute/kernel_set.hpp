// The kernels of one side as a table, so that one executor launches those of nvcc on a GPU and
// those of g++ on CPU streams.
#pragma once

#include "ringlab/cuda/kernels/kernels.hpp"

namespace ringlab::cuda {

/// What each entry does stands in kernels.hpp, under the same name.
struct KernelSet {
  void (*check_supported)(const AttendArguments&, Rung);
  void (*attend_forward)(const ForwardArguments&, Rung, StreamHandle);
  void (*attend_backward)(const BackwardArguments&, Rung, StreamHandle);
  void (*row_statistics)(const float* out, DataType, const void* output_gradient,
                         const float* lse_gradient, float* delta, std::int64_t rows, int head_dim,
                         StreamHandle);
  void (*apply_sinks)(const float* sinks, int first_head, float* out, float* lse,
                      std::int64_t tokens, int heads, int head_dim, StreamHandle);
  void (*merge)(const float* from_out, const float* from_lse, float* out, float* lse,
                std::int64_t rows, int head_dim, StreamHandle);
  void (*accumulate)(const float* from, float* into, std::int64_t count, StreamHandle);
  void (*fill)(float* into, float value, std::int64_t count, StreamHandle);
  void (*convert)(DataType from_type, const void* from, DataType into_type, void* into,
                  std::int64_t count, StreamHandle);
};

/// Those that g++ compiled, one fiber a CUDA thread.
const KernelSet& cpu_kernels();

/// Those that nvcc compiled; null in a build without CUDA.
const KernelSet* gpu_kernels();

}  // namespace ringlab::cuda

// What every kernel source includes first: CUDA's words, from nvcc or from the fibers.
//
// The barriers have names of their own because __syncthreads is a keyword of nvcc: a function can
// be given a CPU twin, and a test can take it away.
#pragma once

#include "ringlab/cuda/runtime/side.hpp"

#ifdef __CUDACC__
#include <cuda_runtime.h>

// Before a loop over an array that is to live in registers.
#define RINGLAB_UNROLL _Pragma("unroll")

namespace ringlab::cuda {

__device__ __forceinline__ void block_sync() {
  __syncthreads();
}
__device__ __forceinline__ void warp_sync() {
  __syncwarp();
}

__device__ __forceinline__ unsigned char* dynamic_smem() {
  extern __shared__ __align__(128) unsigned char ringlab_dynamic_smem[];
  return ringlab_dynamic_smem;
}

}  // namespace ringlab::cuda

#else
#include "ringlab/cuda/on_cpu/cuda_on_cpu.hpp"
#define RINGLAB_UNROLL
#endif

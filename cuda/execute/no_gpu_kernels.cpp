// Stands in for gpu_kernels.cpp in a build without CUDA.
#include "ringlab/cuda/execute/kernel_set.hpp"

namespace ringlab::cuda {

const KernelSet* gpu_kernels() {
  return nullptr;
}

}  // namespace ringlab::cuda

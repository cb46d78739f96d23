#include "ringlab/cuda/execute/kernel_set.hpp"

namespace ringlab::cuda {

const KernelSet& cpu_kernels() {
  static const KernelSet set{check_supported, attend_forward, attend_backward,
                             row_statistics,  apply_sinks,    merge,
                             accumulate,      fill,           convert};
  return set;
}

}  // namespace ringlab::cuda

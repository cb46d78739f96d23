// One input type per translation unit: ten kernels in one would be a minute of one compiler.
#include "ringlab/cuda/kernels/backward_v3.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

void backward_v3_f16(const BackwardArguments& arguments, StreamHandle stream) {
  backward_v3<Float16>(arguments, stream);
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

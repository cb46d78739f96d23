// One input type per translation unit: ten kernels in one would be a minute of one compiler.
#include "ringlab/cuda/kernels/forward_v3.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

void forward_v3_f16(const ForwardArguments& arguments, StreamHandle stream) {
  forward_v3<Float16>(arguments, stream);
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

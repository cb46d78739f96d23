// From a type known at run time to one known to the compiler.
#pragma once

#include "ringlab/cuda/kernels/rungs.hpp"
#include "ringlab/cuda/ptx/half.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

/// Calls visit.operator()<T>() with the element type that `type` names.
template <class Visit>
void with_element(DataType type, const Visit& visit) {
  switch (type) {
    case DataType::f32:
      return visit.template operator()<float>();
    case DataType::f16:
      return visit.template operator()<Float16>();
    case DataType::bf16:
      return visit.template operator()<BFloat16>();
  }
}

/// Value i of a tensor of any type: for tiles that are held in float32 anyway.
__device__ inline float load_element(DataType type, const void* values, std::int64_t i) {
  if (type == DataType::f32) return static_cast<const float*>(values)[i];
  if (type == DataType::f16) return ptx::to_float(static_cast<const Float16*>(values)[i]);
  return ptx::to_float(static_cast<const BFloat16*>(values)[i]);
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

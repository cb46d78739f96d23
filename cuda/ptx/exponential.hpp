// 2^x in one instruction, with an error of 2 ulp and NaN kept: enough for weights that are rounded
// to 16 bits next. PTX ISA 9.0, 9.7.3.22 (ex2.approx: subnormal results become 0 with .ftz).
#pragma once

#include <cmath>

#include "ringlab/cuda/runtime/device.hpp"

namespace ringlab::cuda::ptx {

__device__ __forceinline__ float exp2_approximate(float x) {
#ifdef __CUDACC__
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  const float y = std::exp2(x);
  return y < 1.17549435e-38F ? 0.0F : y;  // a NaN is not less
#endif
}

}  // namespace ringlab::cuda::ptx

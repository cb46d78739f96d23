// The two 16-bit floats as bits, one at a time and packed by two, and their conversions.
//
// Kernels hold them as `Half<type>`, so that both sides have one type without CUDA's headers.
// The twins are reference/io/half: to nearest, ties to even, as cvt.rn does.
#pragma once

#include <cstdint>

#include "ringlab/cuda/runtime/device.hpp"
#ifndef __CUDACC__
#include "ringlab/reference/io/half.hpp"
#endif

namespace ringlab::cuda {

/// IEEE binary16 and bfloat16, by their bits. All exponent bits set: infinity or NaN.
struct Float16 {
  static constexpr std::uint16_t kExponent = 0x7c00;
  std::uint16_t bits;
};
struct BFloat16 {
  static constexpr std::uint16_t kExponent = 0x7f80;
  std::uint16_t bits;
};

namespace ptx {

__device__ __forceinline__ float to_float(float x) {
  return x;
}
__device__ __forceinline__ float to_float(BFloat16 x) {
#ifdef __CUDACC__
  return __uint_as_float(static_cast<unsigned>(x.bits) << 16);
#else
  return float_from_bfloat16(x.bits);
#endif
}
__device__ __forceinline__ float to_float(Float16 x) {
#ifdef __CUDACC__
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x.bits));
  return y;
#else
  return float_from_float16(x.bits);
#endif
}

template <class T>
__device__ __forceinline__ T from_float(float x);
template <>
__device__ __forceinline__ float from_float<float>(float x) {
  return x;
}
template <>
__device__ __forceinline__ BFloat16 from_float<BFloat16>(float x) {
#ifdef __CUDACC__
  BFloat16 y;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
  return y;
#else
  return {bfloat16_from(x)};
#endif
}
template <>
__device__ __forceinline__ Float16 from_float<Float16>(float x) {
#ifdef __CUDACC__
  Float16 y;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
  return y;
#else
  return {float16_from(x)};
#endif
}

/// Two values in one register, `low` in the lower half: what a matrix fragment holds.
template <class T>
__device__ __forceinline__ std::uint32_t pack(float low, float high);
template <>
__device__ __forceinline__ std::uint32_t pack<BFloat16>(float low, float high) {
#ifdef __CUDACC__
  std::uint32_t y;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(high), "f"(low));
  return y;
#else
  return from_float<BFloat16>(low).bits |
         static_cast<std::uint32_t>(from_float<BFloat16>(high).bits) << 16;
#endif
}
template <>
__device__ __forceinline__ std::uint32_t pack<Float16>(float low, float high) {
#ifdef __CUDACC__
  std::uint32_t y;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(high), "f"(low));
  return y;
#else
  return from_float<Float16>(low).bits | static_cast<std::uint32_t>(from_float<Float16>(high).bits)
                                             << 16;
#endif
}

}  // namespace ptx
}  // namespace ringlab::cuda

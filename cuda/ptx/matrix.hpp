// Tensor cores: a 16x16 by 16x8 product of a whole warp, and the loads that lay out its operands.
//
// PTX ISA 9.0, 9.7.14.5.8 (mma.m16n8k16) and 9.7.14.5.15 (ldmatrix). With g = lane / 4 and
// t = lane % 4, two values a register, the lower first:
//
//   A [16 rows, 16 k]   a0: row g,   k 2t, 2t+1     a1: row g+8, k 2t, 2t+1
//                       a2: row g,   k 2t+8, 2t+9   a3: row g+8, k 2t+8, 2t+9
//   B [16 k, 8 columns] b0: k 2t, 2t+1, column g    b1: k 2t+8, 2t+9, column g
//   C [16 rows, 8]      c0, c1: row g, columns 2t, 2t+1    c2, c3: row g+8, the same columns
//
// So two neighbouring C fragments, rounded, are one A fragment: what lets P V follow Q K^T without
// leaving registers.
#pragma once

#include "ringlab/cuda/ptx/half.hpp"
#ifndef __CUDACC__
#include "ringlab/reference/core/error.hpp"
#endif

namespace ringlab::cuda::ptx {

struct FragmentA {
  std::uint32_t x[4];
};
struct FragmentB {
  std::uint32_t x[2];
};
struct FragmentC {
  float x[4];
};

#ifndef __CUDACC__
namespace twin {

template <class T>
float half_of(std::uint32_t packed, int which) {
  return to_float(T{static_cast<std::uint16_t>(which == 0 ? packed : packed >> 16)});
}

struct MatrixOperands {
  FragmentC* c;
  const FragmentA* a;
  const FragmentB* b;
};

/// Gathers the three matrices from all lanes, multiplies, and adds to everyone's part of C.
template <class T>
void multiply_add(void* const* lanes) {
  float a[16][16], b[16][8];
  for (int lane = 0; lane < 32; ++lane) {
    RINGLAB_ENSURE(lanes[lane] != nullptr, "a matrix product takes a whole warp");
    const auto& mine = *static_cast<const MatrixOperands*>(lanes[lane]);
    const int g = lane / 4, t = lane % 4;
    for (int half = 0; half < 2; ++half) {
      for (int i = 0; i < 4; ++i) {
        a[g + 8 * (i % 2)][2 * t + 8 * (i / 2) + half] = half_of<T>(mine.a->x[i], half);
      }
      for (int i = 0; i < 2; ++i) b[2 * t + 8 * i + half][g] = half_of<T>(mine.b->x[i], half);
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    const auto& mine = *static_cast<const MatrixOperands*>(lanes[lane]);
    const int g = lane / 4, t = lane % 4;
    for (int i = 0; i < 4; ++i) {
      const int row = g + 8 * (i / 2), column = 2 * t + i % 2;
      float sum = 0;
      for (int k = 0; k < 16; ++k) sum += a[row][k] * b[k][column];
      mine.c->x[i] += sum;
    }
  }
}

struct LoadOperands {
  const void* row;
  std::uint32_t* result;  // [4]
};

/// Lane l names row l % 8 of matrix l / 8; register m of lane l gets two values of matrix m: row g,
/// columns 2t, 2t+1, or transposed.
template <bool kTransposed>
void load_matrices(void* const* lanes) {
  for (int lane = 0; lane < 32; ++lane) {
    RINGLAB_ENSURE(lanes[lane] != nullptr, "ldmatrix takes a whole warp");
    const int g = lane / 4, t = lane % 4;
    for (int m = 0; m < 4; ++m) {
      std::uint32_t packed = 0;
      for (int half = 0; half < 2; ++half) {
        const int row = kTransposed ? 2 * t + half : g, column = kTransposed ? g : 2 * t + half;
        const void* source = static_cast<const LoadOperands*>(lanes[8 * m + row])->row;
        packed |= static_cast<std::uint32_t>(static_cast<const std::uint16_t*>(source)[column])
                  << (16 * half);
      }
      static_cast<const LoadOperands*>(lanes[lane])->result[m] = packed;
    }
  }
}

}  // namespace twin
#endif

/// c += a b, in float32.
template <class T>
__device__ __forceinline__ void multiply_add(FragmentC& c, const FragmentA& a, const FragmentB& b);
#ifdef __CUDACC__
#define RINGLAB_MMA(type, name)                                                          \
  template <>                                                                            \
  __device__ __forceinline__ void multiply_add<type>(FragmentC & c, const FragmentA& a,  \
                                                     const FragmentB& b) {               \
    asm("mma.sync.aligned.m16n8k16.row.col.f32." name "." name                           \
        ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                     \
        : "+f"(c.x[0]), "+f"(c.x[1]), "+f"(c.x[2]), "+f"(c.x[3])                         \
        : "r"(a.x[0]), "r"(a.x[1]), "r"(a.x[2]), "r"(a.x[3]), "r"(b.x[0]), "r"(b.x[1])); \
  }
RINGLAB_MMA(BFloat16, "bf16")
RINGLAB_MMA(Float16, "f16")
#undef RINGLAB_MMA
#else
template <class T>
void multiply_add(FragmentC& c, const FragmentA& a, const FragmentB& b) {
  twin::MatrixOperands operands{&c, &a, &b};
  ::ringlab::on_cpu::warp_collective(&twin::multiply_add<T>, &operands);
}
#endif

/// Four 8x8 matrices of 16-bit values from shared memory: lane l passes the address of row l % 8 of
/// matrix l / 8 (16 bytes, aligned), and gets one register of each. `kTransposed` turns each.
template <bool kTransposed>
__device__ __forceinline__ void load_matrices(const void* row, std::uint32_t (&result)[4]) {
#ifdef __CUDACC__
  const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(row));
  if constexpr (kTransposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(result[0]), "=r"(result[1]), "=r"(result[2]), "=r"(result[3])
                 : "r"(from)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(result[0]), "=r"(result[1]), "=r"(result[2]), "=r"(result[3])
                 : "r"(from)
                 : "memory");
  }
#else
  twin::LoadOperands operands{row, result};
  ::ringlab::on_cpu::warp_collective(&twin::load_matrices<kTransposed>, &operands);
#endif
}

}  // namespace ringlab::cuda::ptx

// Matrix products and operations bound by memory, as a roofline.
#pragma once

#include "ringlab/sim/cluster/gpu.hpp"

namespace ringlab {

/// A product of [rows, inner] by [inner, columns]: the longer of its FLOPs at the rate that large
/// products reach and its three matrices through memory.
double matrix_seconds(const Gpu& gpu, double rows, double inner, double columns,
                      double element_bytes = 2);

/// Bytes read and written, at the peak of the memory.
inline double memory_seconds(const Gpu& gpu, double bytes) {
  return bytes / gpu.memory_bytes_per_second;
}

}  // namespace ringlab

#include "ringlab/sim/cost/compute_cost.hpp"

#include <algorithm>

namespace ringlab {

double matrix_seconds(const Gpu& gpu, double rows, double inner, double columns,
                      double element_bytes) {
  const double flops = 2 * rows * inner * columns;
  const double bytes = (rows * inner + inner * columns + rows * columns) * element_bytes;
  return std::max(flops / gpu.reached_flops_per_second, memory_seconds(gpu, bytes));
}

}  // namespace ringlab

#include "ringlab/sim/layer/hiding.hpp"

#include <cmath>

namespace ringlab {

double hidden_from_tokens(const HidingProblem& p) {
  const double flops = (p.backward ? 10 : 4) * p.query_heads * p.head_dim * (p.causal ? 0.5 : 1);
  const double bytes =
      2 * p.kv_heads * p.head_dim * (p.input_bytes + (p.backward ? p.gradient_bytes : 0));
  const double a = flops / p.flops_per_second, b = bytes / p.link.bytes_per_second;
  const double alpha = p.link.latency_seconds;
  return (b + std::sqrt(b * b + 4 * a * alpha)) / (2 * a);
}

}  // namespace ringlab

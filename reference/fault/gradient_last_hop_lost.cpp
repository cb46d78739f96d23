#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Wrong : detail::Right {
  template <class T>
  void backward(const AttendBackwardCall<T>& c) const {
    if (c.at.hop < c.at.schedule.hops - 1) return compute(c);
    KeyValue<T> lost = c.block_gradient;
    compute(AttendBackwardCall<T>{c.at, c.rule, c.query, c.output_gradient, c.statistics, c.block,
                                  c.query_gradient, lost, c.kernel});
  }
};

}  // namespace

PlantedFault gradient_last_hop_lost() {
  return {"gradient_last_hop_lost",
          FaultPart::gradient,
          "what the last hop adds to dK and dV is never sent home",
          "Forward and dQ are right; dK and dV are too small where later queries look back.",
          "The sum that travels was passed on before the last tile's share was added.",
          "zhuzilin/ring-flash-attention #24",
          "dQ exact; dK and dV lack one rank's queries: contiguous and causal, the last rank's "
          "share of the first rank's keys.",
          {{"backward", "true"}, {"layout", "contiguous"}},
          false,
          [](AttentionPlan& plan) {
            detail::need_backward(plan);
            detail::need_ranks(plan, 2);
            detail::use<Wrong>(plan);
          }};
}

}  // namespace ringlab::fault

#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  template <class T>
  static RowStatistics<T> statistics(const RowStatistics<T>&, const RowStatistics<T>& of_tile) {
    return of_tile;
  }
};

}  // namespace

PlantedFault lse_per_hop() {
  return {"lse_per_hop",
          FaultPart::gradient,
          "the backward pass uses the log-sum-exp of each hop instead of the whole row's",
          "The forward pass is right, all three gradients are far off.",
          "Output and log-sum-exp were recomputed for each block, so every hop's weights add up to "
          "one by themselves.",
          "pytorch/pytorch PR #131351",
          "dQ, dK and dV all wrong and too large; with one rank all are right.",
          {{"backward", "true"}},
          false,
          [](AttentionPlan& plan) {
            detail::need_backward(plan);
            detail::need_ranks(plan, 2);
            detail::use<detail::WrongStatistics<Rule>>(plan);
          }};
}

}  // namespace ringlab::fault

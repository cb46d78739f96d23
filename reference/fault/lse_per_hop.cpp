#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Wrong : detail::Right {
  template <class T>
  void backward(const AttendBackwardCall<T>& c) const {
    Partial<T> tile = identity_partial<T>(c.query.values.tokens(), c.query.values.heads(),
                                          c.query.values.head_dim());
    compute(AttendCall<T>{c.at, c.rule, c.query, c.block, tile, c.kernel});
    const RowStatistics<T> of_tile = row_statistics(tile, c.output_gradient);
    compute(AttendBackwardCall<T>{c.at, c.rule, c.query, c.output_gradient, of_tile, c.block,
                                  c.query_gradient, c.block_gradient, c.kernel});
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
            detail::use<Wrong>(plan);
          }};
}

}  // namespace ringlab::fault

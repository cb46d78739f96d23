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
    const RowStatistics<T> mixed{c.statistics.lse, of_tile.delta};
    compute(AttendBackwardCall<T>{c.at, c.rule, c.query, c.output_gradient, mixed, c.block,
                                  c.query_gradient, c.block_gradient, c.kernel});
  }
};

}  // namespace

PlantedFault delta_per_hop() {
  return {"delta_per_hop",
          FaultPart::gradient,
          "delta is computed from the output of one hop instead of the whole row",
          "The forward pass and dV are right; dQ and dK are off by about a half.",
          "delta = rowsum(dO * O) belongs to the finished row. With the hop's own output each tile "
          "subtracts the mean of the wrong softmax.",
          "pytorch/pytorch PR #129515",
          "dV exact, dQ and dK wrong: delta is the one thing that dV does not need.",
          {{"backward", "true"}},
          false,
          [](AttentionPlan& plan) {
            detail::need_backward(plan);
            detail::need_ranks(plan, 2);
            detail::use<Wrong>(plan);
          }};
}

}  // namespace ringlab::fault

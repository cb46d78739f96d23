#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  template <class T>
  static RowStatistics<T> statistics(const RowStatistics<T>& of_row,
                                     const RowStatistics<T>& of_tile) {
    return {of_row.lse, of_tile.delta};
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
            detail::use<detail::WrongStatistics<Rule>>(plan);
          }};
}

}  // namespace ringlab::fault

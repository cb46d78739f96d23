#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  template <class T>
  static void fold(detail::PartialRow<T> row, T lse, const T* out) {
    if (detail::is_empty(lse)) return;
    if (detail::is_empty(row.lse)) return row.set(lse, out);
    const T sum = row.lse + lse;  // where log(exp(a) + exp(b)) is meant
    row.mix(std::exp(row.lse - sum), std::exp(lse - sum), out);
    row.lse = sum;
  }
};

}  // namespace

PlantedFault merge_lse_added() {
  return {"merge_lse_added",
          FaultPart::merge,
          "log-sum-exps are added, where their exponentials should be",
          "Outputs have the wrong size, often by large factors, from the second block on.",
          "The sum of two logarithms was taken for the logarithm of a sum, so the weights of the "
          "two parts do not add up to one.",
          "zhuzilin/ring-flash-attention #20",
          "The log-sum-exp of a row is the sum of its blocks' log-sum-exps; with constant values "
          "the output is not that constant.",
          {},
          false,
          [](AttentionPlan& plan) { detail::use<detail::WrongMerge<Rule>>(plan); }};
}

}  // namespace ringlab::fault

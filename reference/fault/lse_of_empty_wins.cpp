#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  template <class T>
  static void fold(detail::PartialRow<T> row, T lse, const T* out) {
    if (detail::is_empty(lse)) lse = std::numeric_limits<T>::infinity();  // the kernel's sentinel
    if (detail::is_empty(row.lse)) return row.set(lse, out);
    const T weight = 1 / (1 + std::exp(row.lse - lse));
    row.mix(std::isinf(lse) ? T(0) : 1 - weight, std::isinf(row.lse) ? T(0) : weight, out);
    row.lse = std::max(row.lse, lse) + std::log1p(std::exp(-std::abs(row.lse - lse)));
    if (std::isnan(row.lse)) row.lse = std::numeric_limits<T>::infinity();
  }
};

}  // namespace

PlantedFault lse_of_empty_wins() {
  return {"lse_of_empty_wins",
          FaultPart::merge,
          "a row that sees nothing of a block reports +inf, and so takes all the weight",
          "Rows come out exactly zero, with an infinite log-sum-exp; without a mask nothing is "
          "wrong.",
          "The kernel's sentinel for a row without visible keys was +inf. The merge gives the "
          "larger log-sum-exp all the weight.",
          "deepseek-ai/FlashMLA PR #77",
          "Every row that meets one block without a visible key is exactly zero.",
          {},
          false,
          [](AttentionPlan& plan) {
            detail::need_causal(plan);
            detail::use<detail::WrongMerge<Rule>>(plan);
          }};
}

}  // namespace ringlab::fault

#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  template <class T>
  static void fold(detail::PartialRow<T> row, T lse, const T* out) {
    if (!detail::is_empty(lse)) row.set(lse, out);
  }
};

}  // namespace

PlantedFault merge_newest_only() {
  return {"merge_newest_only",
          FaultPart::merge,
          "each hop replaces the result instead of merging into it",
          "Every row that sees more than one block is far off, and so is its log-sum-exp. What "
          "stands there is attention over the last block that the row met.",
          "The branch for one kernel assigned the newest block's output and log-sum-exp to the "
          "running result, so each hop erased the hops before it.",
          "feifeibear/long-context-attention #176",
          "Output and log-sum-exp are wrong in all rows but those that see their home block only; "
          "the log-sum-exp is too small, and the result depends on the order of the hops.",
          {},
          false,
          [](AttentionPlan& plan) { detail::use<detail::WrongMerge<Rule>>(plan); }};
}

}  // namespace ringlab::fault

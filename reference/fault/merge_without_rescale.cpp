#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  template <class T>
  static void fold(detail::PartialRow<T> row, T lse, const T* out) {
    if (detail::is_empty(lse)) return;
    if (detail::is_empty(row.lse)) return row.set(lse, out);
    const T total = detail::log_add(row.lse, lse);
    // A larger newcomer should shrink what is there by exp(old - new); it does not.
    const T old = lse > row.lse ? std::exp(lse - total) : std::exp(row.lse - total);
    row.mix(old, std::exp(lse - total), out);
    row.lse = total;
  }
};

}  // namespace

PlantedFault merge_without_rescale() {
  return {"merge_without_rescale",
          FaultPart::merge,
          "the accumulator is not rescaled when the maximum grows",
          "Rows whose larger scores come in later blocks are too large; rows whose first block has "
          "the largest scores are right. The log-sum-exp is right everywhere.",
          "The running sum was rescaled by exp(m_old - m_new) and the running output was not.",
          "foundation-model-stack/foundation-model-stack #406",
          "Output wrong and log-sum-exp right, and with constant values the rows that are wrong "
          "are larger than that constant.",
          {},
          false,
          [](AttentionPlan& plan) { detail::use<detail::WrongMerge<Rule>>(plan); }};
}

}  // namespace ringlab::fault

#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  template <class T>
  static void fold(detail::PartialRow<T> row, T lse, const T* out) {
    if (detail::is_empty(lse)) return;
    if (detail::is_empty(row.lse)) return row.set(lse, out);
    row.mix(T(0.5), T(0.5), out);
    row.lse = detail::log_add(row.lse, lse);
  }
};

}  // namespace

PlantedFault merge_averaged() {
  return {"merge_averaged",
          FaultPart::merge,
          "old and new results are averaged, whatever their weight",
          "Close to plain attention but never equal to it; the log-sum-exp is right.",
          "Each block's output is normalised by its own sum. Without the weights exp(lse_block - "
          "lse_total) an average is not the softmax over both blocks.",
          "gpu-mode/ring-attention #6",
          "Output wrong and log-sum-exp right; with constant values nothing shows, since the "
          "weights still add up to one.",
          {},
          false,
          [](AttentionPlan& plan) { detail::use<detail::WrongMerge<Rule>>(plan); }};
}

}  // namespace ringlab::fault

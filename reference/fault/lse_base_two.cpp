#include <numbers>
#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  template <class T>
  static void fold(detail::PartialRow<T> row, T lse, const T* out) {
    if (detail::is_empty(lse)) return;
    const T in_base_two = lse / std::numbers::ln2_v<T>;  // what the kernel returns
    if (detail::is_empty(row.lse)) return row.set(in_base_two, out);
    const T total = detail::log_add(row.lse, in_base_two);
    row.mix(std::exp(row.lse - total), std::exp(in_base_two - total), out);
    row.lse = total;
  }
};

}  // namespace

PlantedFault lse_base_two() {
  return {"lse_base_two",
          FaultPart::merge,
          "the kernel's log-sum-exp is in base 2, the merge takes it for natural",
          "Mildly wrong everywhere beyond the home block: large weights become larger, small ones "
          "smaller. After a long prefix the newest tokens get a fifth of their weight.",
          "Kernels that compute with exp2 return log2 of the sum; nobody multiplied by ln 2.",
          "sgl-project/sglang #40903",
          "Where a row has seen one block only, its output is right and its log-sum-exp is 1.4427 "
          "times the right one. Blocks of equal log-sum-exp hide it.",
          {},
          false,
          [](AttentionPlan& plan) { detail::use<detail::WrongMerge<Rule>>(plan); }};
}

}  // namespace ringlab::fault

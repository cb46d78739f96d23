#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"
#include "ringlab/reference/io/half.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  template <class T>
  static void fold(detail::PartialRow<T> row, T lse, const T* out) {
    if (detail::is_empty(lse)) return;
    const T total = detail::is_empty(row.lse) ? lse : detail::log_add(row.lse, lse);
    row.mix(std::exp(row.lse - total), std::exp(lse - total), out);
    row.lse = total;
    for (Index d = 0; d < row.head_dim; ++d) {
      row.out[d] = static_cast<T>(float_from_bfloat16(bfloat16_from(row.out[d])));
    }
  }
};

}  // namespace

PlantedFault accumulator_bfloat16() {
  return {"accumulator_bfloat16",
          FaultPart::merge,
          "the running output is kept in bfloat16",
          "Everything is right to two or three digits; the error grows with the number of ranks.",
          "The kernel returns bfloat16 and the merge keeps it, so every hop rounds the running "
          "output once more.",
          "zhuzilin/ring-flash-attention #42",
          "The relative error lies near 2e-3 with two ranks and grows with their number, for the "
          "output "
          "more slowly than the square root, since each merge shrinks older errors as well; a "
          "rounding at the end alone would stay where it is.",
          {},
          false,
          [](AttentionPlan& plan) { detail::use<detail::WrongMerge<Rule>>(plan); }};
}

}  // namespace ringlab::fault

#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  static void change(AttentionRule& rule) { rule.mask.window_right = -1; }
};

}  // namespace

PlantedFault mask_strict_diagonal() {
  return {"mask_strict_diagonal",
          FaultPart::mask,
          "no token sees itself: the causal diagonal is missing",
          "Every row is wrong, the first one included: it is zero, since it sees nothing.",
          "Visible was written as key < query. Striped layouts need the strict rule between some "
          "shards, counted in local indices, and there it slipped in everywhere.",
          "lucidrains/ring-attention-pytorch #11",
          "Row 0 is exactly zero with log-sum-exp -inf; moving a key leaves its own row where it "
          "is.",
          {},
          false,
          [](AttentionPlan& plan) {
            detail::need_causal(plan);
            detail::use<detail::WrongRule<Rule>>(plan);
          }};
}

}  // namespace ringlab::fault

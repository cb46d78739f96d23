#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

void need_window(const AttentionPlan& plan) {
  if (plan.rule.mask.window_left) return;
  detail::cannot_show("of a window, without one", "use a mask such as causal+window=3:0");
}

struct Lost {
  static void change(AttentionRule& rule) { rule.mask.window_left.reset(); }
};

}  // namespace

PlantedFault window_lost() {
  return {"window_lost",
          FaultPart::mask,
          "the sliding window is dropped on the way to the ring",
          "Trains with a plausible loss; rows near the start are right, later ones are wrong.",
          "The hook that put the ring in place of the model's attention threw its mask away and "
          "set the causal flag.",
          "huggingface/accelerate PR #4177",
          "Rows 0 to window_left are exact; moving an old key moves rows beyond the window.",
          {{"mask", "causal+window=3:0"}},
          false,
          [](AttentionPlan& plan) {
            need_window(plan);
            detail::use<detail::WrongRule<Lost>>(plan);
          }};
}

}  // namespace ringlab::fault

#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Wider {
  static void change(AttentionRule& rule) { rule.mask.window_left = *rule.mask.window_left + 1; }
};

}  // namespace

PlantedFault window_off_by_one() {
  return {"window_off_by_one",
          FaultPart::mask,
          "the window is one token too wide",
          "Small errors from the row on at which the window begins to bind.",
          "One library counts the window with the query itself, the other without it.",
          "huggingface/transformers #39408",
          "Rows 0 to window_left are exact; moving a key moves one row more than it should.",
          {{"mask", "causal+window=3:0"}},
          false,
          [](AttentionPlan& plan) {
            if (!plan.rule.mask.window_left) {
              detail::cannot_show("of a window, without one",
                                  "use a mask such as causal+window=3:0");
            }
            detail::use<detail::WrongRule<Wider>>(plan);
          }};
}

}  // namespace ringlab::fault

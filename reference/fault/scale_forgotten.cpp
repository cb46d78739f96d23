#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  static void change(AttentionRule& rule) { rule.scale = 1; }
};

}  // namespace

PlantedFault scale_forgotten() {
  return {"scale_forgotten",
          FaultPart::rule,
          "scores are not scaled by 1 / sqrt(head_dim)",
          "Every row but the first is wrong: the weights are too sharp.",
          "The ring's kernel was called without the scale, and its default was another one.",
          "PrimeIntellect-ai/prime-rl PR #3007",
          "Row 0 is exact, since a single key has all the weight at any scale; the log-sum-exp "
          "of row 0 is off by a factor.",
          {},
          false,
          [](AttentionPlan& plan) {
            if (plan.rule.scale == 1) {
              detail::cannot_show("of the scale, with a scale of 1", "leave --scale out");
            }
            detail::use<detail::WrongRule<Rule>>(plan);
          }};
}

}  // namespace ringlab::fault

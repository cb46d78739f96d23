#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
PlantedFault stale_block() {
  return {"stale_block",
          FaultPart::schedule,
          "hop 1 computes on the block of hop 0 once more",
          "One block counts twice and another not at all. On real hardware it comes and goes with "
          "the timing.",
          "The buffer was read before the new block had arrived, so the old one was still in it.",
          "pytorch/pytorch #132292",
          "The log-sum-exp of a row that sees its home block alone is too large by exactly ln 2; "
          "the checker names a repeated tile.",
          {},
          true,
          [](AttentionPlan& plan) {
            detail::need_ranks(plan, 2);
            if (plan.backward) {
              detail::cannot_show("of the forward pass, with gradients", "leave --backward out");
            }
            for (RankProgram& program : plan.forward.ranks) {
              const BufferId own = detail::buffer_named(program, "kv");
              for (Step& step : program.steps) {
                auto* attend = std::get_if<Attend>(&step.action);
                if (attend && step.hop == 1) attend->key_value = own;
              }
            }
          }};
}

}  // namespace ringlab::fault

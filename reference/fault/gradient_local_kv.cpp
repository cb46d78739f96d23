#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
PlantedFault gradient_local_kv() {
  return {"gradient_local_kv",
          FaultPart::gradient,
          "the backward pass reads the keys and values of hop 0 at every hop",
          "The forward pass is right; all gradients are wrong with more than one rank.",
          "The backward loop recomputed each tile from the tensors that were saved, which are the "
          "home block, and not from the block that was there.",
          "huggingface/diffusers #14265",
          "Output exact; dQ, dK and dV all far off, dQ most of all, and all right with one rank.",
          {{"backward", "true"}},
          true,
          [](AttentionPlan& plan) {
            detail::need_backward(plan);
            detail::need_equal_shards(plan);
            for (RankProgram& program : plan.backward->ranks) {
              const BufferId own = detail::buffer_named(program, "kv");
              for (Step& step : program.steps) {
                auto* attend = std::get_if<AttendBackward>(&step.action);
                if (attend) attend->key_value = own;
              }
            }
          }};
}

}  // namespace ringlab::fault

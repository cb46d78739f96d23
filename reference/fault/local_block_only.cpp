#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
PlantedFault local_block_only() {
  return {"local_block_only",
          FaultPart::schedule,
          "each rank attends to its own shard and to nothing else",
          "The parts of the sequence do not know of each other: two halves of an image that do "
          "not match.",
          "The path that was taken never passed keys and values on, though a ring was asked for.",
          "huggingface/diffusers #12563",
          "The result is attention within each shard; moving a key moves rows of its own rank "
          "only.",
          {},
          true,
          [](AttentionPlan& plan) {
            detail::need_ranks(plan, 2);
            detail::each_schedule(plan, [](Schedule& schedule) {
              for (RankProgram& program : schedule.ranks) {
                detail::remove_steps(program, [](const Step& step) {
                  return detail::is_computation(step) && step.hop > 0;
                });
              }
            });
          }};
}

}  // namespace ringlab::fault

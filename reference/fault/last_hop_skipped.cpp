#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
PlantedFault last_hop_skipped() {
  return {"last_hop_skipped",
          FaultPart::schedule,
          "the loop over hops ends one too early",
          "Rows that need the last block are wrong; causal and contiguous, that is the last rank "
          "alone.",
          "R - 1 transfers are right and R - 1 computations are not: the block that came last was "
          "never used.",
          "no single thread: the fingerprint is that of a planted fault",
          "Contiguous and causal, only the last rank's rows are wrong; the checker names the "
          "missed tiles.",
          {{"layout", "contiguous"}},
          true,
          [](AttentionPlan& plan) {
            detail::need_ranks(plan, 2);
            detail::each_schedule(plan, [](Schedule& schedule) {
              for (RankProgram& program : schedule.ranks) {
                detail::remove_steps(program, [&](const Step& step) {
                  return detail::is_computation(step) && step.hop == schedule.hops - 1;
                });
              }
            });
          }};
}

}  // namespace ringlab::fault

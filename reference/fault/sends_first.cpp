#include <algorithm>
#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
PlantedFault sends_first() {
  return {"sends_first",
          FaultPart::schedule,
          "every rank sends, waits, and only then receives",
          "Small messages pass, large ones hang for ever: nobody receives, so nobody's send ends.",
          "Send and receive of a hop were not begun as one group. A send that needs its receive to "
          "be posted waits for a rank that is waiting for the same reason.",
          "NVIDIA/nccl #479",
          "The run ends with an error and not with a wrong number; the checker names the ranks of "
          "the circle.",
          {},
          true,
          [](AttentionPlan& plan) {
            detail::need_ranks(plan, 2);
            for (RankProgram& program : plan.forward.ranks) {
              const auto at = std::find_if(
                  program.steps.begin(), program.steps.end(),
                  [](const Step& step) { return std::holds_alternative<Exchange>(step.action); });
              Exchange& first = std::get<Exchange>(at->action);
              constexpr int kUnusedId = 1000000;
              const Exchange receive{kUnusedId, {}, first.receives, first.channel};
              const int id = first.id;
              first.receives.clear();
              for (Step& step : program.steps) {
                auto* wait = std::get_if<Wait>(&step.action);
                if (wait && wait->id == id) wait->id = kUnusedId;
              }
              const Step wait{0, Wait{id}}, then{0, receive};
              program.steps.insert(at + 1, {wait, then});
            }
          }};
}

}  // namespace ringlab::fault

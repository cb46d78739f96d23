#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"
#include "ringlab/reference/schedule/builder.hpp"

namespace ringlab::fault {
PlantedFault gradient_one_hop_too_far() {
  return {"gradient_one_hop_too_far",
          FaultPart::gradient,
          "dK and dV are passed on once more after they have come home",
          "The loss falls at first and then does not: forward and dQ are right, dK and dV are "
          "those of another rank.",
          "Gradients of keys travel one hop behind their block and need one move after the last "
          "hop; the count of moves was off by one.",
          "NVIDIA/TransformerEngine #2484",
          "dQ exact; dK and dV of rank r are exactly those of rank r - 1.",
          {{"backward", "true"}},
          true,
          [](AttentionPlan& plan) {
            detail::need_backward(plan);
            detail::need_equal_shards(plan);
            Schedule& schedule = *plan.backward;
            const int ranks = schedule.size();
            std::vector<ContentId> home;
            for (int r = 0; r < ranks; ++r) {
              home.push_back(whole_shard(schedule, Quantity::key_value_gradient, r));
            }
            for (int r = 0; r < ranks; ++r) {
              const int to = (r + 1) % ranks, from = (r + ranks - 1) % ranks;
              ProgramBuilder program(schedule, r);
              RankProgram& steps = program.program();
              const BufferId mine = steps.key_value_gradient.at(0);
              const BufferId again = program.buffer("dkv too far");
              constexpr int kUnusedId = 1000000;
              // Each says of its own gradient that it is the neighbour's.
              program.add(schedule.hops - 1,
                          Exchange{kUnusedId,
                                   {{to, mine, home[static_cast<std::size_t>(to)]}},
                                   {{from, again, home[static_cast<std::size_t>(r)]}},
                                   0});
              program.wait(schedule.hops - 1, kUnusedId);
              steps.key_value_gradient = {again};
            }
          }};
}

}  // namespace ringlab::fault

#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

class Local : public Arithmetic {
 public:
  Positions rotary_positions(const Positions& shard) const override {
    return detail::renumbered(shard, [](Index i) { return i; });
  }
};

}  // namespace

PlantedFault rotary_local_positions() {
  return {"rotary_local_positions",
          FaultPart::rule,
          "rotary angles are made from indices within the shard",
          "Contiguous or not, rows that see other shards are wrong; the home tile of a contiguous "
          "shard is right, for rotation is relative.",
          "The rotary embedding took 0, 1, 2, ... for the positions of every shard, because "
          "positions were not passed along.",
          "sgl-project/sglang PR #28463",
          "Without rotary embedding all is exact. In a contiguous layout the rows of rank 0 are "
          "exact and all others wrong.",
          {},
          false,
          [](AttentionPlan& plan) {
            if (plan.rotary_base <= 0) {
              detail::cannot_show("of rotary angles, without them", "give --rotary-base 10000");
            }
            detail::need_ranks(plan, 2);
            plan.arithmetic = std::make_shared<Local>();
          }};
}

}  // namespace ringlab::fault

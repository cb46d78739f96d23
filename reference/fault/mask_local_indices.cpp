#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  static void mislead(const TilePlace&, Positions& queries, Positions& keys) {
    const auto local = [](Index i) { return i; };
    queries = detail::renumbered(queries, local);
    keys = detail::renumbered(keys, local);
  }
};

}  // namespace

PlantedFault mask_local_indices() {
  return {"mask_local_indices",
          FaultPart::mask,
          "the causal mask is made from indices within the shards",
          "Without a mask all is well; with a causal one most rows are wrong, and early rows see "
          "tokens that come later.",
          "A kernel's causal flag was set for every pair of blocks, so each tile was cut along its "
          "own diagonal.",
          "zhuzilin/ring-flash-attention #15",
          "Moving a late key moves early rows. The first row of a shard is wrong too, unless it "
          "sees nothing else.",
          {},
          false,
          [](AttentionPlan& plan) {
            detail::need_causal(plan);
            detail::need_ranks(plan, 2);
            detail::use<detail::WrongPositions<Rule>>(plan);
          }};
}

}  // namespace ringlab::fault

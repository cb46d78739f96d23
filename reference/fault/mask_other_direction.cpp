#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  static void mislead(const TilePlace& at, Positions&, Positions& keys) {
    // The block came from rank - hop; the mask is made for rank + hop.
    const int ranks = at.schedule.size();
    const int shard = at.key_value.pieces.at(0).shard;
    const int mirrored = ((2 * at.rank - shard) % ranks + ranks) % ranks;
    keys = at.schedule.key_layout[static_cast<std::size_t>(mirrored)];
  }
};

}  // namespace

PlantedFault mask_other_direction() {
  return {"mask_other_direction",
          FaultPart::mask,
          "the mask is made for the block that would come from the other side",
          "Right with two ranks, wrong with three or more, under any mask.",
          "Blocks go to the next rank, so at hop t rank r holds the block of rank r - t; the mask "
          "was computed for the block of rank r + t.",
          "no single thread: the mismatch of directions behind several of them",
          "Exact with two ranks, and the tile of hop 0 is always right; with an even number of "
          "ranks so is that of the middle hop.",
          {},
          false,
          [](AttentionPlan& plan) {
            detail::need_causal(plan);
            detail::need_equal_shards(plan);
            detail::use<detail::WrongPositions<Rule>>(plan);
          }};
}

}  // namespace ringlab::fault

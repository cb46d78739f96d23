#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

Index first_query(const Schedule& schedule) {
  Index first = std::numeric_limits<Index>::max();
  for (const Positions& shard : schedule.query_layout) {
    for (const Run& run : shard.runs()) first = std::min(first, run.first);
  }
  return first;
}

struct Rule {
  static void mislead(const TilePlace& at, Positions& queries, Positions&) {
    const Index shift = first_query(at.schedule);
    std::vector<Place> places = queries.expand();
    for (Place& place : places) place.position -= shift;
    queries = Positions::from_places(places);
  }
};

}  // namespace

PlantedFault mask_top_left() {
  return {"mask_top_left",
          FaultPart::mask,
          "fewer queries than keys, and the mask starts at the wrong corner",
          "A run over the whole sequence is right; new tokens after a cached prefix see almost "
          "nothing of it.",
          "The mask was inferred from the shapes: query i sees keys 0 to i, though it is query i "
          "of the last ones.",
          "Dao-AILab/flash-attention #517",
          "The first new token attends to key 0 alone: its output is that key's value.",
          {{"query_tokens", "8"}},
          false,
          [](AttentionPlan& plan) {
            detail::need_causal(plan);
            if (first_query(plan.forward) == 0) {
              detail::cannot_show("of a mask's corner, with queries for the whole sequence",
                                  "give --query-tokens below --tokens");
            }
            detail::use<detail::WrongPositions<Rule>>(plan);
          }};
}

}  // namespace ringlab::fault

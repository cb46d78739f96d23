#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

// The position of a shard's first token if the layout were contiguous.
Index first_if_contiguous(const Layout& layout, int shard) {
  Index first = 0;
  for (int r = 0; r < shard; ++r) first += layout[static_cast<std::size_t>(r)].size();
  return first;
}

struct Rule {
  static void mislead(const TilePlace& at, Positions& queries, Positions& keys) {
    const Index q = first_if_contiguous(at.schedule.query_layout, at.query.pieces.at(0).shard);
    const Index k = first_if_contiguous(at.schedule.key_layout, at.key_value.pieces.at(0).shard);
    queries = detail::renumbered(queries, [q](Index i) { return q + i; });
    keys = detail::renumbered(keys, [k](Index i) { return k + i; });
  }
};

}  // namespace

PlantedFault mask_as_contiguous() {
  return {"mask_as_contiguous",
          FaultPart::mask,
          "tokens lie zigzag or striped, the mask takes them for contiguous",
          "A contiguous layout is right; every other one is wrong under a causal mask.",
          "Whole earlier blocks were called visible and later ones hidden, which holds for slices "
          "and for no other layout.",
          "feifeibear/long-context-attention #46",
          "The tile of hop 0 is right, for zigzag and striped shards are sorted; all rows that "
          "meet another block are wrong.",
          {},
          false,
          [](AttentionPlan& plan) {
            detail::need_causal(plan);
            detail::need_ranks(plan, 2);
            detail::use<detail::WrongPositions<Rule>>(plan);
          }};
}

}  // namespace ringlab::fault

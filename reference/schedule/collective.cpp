#include "ringlab/reference/schedule/collective.hpp"

namespace ringlab {

CollectiveIndex::CollectiveIndex(const Schedule& schedule) : schedule_(schedule) {
  for (int r = 0; r < schedule.size(); ++r) {
    for (const Step& step : schedule.rank(r).steps) {
      if (const auto* c = std::get_if<Collective>(&step.action)) by_rank_and_id_[{r, c->id}] = c;
    }
  }
}

const Collective* CollectiveIndex::find(int rank, int id) const {
  const auto found = by_rank_and_id_.find({rank, id});
  return found == by_rank_and_id_.end() ? nullptr : found->second;
}

CollectiveMoves CollectiveIndex::moves(int rank, const Collective& collective) const {
  CollectiveMoves moves;
  const Content& have = schedule_.content(collective.sends);
  const Content& want = schedule_.content(collective.receives);
  Index brought = 0;  // tokens x heads that members bring to this rank
  for (const int member : collective.group) {
    const Collective* other = find(member, collective.id);
    RINGLAB_ENSURE(other, "every member of a group takes part in its collective");
    Content arriving = common_part(schedule_.content(other->sends), want);
    const Index size = schedule_.token_count(arriving) * arriving.heads;
    brought += size;
    if (member == rank) {
      if (size > 0) moves.own = std::move(arriving);
      continue;
    }
    if (size > 0) moves.receives.push_back({member, std::move(arriving)});
    Content leaving = common_part(have, schedule_.content(other->receives));
    if (schedule_.token_count(leaving) * leaving.heads > 0) {
      moves.sends.push_back({member, std::move(leaving)});
    }
  }
  moves.reduces = brought > schedule_.token_count(want) * want.heads;
  return moves;
}

}  // namespace ringlab

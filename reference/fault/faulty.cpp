#include "ringlab/reference/fault/faulty.hpp"

#include <algorithm>

namespace ringlab::detail {

void cannot_show(const std::string& what, const std::string& remedy) {
  throw InputError("fault", what, remedy);
}

void need_backward(const AttentionPlan& plan) {
  if (!plan.backward) cannot_show("of gradients, in a forward run", "add --backward");
}

void need_causal(const AttentionPlan& plan) {
  if (!plan.rule.mask.causal) cannot_show("of a causal mask, without one", "use --mask causal");
}

void need_ranks(const AttentionPlan& plan, int least) {
  if (plan.forward.size() >= least) return;
  cannot_show("of the ring, with too few ranks",
              "use --ranks " + std::to_string(least) + " or more");
}

void need_equal_shards(const AttentionPlan& plan) {
  need_ranks(plan, 2);
  const auto same = [](const Layout& layout) {
    return std::all_of(layout.begin(), layout.end(), [&](const Positions& shard) {
      return shard.size() == layout.front().size();
    });
  };
  if (same(plan.forward.key_layout) && same(plan.forward.query_layout)) return;
  cannot_show("that takes one block for another, with shards of unequal size",
              "use a number of tokens that twice the ranks divide");
}

Positions renumbered(const Positions& positions, const std::function<Index(Index local)>& number) {
  std::vector<Place> places = positions.expand();
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].position = number(static_cast<Index>(i));
  }
  return Positions::from_places(places);
}

void each_schedule(AttentionPlan& plan, const std::function<void(Schedule&)>& change) {
  change(plan.forward);
  if (plan.backward) change(*plan.backward);
}

void remove_steps(RankProgram& program, const std::function<bool(const Step&)>& out) {
  program.steps.erase(std::remove_if(program.steps.begin(), program.steps.end(), out),
                      program.steps.end());
}

bool is_computation(const Step& step) {
  return std::holds_alternative<Attend>(step.action) ||
         std::holds_alternative<AttendBackward>(step.action);
}

BufferId buffer_named(const RankProgram& program, const std::string& name) {
  const auto found = std::find_if(program.buffers.begin(), program.buffers.end(),
                                  [&](const Buffer& buffer) { return buffer.name == name; });
  RINGLAB_ENSURE(found != program.buffers.end(), "the ring has a buffer of this name");
  return static_cast<BufferId>(found - program.buffers.begin());
}

}  // namespace ringlab::detail

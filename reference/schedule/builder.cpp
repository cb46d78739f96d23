#include "ringlab/reference/schedule/builder.hpp"

#include <algorithm>

namespace ringlab {

Schedule empty_schedule(const ScheduleProblem& problem, std::string name, bool backward, int hops) {
  RINGLAB_ENSURE(problem.query_layout.size() == problem.key_layout.size(),
                 "queries and keys lie on the same ranks");
  Schedule schedule;
  schedule.name = std::move(name);
  schedule.backward = backward;
  schedule.hops = hops;
  schedule.query_heads = problem.query_heads;
  schedule.kv_heads = problem.kv_heads;
  schedule.head_dim = problem.head_dim;
  schedule.query_layout = problem.query_layout;
  schedule.key_layout = problem.key_layout;
  schedule.ranks.resize(problem.query_layout.size());
  return schedule;
}

ContentId add_content(Schedule& schedule, const Content& content) {
  const auto found = std::find(schedule.contents.begin(), schedule.contents.end(), content);
  if (found == schedule.contents.end()) {
    schedule.contents.push_back(content);
    return static_cast<ContentId>(schedule.contents.size()) - 1;
  }
  return static_cast<ContentId>(found - schedule.contents.begin());
}

ContentId whole_shard(Schedule& schedule, Quantity quantity, int rank) {
  const bool queries = is_of_queries(quantity);
  const Layout& layout = queries ? schedule.query_layout : schedule.key_layout;
  const Index count = layout[static_cast<std::size_t>(rank)].size();
  return add_content(
      schedule,
      {quantity, {{rank, 0, count}}, 0, queries ? schedule.query_heads : schedule.kv_heads});
}

ProgramBuilder::ProgramBuilder(Schedule& schedule, int rank)
    : program_(schedule.ranks[static_cast<std::size_t>(rank)]) {}

BufferId ProgramBuilder::buffer(std::string name, ContentId initially) {
  program_.buffers.push_back({std::move(name), initially});
  return static_cast<BufferId>(program_.buffers.size()) - 1;
}

void ProgramBuilder::add(int hop, Action action) {
  program_.steps.push_back({hop, std::move(action)});
}

int ProgramBuilder::exchange(int hop, std::vector<Move> sends, std::vector<Move> receives) {
  const int id = exchanges_++;
  add(hop, Exchange{id, std::move(sends), std::move(receives)});
  return id;
}

void ProgramBuilder::wait(int hop, int exchange) {
  add(hop, Wait{exchange});
}

}  // namespace ringlab

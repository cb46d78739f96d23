#include "ringlab/reference/schedule/builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ringlab/reference/schedule/parts.hpp"

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
  return add_content(schedule, own_shard(schedule, quantity, rank));
}

ContentId shards(Schedule& schedule, Quantity quantity, const std::vector<int>& ranks,
                 HeadSlice heads) {
  const Layout& layout = is_of_queries(quantity) ? schedule.query_layout : schedule.key_layout;
  Content content{quantity, {}, heads.first, heads.count};
  for (const int rank : ranks) {
    content.pieces.push_back({rank, 0, layout[static_cast<std::size_t>(rank)].size()});
  }
  return add_content(schedule, content);
}

HeadSlice query_head_slice(const Schedule& schedule, int index, int slices) {
  if (schedule.query_heads % slices != 0) {
    std::string fitting;
    for (int d = 1; d <= schedule.query_heads; ++d) {
      if (schedule.query_heads % d == 0) fitting += fmt::format("{}{}", d == 1 ? "" : ", ", d);
    }
    throw InputError(
        "degree", std::to_string(slices),
        fmt::format("heads are split over the ranks of a group: with {} heads use one of {}",
                    schedule.query_heads, fitting));
  }
  const int count = schedule.query_heads / slices;
  return {index * count, count};
}

HeadSlice kv_heads_of(const Schedule& schedule, HeadSlice query_heads) {
  const int group = schedule.query_heads / schedule.kv_heads;
  const int first = query_heads.first / group;
  const int last = (query_heads.first + query_heads.count - 1) / group;
  return {first, last - first + 1};
}

ProgramBuilder::ProgramBuilder(Schedule& schedule, int rank)
    : schedule_(schedule), program_(schedule.ranks[static_cast<std::size_t>(rank)]), rank_(rank) {}

BufferId ProgramBuilder::buffer(std::string name, ContentId initially) {
  program_.buffers.push_back({std::move(name), initially});
  return static_cast<BufferId>(program_.buffers.size()) - 1;
}

void ProgramBuilder::add(int hop, Action action) {
  program_.steps.push_back({hop, std::move(action)});
}

int ProgramBuilder::exchange(int hop, std::vector<Move> sends, std::vector<Move> receives,
                             int channel) {
  const int id = begun_++;
  add(hop, Exchange{id, std::move(sends), std::move(receives), channel});
  return id;
}

int ProgramBuilder::collective(int hop, CollectiveKind kind, std::vector<int> group, Move in,
                               Move out, int channel) {
  const int id = begun_++;
  add(hop, Collective{id, kind, std::move(group), in.buffer, out.buffer, in.content, out.content,
                      channel});
  return id;
}

void ProgramBuilder::wait(int hop, int id) {
  add(hop, Wait{id});
}

BackwardBuffers add_backward_buffers(ProgramBuilder& program) {
  const auto own = [&](Quantity quantity) {
    return whole_shard(program.schedule(), quantity, program.rank());
  };
  return {program.buffer("query", own(Quantity::query)),
          program.buffer("dout", own(Quantity::output_gradient)),
          program.buffer("statistics", own(Quantity::row_statistics))};
}

}  // namespace ringlab

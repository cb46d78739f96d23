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

namespace {

std::size_t hash_of(const Content& content) {
  std::size_t hash = 0;
  const auto mix = [&](Index word) {
    hash = (hash ^ static_cast<std::size_t>(word)) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 32;
  };
  mix(static_cast<Index>(content.quantity));
  mix(content.first_head);
  mix(content.heads);
  for (const Piece& piece : content.pieces) {
    mix(piece.shard);
    mix(piece.first);
    mix(piece.count);
  }
  return hash;
}

}  // namespace

ContentId add_content(Schedule& schedule, const Content& content) {
  auto& by_hash = schedule.content_index.by_hash;
  if (by_hash.size() != schedule.contents.size()) {  // somebody else has added some
    by_hash.clear();
    for (std::size_t id = 0; id < schedule.contents.size(); ++id) {
      by_hash.emplace(hash_of(schedule.contents[id]), static_cast<ContentId>(id));
    }
  }
  const std::size_t hash = hash_of(content);
  const auto [begin, end] = by_hash.equal_range(hash);
  for (auto found = begin; found != end; ++found) {
    if (schedule.content(found->second) == content) return found->second;
  }
  const auto id = static_cast<ContentId>(schedule.contents.size());
  schedule.contents.push_back(content);
  by_hash.emplace(hash, id);
  return id;
}

ContentId whole_shard(Schedule& schedule, Quantity quantity, int rank) {
  // A ring asks for each of them again and again.
  std::vector<ContentId>& known = schedule.content_index.whole;
  const auto place =
      static_cast<std::size_t>(quantity) * schedule.ranks.size() + static_cast<std::size_t>(rank);
  if (known.size() <= place) {
    known.resize(
        (static_cast<std::size_t>(Quantity::key_value_gradient) + 1) * schedule.ranks.size(),
        kNothing);
  }
  ContentId& id = known[place];
  if (id == kNothing) id = add_content(schedule, own_shard(schedule, quantity, rank));
  return id;
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
    : schedule_(schedule), program_(schedule.ranks[static_cast<std::size_t>(rank)]), rank_(rank) {
  // Ranks are likely to be alike.
  if (rank > 0) program_.steps.reserve(schedule.rank(rank - 1).steps.size());
}

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

#include "ringlab/reference/schedule/query_ring.hpp"

#include "ringlab/reference/schedule/ring.hpp"
#include "ringlab/reference/schedule/ring_lane.hpp"

namespace ringlab {
namespace {

RingLane::ContentOf whole_shards(Schedule& schedule) {
  return [&schedule](Quantity quantity, int origin) {
    return whole_shard(schedule, quantity, origin);
  };
}

// Sends every rank the partial result of its queries and merges what comes for this rank's own.
void bring_home(Schedule& schedule, ProgramBuilder& program, const RingSeat& seat,
                const std::vector<BufferId>& partial_at_hop) {
  const int last = seat.size() - 1;
  const ContentId own = whole_shard(schedule, Quantity::partial, program.rank());
  std::vector<Move> sends, receives;
  for (int hop = 1; hop < seat.size(); ++hop) {
    const int owner = seat.origin(hop);
    sends.push_back({owner, partial_at_hop[static_cast<std::size_t>(hop)],
                     whole_shard(schedule, Quantity::partial, owner)});
    // The rank that held this rank's queries at that hop sits as far on the other side.
    const int holder = seat.origin(seat.size() - hop);
    receives.push_back({holder, program.buffer("partial from " + std::to_string(holder)), own});
  }
  if (sends.empty()) return;
  program.wait(last, program.exchange(last, sends, receives));
  for (const Move& receive : receives) {
    program.add(last, Merge{receive.buffer, partial_at_hop[0]});
    program.add(last, Release{receive.buffer});
  }
}

bool picks_query_ring(const ScheduleProblem& problem) {
  RingChoice choice;
  for (const Positions& shard : problem.query_layout) {
    choice.new_tokens += static_cast<double>(shard.size());
  }
  for (const Positions& shard : problem.key_layout) {
    choice.cached_tokens += static_cast<double>(shard.size());
  }
  choice.cached_tokens -= choice.new_tokens;
  choice.query_heads = problem.query_heads;
  choice.kv_heads = problem.kv_heads;
  choice.ranks = problem.ranks();
  choice.input_bytes = 4;
  return queries_should_travel(choice);
}

}  // namespace

Schedule query_ring_forward(const ScheduleProblem& problem) {
  Schedule schedule = empty_schedule(problem, "query_ring", false, problem.ranks());
  schedule.key_value_blocks = 1;
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    const RingSeat seat(all_ranks(schedule.size()), rank, problem.rotation);
    const BufferId own = program.buffer("query", whole_shard(schedule, Quantity::query, rank));
    const BufferId kv = program.buffer("kv", whole_shard(schedule, Quantity::key_value, rank));
    RingLane lane(program, seat, {Quantity::query}, {own}, whole_shards(schedule));
    std::vector<BufferId> partial_at_hop;
    for (int hop = 0; hop < lane.hops(); ++hop) {
      partial_at_hop.push_back(program.buffer("partial of " + std::to_string(seat.origin(hop))));
      lane.begin(hop);
      program.add(hop, Attend{lane.here(hop), kv, partial_at_hop.back()});
      lane.end(hop);
    }
    bring_home(schedule, program, seat, partial_at_hop);
    program.program().partial = {partial_at_hop[0]};
  }
  return schedule;
}

Schedule query_ring_backward(const ScheduleProblem& problem) {
  Schedule schedule = empty_schedule(problem, "query_ring", true, problem.ranks());
  schedule.key_value_blocks = 1;
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    const BackwardBuffers rows = add_backward_buffers(program);
    const BufferId kv = program.buffer("kv", whole_shard(schedule, Quantity::key_value, rank));
    RingLane lane(program, {all_ranks(schedule.size()), rank, problem.rotation},
                  {Quantity::query, Quantity::output_gradient, Quantity::row_statistics},
                  {rows.query, rows.output_gradient, rows.statistics}, whole_shards(schedule));
    lane.carry_gradients(Quantity::query_gradient, "dq");
    const BufferId dkv = program.buffer("dkv");
    for (int hop = 0; hop < lane.hops(); ++hop) {
      lane.begin(hop);
      program.add(hop, AttendBackward{lane.here(hop, 0), lane.here(hop, 1), lane.here(hop, 2), kv,
                                      lane.gradient(hop), dkv});
      lane.end_with_gradients(hop);
    }
    program.program().query_gradient = {lane.gradient_at_home()};
    program.program().key_value_gradient = {dkv};
  }
  return schedule;
}

bool queries_should_travel(const RingChoice& c) {
  const double share = c.new_tokens / (c.new_tokens + c.cached_tokens);
  const double closing_exchange =
      4 * c.new_tokens * c.bytes_per_second / (c.ranks * c.flops_per_second * c.input_bytes);
  return share <= 2.0 * c.kv_heads / c.query_heads - closing_exchange;
}

Schedule auto_ring_forward(const ScheduleProblem& problem) {
  return picks_query_ring(problem) ? query_ring_forward(problem) : ring_forward(problem);
}
Schedule auto_ring_backward(const ScheduleProblem& problem) {
  return picks_query_ring(problem) ? query_ring_backward(problem) : ring_backward(problem);
}

}  // namespace ringlab

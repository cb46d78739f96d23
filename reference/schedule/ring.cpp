#include "ringlab/reference/schedule/ring.hpp"

#include "ringlab/reference/schedule/ring_lane.hpp"

namespace ringlab {

Schedule ring_forward(const ScheduleProblem& problem) {
  Schedule schedule = empty_schedule(problem, "ring", false, problem.ranks());
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    const BufferId query = program.buffer("query", whole_shard(schedule, Quantity::query, rank));
    const BufferId own = program.buffer("kv", whole_shard(schedule, Quantity::key_value, rank));
    RingLane lane(
        program, {all_ranks(schedule.size()), rank, problem.rotation}, {Quantity::key_value}, {own},
        [&](Quantity quantity, int origin) { return whole_shard(schedule, quantity, origin); });
    const BufferId partial = program.buffer("partial");
    program.program().partial = {partial};
    for (int hop = 0; hop < lane.hops(); ++hop) {
      lane.begin(hop);
      program.add(hop, Attend{query, lane.here(hop), partial});
      lane.end(hop);
    }
  }
  return schedule;
}

Schedule ring_backward(const ScheduleProblem& problem) {
  Schedule schedule = empty_schedule(problem, "ring", true, problem.ranks());
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    const BackwardBuffers rows = add_backward_buffers(program);
    const BufferId own = program.buffer("kv", whole_shard(schedule, Quantity::key_value, rank));
    RingLane lane(
        program, {all_ranks(schedule.size()), rank, problem.rotation}, {Quantity::key_value}, {own},
        [&](Quantity quantity, int origin) { return whole_shard(schedule, quantity, origin); });
    lane.carry_gradients(Quantity::key_value_gradient, "dkv");
    const BufferId query_gradient = program.buffer("dq");
    for (int hop = 0; hop < lane.hops(); ++hop) {
      lane.begin(hop);
      program.add(hop, AttendBackward{rows.query, rows.output_gradient, rows.statistics,
                                      lane.here(hop), query_gradient, lane.gradient(hop)});
      lane.end_with_gradients(hop);
    }
    program.program().query_gradient = {query_gradient};
    program.program().key_value_gradient = {lane.gradient_at_home()};
  }
  return schedule;
}

}  // namespace ringlab

#include "ringlab/reference/schedule/bidirectional_ring.hpp"

#include "ringlab/reference/schedule/ring_lane.hpp"

namespace ringlab {
namespace {

struct Half {
  const char* suffix;
  Rotation rotation;
  int channel;
};
constexpr Half kHalves[] = {{" front", Rotation::next, 0}, {" back", Rotation::previous, 1}};

// One half of a rank's block, or of its gradient: the first or the second half of either half, so
// that a zigzag block's early and late chunk are both in it and every hop stays balanced.
ContentId half_of(Schedule& schedule, Quantity quantity, int rank, const Half& half) {
  const Index count = schedule.key_layout[static_cast<std::size_t>(rank)].size();
  const Index cut[] = {0, count / 4, count / 2, count / 2 + (count - count / 2) / 2, count};
  Content content{quantity, {}, 0, schedule.kv_heads};
  for (const int quarter : {half.channel, half.channel + 2}) {
    content.pieces.push_back({rank, cut[quarter], cut[quarter + 1] - cut[quarter]});
  }
  return add_content(schedule, content);
}

std::vector<RingLane> lanes_of(Schedule& schedule, ProgramBuilder& program) {
  std::vector<RingLane> lanes;
  for (const Half& half : kHalves) {
    const auto content = [&schedule, half](Quantity quantity, int origin) {
      return half_of(schedule, quantity, origin, half);
    };
    const BufferId own = program.buffer(std::string("kv") + half.suffix,
                                        content(Quantity::key_value, program.rank()));
    lanes.emplace_back(program, RingSeat(all_ranks(schedule.size()), program.rank(), half.rotation),
                       std::vector{Quantity::key_value}, std::vector{own}, content, half.suffix,
                       half.channel);
  }
  return lanes;
}

}  // namespace

Schedule bidirectional_ring_forward(const ScheduleProblem& problem) {
  Schedule schedule = empty_schedule(problem, "bidirectional_ring", false, problem.ranks());
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    const BufferId query = program.buffer("query", whole_shard(schedule, Quantity::query, rank));
    std::vector<RingLane> lanes = lanes_of(schedule, program);
    const BufferId partial = program.buffer("partial");
    program.program().partial = {partial};
    for (int hop = 0; hop < schedule.hops; ++hop) {
      for (RingLane& lane : lanes) lane.begin(hop);
      for (RingLane& lane : lanes) program.add(hop, Attend{query, lane.here(hop), partial});
      for (RingLane& lane : lanes) lane.end(hop);
    }
  }
  return schedule;
}

Schedule bidirectional_ring_backward(const ScheduleProblem& problem) {
  Schedule schedule = empty_schedule(problem, "bidirectional_ring", true, problem.ranks());
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    const BackwardBuffers rows = add_backward_buffers(program);
    std::vector<RingLane> lanes = lanes_of(schedule, program);
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      lanes[l].carry_gradients(Quantity::key_value_gradient,
                               std::string("dkv") + kHalves[l].suffix);
    }
    const BufferId dq = program.buffer("dq");
    for (int hop = 0; hop < schedule.hops; ++hop) {
      for (RingLane& lane : lanes) lane.begin(hop);
      for (RingLane& lane : lanes) {
        program.add(hop, AttendBackward{rows.query, rows.output_gradient, rows.statistics,
                                        lane.here(hop), dq, lane.gradient(hop)});
      }
      for (RingLane& lane : lanes) lane.end_with_gradients(hop);
    }
    program.program().query_gradient = {dq};
    for (RingLane& lane : lanes) {
      program.program().key_value_gradient.push_back(lane.gradient_at_home());
    }
  }
  return schedule;
}

}  // namespace ringlab

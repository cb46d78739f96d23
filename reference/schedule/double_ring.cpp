#include "ringlab/reference/schedule/double_ring.hpp"

#include "ringlab/reference/schedule/ring_lane.hpp"

namespace ringlab {
namespace {

constexpr int kOuterChannel = 1;

Mesh mesh_of(const ScheduleProblem& problem) {
  Degree degree = problem.degree;
  if (degree.empty()) {
    int inner = 1;
    for (int d = 1; d * d <= problem.ranks(); ++d) {
      if (problem.ranks() % d == 0) inner = d;
    }
    degree = {{"I", inner}, {"O", problem.ranks() / inner}};
  }
  if (degree.front().first != "I") {
    throw InputError("degree", to_text(degree), "name the inner ring first, such as I=4,O=2");
  }
  return Mesh(degree, {"I", "O"}, problem.ranks());
}

// What travels in turn `turn` of the outer ring: in the inner ring, the seat of `origin` holds the
// block of the rank with the same inner place in the outer group that this turn belongs to.
RingLane::ContentOf contents_of_turn(Schedule& schedule, const Mesh& mesh, const RingSeat& outer,
                                     int turn) {
  const std::vector<int> owners = mesh.group("I", outer.origin(turn));
  return [&schedule, &mesh, owners](Quantity quantity, int origin) {
    return whole_shard(schedule, quantity, owners[static_cast<std::size_t>(mesh.at("I", origin))]);
  };
}

// The outer ring of blocks: two buffers take turns, the next one fills during a whole inner turn.
class OuterLane {
 public:
  OuterLane(ProgramBuilder& program, const RingSeat& seat, BufferId own)
      : program_(program), seat_(seat), own_(own) {
    slots_ = {program.buffer("outer slot a"), program.buffer("outer slot b")};
  }
  BufferId here(int turn) const {
    return turn == 0 ? own_ : slots_[static_cast<std::size_t>(turn % 2)];
  }
  void begin(int turn, int hop) {
    if (turn + 1 == seat_.size()) return;
    passed_ = program_.exchange(hop, {{seat_.to(), here(turn), block(turn)}},
                                {{seat_.from(), here(turn + 1), block(turn + 1)}}, kOuterChannel);
  }
  void end(int turn, int hop) {
    if (turn + 1 < seat_.size()) program_.wait(hop, passed_);
  }

 private:
  ContentId block(int turn) {
    return whole_shard(program_.schedule(), Quantity::key_value, seat_.origin(turn));
  }
  ProgramBuilder& program_;
  const RingSeat& seat_;
  BufferId own_;
  std::array<BufferId, 2> slots_{};
  int passed_ = -1;
};

}  // namespace

Schedule double_ring_forward(const ScheduleProblem& problem) {
  const Mesh mesh = mesh_of(problem);
  const int turns = mesh.size("O"), hops = mesh.size("I");
  Schedule schedule = empty_schedule(problem, "double_ring", false, turns * hops);
  schedule.key_value_blocks = 5;
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    const RingSeat outer(mesh.group("O", rank), rank, problem.rotation);
    const BufferId query = program.buffer("query", whole_shard(schedule, Quantity::query, rank));
    const BufferId own = program.buffer("kv", whole_shard(schedule, Quantity::key_value, rank));
    OuterLane blocks(program, outer, own);
    RingLane lane(program, {mesh.group("I", rank), rank, problem.rotation}, {Quantity::key_value},
                  {own}, contents_of_turn(schedule, mesh, outer, 0));
    const BufferId partial = program.buffer("partial");
    program.program().partial = {partial};
    for (int turn = 0; turn < turns; ++turn) {
      const int first = turn * hops;
      lane.restart({blocks.here(turn)}, contents_of_turn(schedule, mesh, outer, turn), first);
      blocks.begin(turn, first);
      for (int hop = 0; hop < hops; ++hop) {
        lane.begin(hop);
        program.add(first + hop, Attend{query, lane.here(hop), partial});
        lane.end(hop);
      }
      blocks.end(turn, first + hops - 1);
    }
  }
  return schedule;
}

Schedule double_ring_backward(const ScheduleProblem& problem) {
  const Mesh mesh = mesh_of(problem);
  const int turns = mesh.size("O"), hops = mesh.size("I");
  Schedule schedule = empty_schedule(problem, "double_ring", true, turns * hops);
  schedule.key_value_blocks = 5;
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    const RingSeat outer(mesh.group("O", rank), rank, problem.rotation);
    const BackwardBuffers rows = add_backward_buffers(program);
    const BufferId own = program.buffer("kv", whole_shard(schedule, Quantity::key_value, rank));
    OuterLane blocks(program, outer, own);
    RingLane lane(program, {mesh.group("I", rank), rank, problem.rotation}, {Quantity::key_value},
                  {own}, contents_of_turn(schedule, mesh, outer, 0));
    lane.carry_gradients(Quantity::key_value_gradient, "dkv");
    const BufferId dq = program.buffer("dq");
    // The sum of a turn on its way to the next outer group, and what comes from the one before.
    const BufferId leaving = program.buffer("outer dkv leaving");
    const BufferId arriving = program.buffer("outer dkv arriving");
    int passed = -1;
    for (int turn = 0; turn < turns; ++turn) {
      const int first = turn * hops, last = first + hops - 1;
      lane.restart({blocks.here(turn)}, contents_of_turn(schedule, mesh, outer, turn), first);
      blocks.begin(turn, first);
      for (int hop = 0; hop < hops; ++hop) {
        lane.begin(hop);
        program.add(first + hop, AttendBackward{rows.query, rows.output_gradient, rows.statistics,
                                                lane.here(hop), dq, lane.gradient(hop)});
        lane.end_with_gradients(hop);
      }
      blocks.end(turn, last);
      if (turn > 0) {
        program.wait(last, passed);
        program.add(last, Release{leaving});
      }
      program.add(last, Accumulate{lane.gradient_at_home(), leaving});
      program.add(last, Release{lane.gradient_at_home()});
      if (turn > 0) {
        program.add(last, Accumulate{arriving, leaving});
        program.add(last, Release{arriving});
      }
      if (turns == 1) break;
      const auto gradient = [&](int t) {
        return whole_shard(schedule, Quantity::key_value_gradient, outer.origin(t));
      };
      passed = program.exchange(last, {{outer.to(), leaving, gradient(turn)}},
                                {{outer.from(), arriving, gradient(turn + 1)}}, kOuterChannel);
      if (turn + 1 == turns) program.wait(last, passed);  // home
    }
    program.program().query_gradient = {dq};
    program.program().key_value_gradient = {turns == 1 ? leaving : arriving};
  }
  return schedule;
}

}  // namespace ringlab

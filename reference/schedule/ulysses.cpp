#include "ringlab/reference/schedule/ulysses.hpp"

#include <numeric>

#include "ringlab/reference/schedule/ring_lane.hpp"

namespace ringlab {
namespace {

constexpr auto kSwap = CollectiveKind::all_to_all;

// One rank's view of the mesh: its group, its slice of heads, and contents in head shards.
class Seat {
 public:
  Seat(ProgramBuilder& program, const Mesh& mesh)
      : program_(program), mesh_(mesh), group_(mesh.group("U", program.rank())) {
    const Schedule& s = program.schedule();
    query_ = query_head_slice(s, mesh.at("U", program.rank()), mesh.size("U"));
    kv_ = kv_heads_of(s, query_);
  }

  RingSeat ring(Rotation rotation) const {
    return {mesh_.group("R", program_.rank()), program_.rank(), rotation};
  }

  // The head shard of a quantity: this rank's heads of all tokens of the group of `member`.
  ContentId heads_of(Quantity quantity, int member) const {
    return shards(program_.schedule(), quantity, mesh_.group("U", member),
                  is_of_queries(quantity) ? query_ : kv_);
  }
  ContentId tokens_of(Quantity quantity) const {
    return whole_shard(program_.schedule(), quantity, program_.rank());
  }

  // Begins to bring a quantity from sequence shards to head shards; the buffer it comes to.
  BufferId to_heads(const char* name, Quantity quantity) {
    const BufferId here = program_.buffer(name, tokens_of(quantity));
    const BufferId there = program_.buffer(std::string(name) + " heads");
    swaps_.push_back({program_.collective(0, kSwap, group_, {0, here, tokens_of(quantity)},
                                          {0, there, heads_of(quantity, program_.rank())}),
                      here});
    return there;
  }
  // Waits for all of them and frees what was sent.
  void arrive() {
    for (const auto& [id, buffer] : swaps_) {
      program_.wait(0, id);
      program_.add(0, Release{buffer});
    }
    swaps_.clear();
  }
  // Brings a result back to sequence shards; the buffer it comes to.
  BufferId to_tokens(int hop, const char* name, Quantity quantity, BufferId heads) {
    const BufferId home = program_.buffer(name);
    const int id =
        program_.collective(hop, kSwap, group_, {0, heads, heads_of(quantity, program_.rank())},
                            {0, home, tokens_of(quantity)});
    program_.wait(hop, id);
    program_.add(hop, Release{heads});
    return home;
  }

 private:
  struct Swap {
    int id;
    BufferId buffer;
  };
  ProgramBuilder& program_;
  const Mesh& mesh_;
  std::vector<int> group_;
  HeadSlice query_, kv_;
  std::vector<Swap> swaps_;
};

// Blocks alive: the rank's own until it has been sent, and a head shard for the ring's block and
// slots.
int blocks_alive(const Schedule& schedule, const Mesh& mesh) {
  int most_heads = 0;
  for (int u = 0; u < mesh.size("U"); ++u) {
    const HeadSlice kv = kv_heads_of(schedule, query_head_slice(schedule, u, mesh.size("U")));
    most_heads = std::max(most_heads, kv.count);
  }
  const int shard = (mesh.size("U") * most_heads + schedule.kv_heads - 1) / schedule.kv_heads;
  return 1 + std::min(3, mesh.size("R")) * shard;
}

Schedule forward(const ScheduleProblem& problem, const char* name, const Mesh& mesh) {
  Schedule schedule = empty_schedule(problem, name, false, mesh.size("R"));
  schedule.key_value_blocks = blocks_alive(schedule, mesh);
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    Seat seat(program, mesh);
    const BufferId query = seat.to_heads("query", Quantity::query);
    const BufferId own = seat.to_heads("kv", Quantity::key_value);
    seat.arrive();
    RingLane lane(program, seat.ring(problem.rotation), {Quantity::key_value}, {own},
                  [&](Quantity quantity, int origin) { return seat.heads_of(quantity, origin); });
    const BufferId partial = program.buffer("partial heads");
    for (int hop = 0; hop < lane.hops(); ++hop) {
      lane.begin(hop);
      program.add(hop, Attend{query, lane.here(hop), partial});
      lane.end(hop);
    }
    program.program().partial = {
        seat.to_tokens(lane.hops() - 1, "partial", Quantity::partial, partial)};
  }
  return schedule;
}

Schedule backward(const ScheduleProblem& problem, const char* name, const Mesh& mesh) {
  Schedule schedule = empty_schedule(problem, name, true, mesh.size("R"));
  schedule.key_value_blocks = blocks_alive(schedule, mesh);
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    Seat seat(program, mesh);
    const BufferId query = seat.to_heads("query", Quantity::query);
    const BufferId dout = seat.to_heads("dout", Quantity::output_gradient);
    const BufferId statistics = seat.to_heads("statistics", Quantity::row_statistics);
    const BufferId own = seat.to_heads("kv", Quantity::key_value);
    seat.arrive();
    RingLane lane(program, seat.ring(problem.rotation), {Quantity::key_value}, {own},
                  [&](Quantity quantity, int origin) { return seat.heads_of(quantity, origin); });
    lane.carry_gradients(Quantity::key_value_gradient, "dkv heads");
    const BufferId dq = program.buffer("dq heads");
    for (int hop = 0; hop < lane.hops(); ++hop) {
      lane.begin(hop);
      program.add(hop,
                  AttendBackward{query, dout, statistics, lane.here(hop), dq, lane.gradient(hop)});
      lane.end_with_gradients(hop);
    }
    const int last = lane.hops() - 1;
    program.program().query_gradient = {seat.to_tokens(last, "dq", Quantity::query_gradient, dq)};
    program.program().key_value_gradient = {
        seat.to_tokens(last, "dkv", Quantity::key_value_gradient, lane.gradient_at_home())};
  }
  return schedule;
}

Mesh one_group(const ScheduleProblem& problem) {
  return Mesh({{"U", problem.ranks()}, {"R", 1}}, {"U", "R"}, problem.ranks());
}

Mesh mesh_of(const ScheduleProblem& problem) {
  Degree degree = problem.degree;
  if (degree.empty()) {
    const int u = std::gcd(problem.ranks(), problem.query_heads);
    degree = {{"U", u}, {"R", problem.ranks() / u}};
  }
  return Mesh(degree, {"U", "R"}, problem.ranks());
}

}  // namespace

Schedule ulysses_forward(const ScheduleProblem& problem) {
  return forward(problem, "ulysses", one_group(problem));
}
Schedule ulysses_backward(const ScheduleProblem& problem) {
  return backward(problem, "ulysses", one_group(problem));
}
Schedule ulysses_ring_forward(const ScheduleProblem& problem) {
  return forward(problem, "ulysses_ring", mesh_of(problem));
}
Schedule ulysses_ring_backward(const ScheduleProblem& problem) {
  return backward(problem, "ulysses_ring", mesh_of(problem));
}

}  // namespace ringlab

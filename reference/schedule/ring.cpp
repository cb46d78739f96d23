#include "ringlab/reference/schedule/ring.hpp"

#include <array>

namespace ringlab {
namespace {

// The block's own buffer serves hop 0, then two slots take turns: while one is computed on and sent
// on, the other receives.
struct Blocks {
  BufferId own;
  std::array<BufferId, 2> slots;
  BufferId at(int hop) const { return hop == 0 ? own : slots[static_cast<std::size_t>(hop % 2)]; }
};

Blocks add_blocks(Schedule& schedule, ProgramBuilder& program, int rank) {
  return {program.buffer("kv", whole_shard(schedule, Quantity::key_value, rank)),
          {program.buffer("slot a"), program.buffer("slot b")}};
}

// Passes the block of this hop on and begins to receive the next; the exchange to wait for.
int pass_block(Schedule& schedule, ProgramBuilder& program, const RingSeat& seat,
               const Blocks& blocks, int hop) {
  const auto block = [&](int h) {
    return whole_shard(schedule, Quantity::key_value, seat.origin(h));
  };
  return program.exchange(hop, {{seat.to(), blocks.at(hop), block(hop)}},
                          {{seat.from(), blocks.at(hop + 1), block(hop + 1)}});
}

}  // namespace

Schedule ring_forward(const ScheduleProblem& problem) {
  const int ranks = problem.ranks();
  Schedule schedule = empty_schedule(problem, "ring", false, ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    ProgramBuilder program(schedule, rank);
    const RingSeat seat(all_ranks(ranks), rank, problem.rotation);
    const BufferId query = program.buffer("query", whole_shard(schedule, Quantity::query, rank));
    const Blocks blocks = add_blocks(schedule, program, rank);
    const BufferId partial = program.buffer("partial");
    program.program().partial = {partial};
    for (int hop = 0; hop < ranks; ++hop) {
      const bool last = hop == ranks - 1;
      const int passed = last ? -1 : pass_block(schedule, program, seat, blocks, hop);
      program.add(hop, Attend{query, blocks.at(hop), partial});
      if (!last) program.wait(hop, passed);
    }
  }
  return schedule;
}

Schedule ring_backward(const ScheduleProblem& problem) {
  const int ranks = problem.ranks();
  Schedule schedule = empty_schedule(problem, "ring", true, ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    ProgramBuilder program(schedule, rank);
    const RingSeat seat(all_ranks(ranks), rank, problem.rotation);
    const auto gradient_of = [&](int owner) {
      return whole_shard(schedule, Quantity::key_value_gradient, owner);
    };
    const BufferId query = program.buffer("query", whole_shard(schedule, Quantity::query, rank));
    const BufferId output_gradient =
        program.buffer("dout", whole_shard(schedule, Quantity::output_gradient, rank));
    const BufferId statistics =
        program.buffer("statistics", whole_shard(schedule, Quantity::row_statistics, rank));
    const Blocks blocks = add_blocks(schedule, program, rank);
    const BufferId query_gradient = program.buffer("dq");
    // What this rank adds to a block (two, for one is still being sent while the next is computed),
    // and what arrives of it from those who had the block before.
    const std::array<BufferId, 2> mine = {program.buffer("dkv a"), program.buffer("dkv b")};
    const BufferId travelling = program.buffer("dkv travelling");
    const auto mine_at = [&](int hop) { return mine[static_cast<std::size_t>(hop % 2)]; };
    program.program().query_gradient = {query_gradient};
    program.program().key_value_gradient = {ranks == 1 ? mine[0] : travelling};

    int gradient_passed = -1;
    for (int hop = 0; hop < ranks; ++hop) {
      const bool last = hop == ranks - 1;
      const int passed = last ? -1 : pass_block(schedule, program, seat, blocks, hop);
      program.add(hop, AttendBackward{query, output_gradient, statistics, blocks.at(hop),
                                      query_gradient, mine_at(hop)});
      if (hop > 0) {
        // The gradient of this hop's block comes one hop behind it, hidden by the tile above.
        program.wait(hop, gradient_passed);
        program.add(hop, Accumulate{travelling, mine_at(hop)});
        program.add(hop, Release{travelling});
        program.add(hop, Release{mine_at(hop - 1)});
      }
      if (!last) program.wait(hop, passed);
      if (ranks == 1) break;
      // After the last hop this same move takes each gradient home.
      gradient_passed =
          program.exchange(hop, {{seat.to(), mine_at(hop), gradient_of(seat.origin(hop))}},
                           {{seat.from(), travelling, gradient_of(seat.origin(hop + 1))}});
      if (last) program.wait(hop, gradient_passed);
    }
  }
  return schedule;
}

}  // namespace ringlab

#include "ringlab/reference/schedule/decode.hpp"

#include <algorithm>
#include <array>

namespace ringlab {
namespace {

// A binomial tree over all ranks, turned so that `root` is its root: in round k of the way down,
// every rank below 2^k (counted from the root) passes on to the rank 2^k further.
class Tree {
 public:
  Tree(int ranks, int root, int rank)
      : ranks_(ranks), root_(root), place_((rank - root + ranks) % ranks) {}

  int rounds() const {
    int rounds = 0;
    while (1 << rounds < ranks_) ++rounds;
    return rounds;
  }
  /// The rank that this one sends to in a round of the way down, or -1.
  int child(int round) const {
    const int place = place_ + (1 << round);
    return place_ < 1 << round && place < ranks_ ? rank_at(place) : -1;
  }
  /// The rank that this one hears from in a round, or -1.
  int parent(int round) const {
    return place_ >= 1 << round && place_ < 2 << round ? rank_at(place_ - (1 << round)) : -1;
  }

 private:
  int rank_at(int place) const { return (place + root_) % ranks_; }
  int ranks_, root_, place_;
};

// The program of one rank for the queries of one root.
BufferId add_tree(Schedule& schedule, ProgramBuilder& program, BufferId kv, int root) {
  const Tree tree(schedule.size(), root, program.rank());
  const std::string of = " of " + std::to_string(root);
  const ContentId query = whole_shard(schedule, Quantity::query, root);
  const ContentId result = whole_shard(schedule, Quantity::partial, root);
  const bool is_root = program.rank() == root;
  const BufferId queries = program.buffer("query" + of, is_root ? query : kNothing);
  const BufferId partial = program.buffer("partial" + of);
  const int rounds = tree.rounds();
  for (int round = 0; round < rounds; ++round) {
    std::vector<Move> sends, receives;
    if (const int child = tree.child(round); child >= 0) sends.push_back({child, queries, query});
    if (const int parent = tree.parent(round); parent >= 0) {
      receives.push_back({parent, queries, query});
    }
    if (sends.empty() && receives.empty()) continue;
    program.wait(round, program.exchange(round, sends, receives));
  }
  program.add(rounds, Attend{queries, kv, partial});
  for (int round = rounds - 1; round >= 0; --round) {
    const int hop = 2 * rounds - round;
    if (const int child = tree.child(round); child >= 0) {
      const BufferId theirs = program.buffer("partial from " + std::to_string(child) + of);
      program.wait(hop, program.exchange(hop, {}, {{child, theirs, result}}));
      program.add(hop, Merge{theirs, partial});
      program.add(hop, Release{theirs});
    } else if (const int parent = tree.parent(round); parent >= 0) {
      program.wait(hop, program.exchange(hop, {{parent, partial, result}}, {}));
    }
  }
  return partial;
}

bool has_queries(const Schedule& schedule, int rank) {
  return !schedule.query_layout[static_cast<std::size_t>(rank)].empty();
}

}  // namespace

Schedule decode_tree(const ScheduleProblem& problem) {
  const int rounds = Tree(problem.ranks(), 0, 0).rounds();
  Schedule schedule = empty_schedule(problem, "decode_tree", false, 2 * rounds + 1);
  schedule.key_value_blocks = 1;
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    const BufferId kv = program.buffer("kv", whole_shard(schedule, Quantity::key_value, rank));
    for (int root = 0; root < schedule.size(); ++root) {
      // A rank without queries needs no tree, but an (empty) result of its own.
      if (!has_queries(schedule, root) && root != rank) continue;
      if (has_queries(schedule, root)) {
        const BufferId partial = add_tree(schedule, program, kv, root);
        if (root == rank) program.program().partial = {partial};
        continue;
      }
      const BufferId query = program.buffer("query", whole_shard(schedule, Quantity::query, rank));
      const BufferId partial = program.buffer("partial");
      program.add(rounds, Attend{query, kv, partial});
      program.program().partial = {partial};
    }
  }
  return schedule;
}

Schedule decode_ring(const ScheduleProblem& problem) {
  const int ranks = problem.ranks();
  Schedule schedule = empty_schedule(problem, "decode_ring", false, ranks);
  schedule.key_value_blocks = 1;
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    const RingSeat seat(all_ranks(ranks), rank, problem.rotation);
    const BufferId kv = program.buffer("kv", whole_shard(schedule, Quantity::key_value, rank));
    const std::array<BufferId, 2> queries = {
        program.buffer("query a", whole_shard(schedule, Quantity::query, rank)),
        program.buffer("query b")};
    const std::array<BufferId, 2> partials = {program.buffer("partial a"),
                                              program.buffer("partial b")};
    for (int hop = 0; hop < ranks; ++hop) {
      const auto here = static_cast<std::size_t>(hop % 2), next = 1 - here;
      program.add(hop, Attend{queries[here], kv, partials[here]});
      if (ranks == 1) break;
      const auto content = [&](Quantity quantity, int h) {
        return whole_shard(schedule, quantity, seat.origin(h));
      };
      // Queries and what is known of them go on together; after the last hop the result goes home
      // alone.
      std::vector<Move> sends = {{seat.to(), partials[here], content(Quantity::partial, hop)}};
      std::vector<Move> receives = {
          {seat.from(), partials[next], content(Quantity::partial, hop + 1)}};
      if (hop + 1 < ranks) {
        sends.push_back({seat.to(), queries[here], content(Quantity::query, hop)});
        receives.push_back({seat.from(), queries[next], content(Quantity::query, hop + 1)});
      }
      program.wait(hop, program.exchange(hop, sends, receives));
      program.add(hop, Release{partials[here]});
    }
    program.program().partial = {ranks == 1 ? partials[0]
                                            : partials[static_cast<std::size_t>(ranks % 2)]};
  }
  return schedule;
}

}  // namespace ringlab

// What every builder needs: adding contents, buffers and steps without counting by hand.
#pragma once

#include "ringlab/reference/schedule/mesh.hpp"
#include "ringlab/reference/schedule/schedule.hpp"
#include "ringlab/reference/sequence/rotation.hpp"

namespace ringlab {

/// Ranks [first, last).
struct RankRange {
  int first = 0, last = 0;
};

/// The problem that a builder makes a schedule for, and what may be chosen about it.
struct ScheduleProblem {
  Layout query_layout, key_layout;  // one shard a rank; same number of ranks
  int query_heads = 1, kv_heads = 1, head_dim = 1;
  Rotation rotation = Rotation::next;
  Degree degree;    // of the axes of a mesh; empty: the builder's own choice
  RankRange built;  // only these get a program, for readers that take a few at a time; empty: all

  int ranks() const { return static_cast<int>(query_layout.size()); }
  RankRange built_ranks() const { return built.last > built.first ? built : RankRange{0, ranks()}; }
};

/// An empty schedule of the problem, with one empty program a rank.
Schedule empty_schedule(const ScheduleProblem& problem, std::string name, bool backward, int hops);

/// The id of a content, added to the schedule if it is new.
ContentId add_content(Schedule& schedule, const Content& content);

/// The whole shard of `rank`, all heads.
ContentId whole_shard(Schedule& schedule, Quantity quantity, int rank);

/// A range of heads.
struct HeadSlice {
  int first = 0, count = 0;
};

/// The whole shards of `ranks` in that order, some heads.
ContentId shards(Schedule& schedule, Quantity quantity, const std::vector<int>& ranks,
                 HeadSlice heads);

/// Slice `index` of `slices` equal ones of the query heads. Throws InputError (field `degree`),
/// with the numbers that would do, unless `slices` divides the query heads.
HeadSlice query_head_slice(const Schedule& schedule, int index, int slices);

/// The key/value heads that a slice of query heads reads.
HeadSlice kv_heads_of(const Schedule& schedule, HeadSlice query_heads);

/// Appends to one rank's program.
class ProgramBuilder {
 public:
  ProgramBuilder(Schedule& schedule, int rank);

  BufferId buffer(std::string name, ContentId initially = kNothing);
  /// Appends a step.
  void add(int hop, Action action);
  /// Appends an exchange; its id, to wait for.
  int exchange(int hop, std::vector<Move> sends, std::vector<Move> receives, int channel = 0);
  /// Appends a collective; its id, to wait for.
  int collective(int hop, CollectiveKind kind, std::vector<int> group, Move in, Move out,
                 int channel = 0);
  void wait(int hop, int id);
  RankProgram& program() { return program_; }
  Schedule& schedule() { return schedule_; }
  int rank() const { return rank_; }

 private:
  Schedule& schedule_;
  RankProgram& program_;
  int rank_;
  int begun_ = 0;
};

/// The buffers of a rank's own queries that a backward pass starts from.
struct BackwardBuffers {
  BufferId query, output_gradient, statistics;
};
BackwardBuffers add_backward_buffers(ProgramBuilder& program);

}  // namespace ringlab

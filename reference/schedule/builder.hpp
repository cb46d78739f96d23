// What every builder needs: adding contents, buffers and steps without counting by hand.
#pragma once

#include "ringlab/reference/schedule/schedule.hpp"
#include "ringlab/reference/sequence/rotation.hpp"

namespace ringlab {

/// The problem that a builder makes a schedule for.
struct ScheduleProblem {
  Layout query_layout, key_layout;  // one shard a rank; same number of ranks
  int query_heads = 1, kv_heads = 1, head_dim = 1;
};

/// An empty schedule of the problem, with one empty program a rank.
Schedule empty_schedule(const ScheduleProblem& problem, std::string name, bool backward, int hops);

/// The id of a content, added to the schedule if it is new.
ContentId add_content(Schedule& schedule, const Content& content);

/// The whole shard of `rank`, all heads.
ContentId whole_shard(Schedule& schedule, Quantity quantity, int rank);

/// Appends to one rank's program.
class ProgramBuilder {
 public:
  ProgramBuilder(Schedule& schedule, int rank);

  BufferId buffer(std::string name, ContentId initially = kNothing);
  /// Appends a step.
  void add(int hop, Action action);
  /// Appends an exchange; its id, to wait for.
  int exchange(int hop, std::vector<Move> sends, std::vector<Move> receives);
  void wait(int hop, int exchange);
  RankProgram& program() { return program_; }

 private:
  RankProgram& program_;
  int exchanges_ = 0;
};

}  // namespace ringlab

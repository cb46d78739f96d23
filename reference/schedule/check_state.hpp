// The state of check()'s run over contents, shared by its parts:
//   check_static.cpp   what needs no run: names that exist, moves and groups that have partners
//   check_steps.cpp    runs each rank until it waits
//   check_wire.cpp     lets moves meet, and says who is stuck
//   check_results.cpp  what stands where at the end
#pragma once

#include <deque>
#include <optional>

#include "ringlab/reference/schedule/check.hpp"
#include "ringlab/reference/schedule/collective.hpp"
#include "ringlab/reference/schedule/coverage.hpp"

namespace ringlab::detail {

/// A finding whose sentence starts with rank, hop and buffer.
Finding make_finding(Fault fault, int rank, int hop, const std::string& buffer,
                     const std::string& what);

// What stands in a buffer: its content, and for results which pairs went into it.
struct Value {
  Content content;
  std::optional<Coverage> coverage;
};

struct Slot {
  std::optional<Value> value;
  int sends_in_flight = 0;
  std::optional<Content> arriving;  // while a receive into it is under way
};

// One end of a move that was begun.
struct PendingMove {
  int peer = 0;
  BufferId buffer = 0;
  Content content;
  int hop = 0;
  bool matched = false;
};

// An exchange or a collective that was begun and not waited for.
struct Operation {
  int id = 0, hop = 0, channel = 0;
  bool collective = false;
  std::vector<PendingMove> sends, receives;

  bool done() const {
    const auto all_matched = [](const std::vector<PendingMove>& moves) {
      for (const PendingMove& m : moves) {
        if (!m.matched) return false;
      }
      return true;
    };
    return all_matched(sends) && all_matched(receives);
  }
};

struct RankState {
  std::size_t next_step = 0;
  std::vector<Slot> slots;
  std::deque<Operation> operations;  // in the order begun; waited ones are removed
};

struct CheckState {
  CheckState(const Schedule& schedule_, const Mask& mask_)
      : schedule(schedule_), mask(mask_), collectives(schedule_) {}

  const Schedule& schedule;
  const Mask& mask;
  CollectiveIndex collectives;
  std::vector<RankState> ranks;
  std::vector<Finding> findings;
  bool too_many_blocks_reported = false;

  RankState& rank(int r) { return ranks[static_cast<std::size_t>(r)]; }
  Slot& slot(int r, BufferId buffer) { return rank(r).slots[static_cast<std::size_t>(buffer)]; }
  bool finished(int r) { return rank(r).next_step == schedule.rank(r).steps.size(); }
  const std::string& buffer_name(int r, BufferId buffer) const {
    return schedule.rank(r).buffers[static_cast<std::size_t>(buffer)].name;
  }
  void report(Fault fault, int r, int hop, const std::string& buffer, const std::string& what) {
    findings.push_back(make_finding(fault, r, hop, buffer, what));
  }
};

// Every buffer, content, peer, hop, exchange and collective that a step names exists.
std::vector<Finding> check_references(const Schedule& schedule);
// Between each two ranks there are as many sends as receives; else names the first one left over.
std::vector<Finding> check_pairing(const Schedule& schedule);
// The members of each group agree, and bring everything that is wanted once.
std::vector<Finding> check_groups(const Schedule& schedule);

void start_ranks(CheckState& state);
// Runs a rank until it waits or ends; true if it took a step.
bool advance(CheckState& state, int rank);
// Lets every move meet that can; true if one did.
bool match_moves(CheckState& state);
// Reports why ranks did not end, if they did not.
void report_stuck(CheckState& state);
void check_results(CheckState& state);

}  // namespace ringlab::detail

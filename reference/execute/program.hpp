// Runs one rank's program of a schedule with real numbers.
//
// The executor is an interpreter of steps over contents: it knows buffers, tiles and moves, and no
// algorithm. Sends are posted where the schedule says so, before the tile that hides them; `wait`
// is the only step that blocks.
#pragma once

#include <functional>
#include <map>

#include "ringlab/reference/execute/arithmetic.hpp"
#include "ringlab/reference/execute/stored.hpp"
#include "ringlab/reference/trace/trace.hpp"
#include "ringlab/reference/transport/communicator.hpp"

namespace ringlab {

/// A tile that was just computed.
struct TileDone {
  int rank = 0, hop = 0;
  double cpu_seconds = 0;  // of the rank's thread: what the tile would take on a core of its own
};

/// Called on the rank's own thread after each tile.
using TileObserver = std::function<void(const TileDone&)>;

struct ProgramOptions {
  AttendKernel kernel = AttendKernel::v3_fast;
  TileObserver observer;
  const Arithmetic* arithmetic = nullptr;  // null: the right one
};

/// What a run really did, to be held against the ledger.
struct RunCounts {
  Index messages_sent = 0;
  Index bytes_sent = 0, bytes_received = 0;
  Index peak_bytes = 0, peak_key_value_bytes = 0;
};

/// The rank's whole shard of each quantity that the program starts from.
template <class T>
using ProgramInputs = std::map<Quantity, Stored<T>>;

template <class T>
struct ProgramResult {
  Stored<T> partial, query_gradient, key_value_gradient;  // those that the schedule makes
  RunCounts counts;
  std::vector<TraceEvent> events;  // with times of now_nanoseconds()
};

/// Runs the program of communicator.rank(). A failure is told to all ranks before it is thrown on.
/// Throws RunError from the transport, InvariantError for a schedule that check() would refuse.
template <class T>
ProgramResult<T> run_program(const Schedule& schedule, const AttentionRule& rule,
                             ProgramInputs<T> inputs, Communicator& communicator,
                             const ProgramOptions& options = {});

}  // namespace ringlab

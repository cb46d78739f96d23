// Moving buffers between ranks: one rank's end of the wire, the same for threads and processes.
//
// The semantics are NCCL's for a group of point-to-point calls: `begin` posts sends and receives
// together and returns at once; between one ordered pair of ranks the n-th send meets the n-th
// receive; nothing is buffered, so a send completes only when its receive is there (a schedule that
// deadlocks on a GPU deadlocks here). `wait` is the only call that blocks, and it does so for a
// bounded time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ringlab {

/// A message is a list of byte ranges, sent in order as one; the receiver's ranges may be cut
/// elsewhere but hold the same number of bytes in all.
struct Send {
  int peer = 0;
  std::vector<std::span<const std::byte>> parts;
  std::string label;  // for messages to people: "kv3"
};

struct Receive {
  int peer = 0;
  std::vector<std::span<std::byte>> parts;
  std::string label;
};

/// When one move of a group was on the wire, on the clock of `now_nanoseconds`.
struct MoveTiming {
  std::int64_t start_nanoseconds = 0;
  std::int64_t end_nanoseconds = 0;
};

struct GroupTiming {
  std::vector<MoveTiming> sends, receives;  // in the order of the call
};

struct TransportOptions {
  /// A wait without any progress for this long ends the run.
  std::chrono::milliseconds timeout{30000};
  /// Every move is held back by a random time below this, drawn from (seed, rank, order of the
  /// call).
  std::chrono::microseconds largest_delay{0};
  std::uint64_t delay_seed = 0;
};

class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  using Ticket = std::uint64_t;
  /// Posts the group. Memory of all parts stays valid, and of receives untouched, until `wait`.
  /// Throws InvariantError for a peer outside [0, size) or this rank itself.
  virtual Ticket begin(int hop, std::vector<Send> sends, std::vector<Receive> receives) = 0;
  /// Blocks until every move of the group is done. Throws RunError, with a line that says which
  /// rank waited for whom, at which hop, for what, when a peer died or aborted, a message has the
  /// wrong size, or nothing moved for the timeout.
  virtual GroupTiming wait(Ticket ticket) = 0;
  /// Ends the run for everyone: each rank's present and next wait throws RunError with `why`.
  virtual void abort(const std::string& why) noexcept = 0;
  /// Blocks until all ranks are here; bounded like wait.
  virtual void barrier() = 0;
};

/// A clock that all ranks of one machine share.
std::int64_t now_nanoseconds();

}  // namespace ringlab

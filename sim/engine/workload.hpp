// What the engine runs: ranks with a list of operations, messages, and the links that they pass.
//
// Everything is a number in a flat array; ids are indices. The engine knows neither schedules nor
// clusters: sim/run makes a workload of them, and a test writes one by hand.
//
//   compute   takes the rank's compute lane for a time
//   begin     puts a group of messages on its channel and goes on; the groups of one channel run
//             one after another
//   wait      blocks until a group is done
//
// A message is sent by one group and received by another (of any rank). It starts when both have
// come to the front of their channels, and needs every link of its path.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "ringlab/sim/engine/large_pages.hpp"

namespace ringlab {

/// Simulated time: whole, so that a run ends with the same bits everywhere; up to 53 days.
using Picoseconds = std::int64_t;
inline constexpr Picoseconds kLatestTime = Picoseconds{1} << 62;
inline constexpr Picoseconds kNever = std::numeric_limits<Picoseconds>::max();

namespace engine {

using Id = std::int32_t;
inline constexpr Id kNone = -1;

enum class OpKind : std::uint8_t { compute, begin, wait };

// Eight bytes, since a large run holds millions: the kind, and a time or the number of a group.
class Op {
 public:
  /// `duration` of compute (kLatestTime at most), `group` of begin and wait.
  Op(Picoseconds duration, Id group, OpKind kind)
      : word_(static_cast<std::uint64_t>(kind) << kShift |
              (kind == OpKind::compute
                   ? static_cast<std::uint64_t>(duration < kMost ? duration : kMost)
                   : static_cast<std::uint32_t>(group))) {}
  OpKind kind() const { return static_cast<OpKind>(word_ >> kShift); }
  Picoseconds duration() const { return static_cast<Picoseconds>(word_ & kMost); }
  Id group() const { return static_cast<Id>(word_ & 0xffffffffu); }

 private:
  static constexpr int kShift = 62;
  static constexpr Picoseconds kMost = (Picoseconds{1} << kShift) - 1;
  std::uint64_t word_;
};

struct Message {
  std::int64_t bytes = 0;
  Id path = 0;
  Id sender = kNone, receiver = kNone;  // groups; one may be missing: a copy to or from the host
  Id turn = 0;  // of messages that are ready at the same time, those of a lower turn ask first
};

struct Group {
  Id rank = 0;
  Id channel = 0;                      // dense over all ranks
  Id first_message = 0, messages = 0;  // of group_messages
};

struct Link {
  double picoseconds_per_byte = 0;
  bool fair_share = false;  // equal shares for the messages on it; else one at a time, in order
  Picoseconds lost_at = kNever;
};

struct Path {
  std::int64_t first_link = 0;  // of path_links
  std::int32_t links = 0;
  bool store_and_forward = false;  // each link takes the whole message before the next one starts
  Picoseconds latency = 0;         // of the whole path, or of each link with store and forward
};

struct Workload {
  std::vector<std::int64_t> first_op = {0};  // rank r has ops [first_op[r], first_op[r + 1])
  LargeVector<Op> ops;
  LargeVector<Message> messages;
  LargeVector<Group> groups;
  LargeVector<Id> group_messages;
  std::vector<Path> paths;
  std::vector<Id> path_links;
  std::vector<Link> links;
  int channels = 0;

  int ranks() const { return static_cast<int>(first_op.size()) - 1; }
};

}  // namespace engine
}  // namespace ringlab

// Moving device memory between ranks: one rank's end of the wire, whatever the wire is.
//
//   local_wire.hpp   ranks that share one device, a GPU or CPU streams: copies and events
//   nccl.hpp         ranks with a GPU each, over NCCL
//
// The semantics are NCCL's. A group of sends and receives is one operation of a communication
// stream of the rank, one stream a channel: its moves go on together, groups of a channel follow
// one another in the order in which they were begun, channels run side by side, and between two
// ranks the n-th send of a channel meets the n-th receive. Nothing is buffered. A group starts
// behind what the compute stream holds when it is begun (so what it sends is complete, and what it
// overwrites has been read), and `wait` is what puts the compute stream behind a group. Forget it,
// and a number is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ringlab/cuda/runtime/stream.hpp"
#include "ringlab/reference/transport/communicator.hpp"

namespace ringlab::cuda {

/// One end of a move. The memory is one range on the device: what travels together lies together.
struct DeviceMessage {
  int peer = 0;
  void* memory = nullptr;
  std::size_t bytes = 0;
  std::string label;  // for messages to people: "kv3"
};

/// Times of events on a clock that people and other ranks can read: that of now_nanoseconds.
class DeviceClock {
 public:
  /// Records the origin on `stream`, and waits for it.
  explicit DeviceClock(Stream& stream);
  std::int64_t at(const Event& event) const {
    return origin_nanoseconds_ + event.nanoseconds_since(origin_);
  }

 private:
  Event origin_;
  std::int64_t origin_nanoseconds_;
};

class DeviceCommunicator {
 public:
  virtual ~DeviceCommunicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual Device& device() const = 0;

  using Ticket = std::uint64_t;
  /// Posts a group behind what `compute` holds now, and returns. Memory stays valid, and of
  /// receives untouched, until the group is waited for. Throws InvariantError for a peer that is no
  /// other rank, RunError for messages of different size.
  virtual Ticket begin(int hop, int channel, std::vector<DeviceMessage> sends,
                       std::vector<DeviceMessage> receives, Stream& compute) = 0;
  /// False while a rank that is driven by this same thread has yet to post its end of a move.
  virtual bool launched(Ticket ticket) const = 0;
  /// Puts `compute` behind the group; it was launched.
  virtual void wait(Ticket ticket, Stream& compute) = 0;
  /// Blocks until the stream has done all it holds; the only call that blocks. Throws RunError for
  /// a peer that is gone and for a time without progress.
  virtual void synchronize(Stream& stream) = 0;
  /// When the moves of a group were on the wire, after synchronize. Once per ticket.
  virtual GroupTiming timing(Ticket ticket, const DeviceClock& clock) = 0;
  /// Who waits for whom, when no rank that this thread drives can go on.
  virtual std::string why_stuck() const = 0;
};

}  // namespace ringlab::cuda

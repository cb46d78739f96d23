// Ranks that share one device: the wire is a copy on it, and events stand for the handshake.
//
// Each rank has a communication stream a channel. A move becomes a copy on the receiver's stream
// once it is in the current group of both ranks: behind the start of the sender's group (its buffer
// is complete) and of the receiver's own (its buffer is free). A group ends when its receives are
// copied and its sends have been, so nothing is reused before the other side has it.
//
// One thread drives all ranks. As every group is known here, a circle of ranks that wait for each
// other's next group is seen at once, where NCCL would hang.
#pragma once

#include <deque>
#include <map>
#include <memory>

#include "ringlab/cuda/transport/device_communicator.hpp"

namespace ringlab::cuda {

/// What every move takes on top of its copy: an imitation of a slower link.
struct LinkSpeed {
  double bytes_per_second = 0;   // 0: no such limit
  std::int64_t nanoseconds = 0;  // of every move
};

class LocalWire {
 public:
  /// Throws InputError (field `ranks`) unless 1 <= ranks <= 1024.
  LocalWire(Device& device, int ranks, LinkSpeed speed = {});
  ~LocalWire();
  LocalWire(const LocalWire&) = delete;
  LocalWire& operator=(const LocalWire&) = delete;

  int size() const { return static_cast<int>(ranks_.size()); }
  /// The end of one rank; lives as long as the wire.
  DeviceCommunicator& rank(int rank);

 private:
  class End;
  struct Message;
  struct Group;
  struct Channel;
  struct Rank;

  Rank& at(int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }
  const Rank& at(int rank) const { return *ranks_[static_cast<std::size_t>(rank)]; }
  Channel& channel(int rank, int number);
  void progress();
  bool advance(int rank, int number);
  bool match(int sender, int number, Message& send);
  void launch(Message& send, Message& receive, const Event& sender_start, Stream& stream);
  std::string why_stuck() const;

  Device& device_;
  LinkSpeed speed_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace ringlab::cuda

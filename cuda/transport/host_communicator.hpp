// Host memory over a device wire: what a program needs before and after a run (bringing outputs
// together on one rank), with the interface of the reference's transports.
#pragma once

#include <map>

#include "ringlab/cuda/runtime/device_buffer.hpp"
#include "ringlab/cuda/transport/device_communicator.hpp"

namespace ringlab::cuda {

class HostCommunicator : public Communicator {
 public:
  /// `wire` outlives this object.
  explicit HostCommunicator(DeviceCommunicator& wire)
      : wire_(wire), stream_(wire.device(), "host messages") {}

  int rank() const override { return wire_.rank(); }
  int size() const override { return wire_.size(); }
  Ticket begin(int hop, std::vector<Send> sends, std::vector<Receive> receives) override;
  GroupTiming wait(Ticket ticket) override;
  /// Nobody is told: the others end when their wait has taken too long.
  void abort(const std::string&) noexcept override {}
  void barrier() override;

 private:
  struct Group {
    DeviceCommunicator::Ticket ticket;
    std::vector<Receive> receives;
    std::vector<DeviceBuffer> sent, received;
  };

  DeviceCommunicator& wire_;
  Stream stream_;
  std::map<Ticket, Group> groups_;
};

}  // namespace ringlab::cuda

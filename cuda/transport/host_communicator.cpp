#include "ringlab/cuda/transport/host_communicator.hpp"

#include <cstring>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/transport/detail/link.hpp"

namespace ringlab::cuda {

Communicator::Ticket HostCommunicator::begin(int hop, std::vector<Send> sends,
                                             std::vector<Receive> receives) {
  Group group;
  std::vector<DeviceMessage> out, in;
  std::vector<std::vector<std::byte>> host;  // lives until it was uploaded
  for (const Send& send : sends) {
    std::vector<std::byte>& bytes = host.emplace_back();
    for (const auto& part : send.parts) bytes.insert(bytes.end(), part.begin(), part.end());
    DeviceBuffer& buffer = group.sent.emplace_back(wire_.device(), bytes.size());
    stream_.copy(CopyKind::to_device, buffer.data(), bytes.data(), bytes.size());
    out.push_back({send.peer, buffer.data(), bytes.size(), send.label});
  }
  wire_.synchronize(stream_);
  for (const Receive& receive : receives) {
    const std::size_t bytes = ringlab::detail::total_bytes(receive.parts);
    DeviceBuffer& buffer = group.received.emplace_back(wire_.device(), bytes);
    in.push_back({receive.peer, buffer.data(), bytes, receive.label});
  }
  group.receives = std::move(receives);
  group.ticket = wire_.begin(hop, 0, std::move(out), std::move(in), stream_);
  const Ticket ticket = group.ticket;
  groups_.emplace(ticket, std::move(group));
  return ticket;
}

GroupTiming HostCommunicator::wait(Ticket ticket) {
  const auto found = groups_.find(ticket);
  RINGLAB_ENSURE(found != groups_.end(), "only what was begun is waited for");
  const DeviceClock clock(stream_);
  wire_.wait(ticket, stream_);
  std::vector<std::vector<std::byte>> host;
  for (DeviceBuffer& buffer : found->second.received) {
    std::vector<std::byte>& bytes = host.emplace_back(buffer.bytes());
    stream_.copy(CopyKind::to_host, bytes.data(), buffer.data(), bytes.size());
  }
  wire_.synchronize(stream_);
  for (std::size_t m = 0; m < host.size(); ++m) {
    const std::byte* at = host[m].data();
    for (const auto& part : found->second.receives[m].parts) {
      if (!part.empty()) std::memcpy(part.data(), at, part.size());
      at += part.size();
    }
  }
  groups_.erase(found);
  return wire_.timing(ticket, clock);
}

void HostCommunicator::barrier() {
  std::vector<Send> sends;
  std::vector<Receive> receives;
  const std::byte here{1};
  std::vector<std::byte> there(static_cast<std::size_t>(size()));
  for (int peer = 0; peer < size(); ++peer) {
    if (peer == rank()) continue;
    sends.push_back({peer, {{&here, 1}}, "barrier"});
    receives.push_back({peer, {{&there[static_cast<std::size_t>(peer)], 1}}, "barrier"});
  }
  wait(begin(0, std::move(sends), std::move(receives)));
}

}  // namespace ringlab::cuda

#include "ringlab/cuda/transport/nccl.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <nccl.h>

#include <exception>
#include <map>
#include <thread>

#include "ringlab/cuda/runtime/check.hpp"
#include "ringlab/reference/core/error.hpp"

namespace ringlab::cuda {
namespace {

using Clock = std::chrono::steady_clock;

void check(ncclResult_t result, const char* call, ncclComm_t comm = nullptr) {
  if (result == ncclSuccess || result == ncclInProgress) return;
  const char* detail = comm ? ncclGetLastError(comm) : nullptr;
  throw RunError(fmt::format("{}: NCCL says {}{}{}", call, ncclGetErrorString(result),
                             detail && *detail ? ": " : "", detail ? detail : ""));
}

// Everything of one channel.
struct Channel {
  ncclComm_t comm = nullptr;
  Stream stream;
};

struct Group {
  int hop;
  std::vector<DeviceMessage> sends, receives;
  Event ready, start, done;
  bool seen_done = false;
};

class NcclCommunicator : public DeviceCommunicator {
 public:
  NcclCommunicator(Device& device, int device_index, int rank, int size, const NcclId& id,
                   const NcclOptions& options)
      : device_(device), rank_(rank), size_(size), options_(options) {
    RINGLAB_CUDA_CHECK(cudaSetDevice(device_index));
    ncclUniqueId unique{};
    static_assert(sizeof(unique) == sizeof(id));
    std::copy(id.begin(), id.end(), unique.internal);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    channels_.resize(static_cast<std::size_t>(options.channels));
    try {
      for (std::size_t c = 0; c < channels_.size(); ++c) {
        ncclComm_t& comm = channels_[c].comm;
        if (c == 0) {
          check(ncclCommInitRankConfig(&comm, size, unique, rank, &config), "joining the ring");
        } else {
          check(ncclCommSplit(channels_[0].comm, 0, rank, &comm, &config), "adding a channel");
          settle(channels_[0].comm, "adding a channel");
        }
        settle(comm, "joining the ring");
        channels_[c].stream =
            Stream(device, fmt::format("communication of rank {}, channel {}", rank, c));
      }
    } catch (...) {
      abort();
      throw;
    }
  }

  ~NcclCommunicator() override {
    // Who leaves in the middle of a run leaves work behind that will never be done.
    if (std::uncaught_exceptions() > 0) abort();
    for (Channel& channel : channels_) {
      if (!channel.comm) continue;
      (void)ncclCommFinalize(channel.comm);
      const Clock::time_point end = Clock::now() + options_.timeout;
      ncclResult_t state = ncclInProgress;
      while (ncclCommGetAsyncError(channel.comm, &state) == ncclSuccess &&
             state == ncclInProgress && Clock::now() < end) {
        std::this_thread::yield();
      }
      (void)(state == ncclSuccess ? ncclCommDestroy(channel.comm) : ncclCommAbort(channel.comm));
    }
  }
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  Device& device() const override { return device_; }

  Ticket begin(int hop, int number, std::vector<DeviceMessage> sends,
               std::vector<DeviceMessage> receives, Stream& compute) override {
    for (const std::vector<DeviceMessage>* side : {&sends, &receives}) {
      for (const DeviceMessage& m : *side) {
        RINGLAB_ENSURE(m.peer >= 0 && m.peer < size_ && m.peer != rank_,
                       fmt::format("rank {} of {} names peer {}", rank_, size_, m.peer));
      }
    }
    RINGLAB_ENSURE(number >= 0 && number < options_.channels, "as many channels as were asked for");
    Channel& channel = channels_[static_cast<std::size_t>(number)];
    Group group{hop,
                std::move(sends),
                std::move(receives),
                Event(device_, "ready"),
                Event(device_, "start"),
                Event(device_, "done")};
    compute.record(group.ready);
    channel.stream.wait(group.ready);
    channel.stream.record(group.start);
    post(channel, group);
    channel.stream.record(group.done);
    const Ticket ticket = next_ticket_++;
    groups_.emplace(ticket, std::move(group));
    return ticket;
  }

  bool launched(Ticket) const override { return true; }  // NCCL matches the ends on the devices

  void wait(Ticket ticket, Stream& compute) override { compute.wait(at(ticket).done); }

  void synchronize(Stream& stream) override {
    Event end(device_, "end");
    stream.record(end);
    Clock::time_point progress = Clock::now();
    while (!end.happened()) {
      for (Channel& channel : channels_) watch(channel.comm);
      for (auto& [ticket, group] : groups_) {
        if (group.seen_done || !group.done.happened()) continue;
        group.seen_done = true;
        progress = Clock::now();
      }
      if (Clock::now() - progress > options_.timeout) {
        const std::string why = why_stuck();
        abort();
        throw RunError(why);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }

  // NCCL runs a group as one kernel, so its moves have one time.
  GroupTiming timing(Ticket ticket, const DeviceClock& clock) override {
    const Group& group = at(ticket);
    const MoveTiming time{clock.at(group.start), clock.at(group.done)};
    GroupTiming timing{std::vector<MoveTiming>(group.sends.size(), time),
                       std::vector<MoveTiming>(group.receives.size(), time)};
    groups_.erase(ticket);
    return timing;
  }

  std::string why_stuck() const override {
    const double seconds = static_cast<double>(options_.timeout.count()) * 1e-3;
    for (const auto& [ticket, group] : groups_) {
      if (group.seen_done) continue;
      std::string moves;
      for (const DeviceMessage& m : group.sends) {
        moves += fmt::format("{}send {} to rank {}", moves.empty() ? "" : ", ", m.label, m.peer);
      }
      for (const DeviceMessage& m : group.receives) {
        moves +=
            fmt::format("{}receive {} from rank {}", moves.empty() ? "" : ", ", m.label, m.peer);
      }
      return fmt::format("rank {} waited at hop {} ({}): nothing moved for {:.1f} s", rank_,
                         group.hop, moves, seconds);
    }
    return fmt::format("rank {}: its GPU made no progress for {:.1f} s", rank_, seconds);
  }

 private:
  Group& at(Ticket ticket) {
    const auto found = groups_.find(ticket);
    RINGLAB_ENSURE(found != groups_.end(), fmt::format("rank {} began group {}", rank_, ticket));
    return found->second;
  }

  // Both sides know the size of a message, so an empty one is left out by both.
  void post(Channel& channel, const Group& group) {
    const auto stream = static_cast<cudaStream_t>(channel.stream.handle().queue);
    check(ncclGroupStart(), "a group");
    for (const DeviceMessage& m : group.sends) {
      if (m.bytes == 0) continue;
      check(ncclSend(m.memory, m.bytes, ncclUint8, m.peer, channel.comm, stream), "a send",
            channel.comm);
    }
    for (const DeviceMessage& m : group.receives) {
      if (m.bytes == 0) continue;
      check(ncclRecv(m.memory, m.bytes, ncclUint8, m.peer, channel.comm, stream), "a receive",
            channel.comm);
    }
    check(ncclGroupEnd(), "a group", channel.comm);
    // Until this is over the group is not on the stream, and the event behind it would be too
    // early.
    settle(channel.comm, "starting a group");
  }

  void settle(ncclComm_t comm, const char* what) {
    const Clock::time_point end = Clock::now() + options_.timeout;
    for (;;) {
      ncclResult_t state = ncclSuccess;
      check(ncclCommGetAsyncError(comm, &state), what, comm);
      if (state != ncclInProgress) return check(state, what, comm);
      if (Clock::now() > end) {
        abort();
        throw RunError(fmt::format(
            "rank {}: {} took more than {:.1f} s; is every rank running, and can they reach each "
            "other?",
            rank_, what, static_cast<double>(options_.timeout.count()) * 1e-3));
      }
      std::this_thread::yield();
    }
  }

  void watch(ncclComm_t comm) {
    ncclResult_t state = ncclSuccess;
    check(ncclCommGetAsyncError(comm, &state), "asking for errors", comm);
    if (state == ncclSuccess || state == ncclInProgress) return;
    const char* detail = ncclGetLastError(comm);
    const std::string why =
        fmt::format("rank {}: a peer or link failed: {}{}{}", rank_, ncclGetErrorString(state),
                    detail && *detail ? ": " : "", detail ? detail : "");
    abort();
    throw RunError(why);
  }

  void abort() noexcept {
    for (Channel& channel : channels_) {
      if (channel.comm) (void)ncclCommAbort(channel.comm);
      channel.comm = nullptr;
    }
  }

  Device& device_;
  int rank_, size_;
  NcclOptions options_;
  std::vector<Channel> channels_;
  std::map<Ticket, Group> groups_;
  Ticket next_ticket_ = 0;
};

}  // namespace

bool have_nccl() {
  return true;
}

std::string nccl_version() {
  int version = 0;
  check(ncclGetVersion(&version), "asking for the version");
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

NcclId make_nccl_id() {
  ncclUniqueId unique{};
  check(ncclGetUniqueId(&unique), "making an id");
  NcclId id{};
  std::copy(std::begin(unique.internal), std::end(unique.internal), id.begin());
  return id;
}

std::unique_ptr<DeviceCommunicator> make_nccl_communicator(Device& device, int device_index,
                                                           int rank, int size, const NcclId& id,
                                                           const NcclOptions& options) {
  return std::make_unique<NcclCommunicator>(device, device_index, rank, size, id, options);
}

}  // namespace ringlab::cuda

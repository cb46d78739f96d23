#include "ringlab/cuda/transport/local_wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/transport/detail/link.hpp"

namespace ringlab::cuda {

using ringlab::detail::Link;
using ringlab::detail::Side;

struct LocalWire::Message {
  Link link;
  DeviceMessage message;
  bool launched = false;
  std::shared_ptr<Event> begin, end;  // of the copy; both ends share them
};

struct LocalWire::Group {
  std::vector<Message> sends, receives;
  Event ready, start, done;
  bool started = false, launched = false;
};

struct LocalWire::Channel {
  Stream stream;
  std::deque<Group*> queue;  // not launched yet; the first is the current one
};

struct LocalWire::Rank {
  std::unique_ptr<End> end;
  std::map<int, Channel> channels;
  std::map<DeviceCommunicator::Ticket, std::unique_ptr<Group>> groups;
  DeviceCommunicator::Ticket next_ticket = 0;
};

class LocalWire::End : public DeviceCommunicator {
 public:
  End(LocalWire& wire, int rank) : wire_(wire), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return wire_.size(); }
  Device& device() const override { return wire_.device_; }

  Ticket begin(int hop, int channel, std::vector<DeviceMessage> sends,
               std::vector<DeviceMessage> receives, Stream& compute) override {
    auto group = std::make_unique<Group>();
    const auto take = [&](std::vector<DeviceMessage>& from, std::vector<Message>& into, Side side) {
      for (DeviceMessage& message : from) {
        RINGLAB_ENSURE(message.peer >= 0 && message.peer < size() && message.peer != rank_,
                       fmt::format("rank {} of {} names peer {}", rank_, size(), message.peer));
        into.push_back(
            {{rank_, message.peer, hop, side, message.label}, std::move(message), false, {}, {}});
      }
    };
    take(sends, group->sends, Side::send);
    take(receives, group->receives, Side::receive);
    const auto event = [&](const char* what) {
      return Event(wire_.device_, fmt::format("{} of rank {} at hop {}", what, rank_, hop));
    };
    group->ready = event("ready");
    group->start = event("start");
    group->done = event("done");
    compute.record(group->ready);
    Rank& me = wire_.at(rank_);
    wire_.channel(rank_, channel).queue.push_back(group.get());
    const Ticket ticket = me.next_ticket++;
    me.groups.emplace(ticket, std::move(group));
    wire_.progress();
    return ticket;
  }

  bool launched(Ticket ticket) const override { return group(ticket).launched; }

  void wait(Ticket ticket, Stream& compute) override {
    RINGLAB_ENSURE(launched(ticket), "a group is waited for once it was launched");
    compute.wait(group(ticket).done);
  }

  void synchronize(Stream& stream) override { stream.synchronize(); }

  GroupTiming timing(Ticket ticket, const DeviceClock& clock) override {
    GroupTiming timing;
    const auto times = [&](const std::vector<Message>& from, std::vector<MoveTiming>& into) {
      for (const Message& m : from) into.push_back({clock.at(*m.begin), clock.at(*m.end)});
    };
    times(group(ticket).sends, timing.sends);
    times(group(ticket).receives, timing.receives);
    wire_.at(rank_).groups.erase(ticket);
    return timing;
  }

  std::string why_stuck() const override { return wire_.why_stuck(); }

 private:
  Group& group(Ticket ticket) const {
    const auto& groups = wire_.at(rank_).groups;
    const auto found = groups.find(ticket);
    RINGLAB_ENSURE(found != groups.end(), fmt::format("rank {} began group {}", rank_, ticket));
    return *found->second;
  }

  LocalWire& wire_;
  int rank_;
};

LocalWire::LocalWire(Device& device, int ranks, LinkSpeed speed) : device_(device), speed_(speed) {
  if (ranks < 1 || ranks > 1024) {
    throw InputError("ranks", std::to_string(ranks), "give 1 to 1024 for ranks on one device");
  }
  for (int rank = 0; rank < ranks; ++rank) {
    ranks_.push_back(std::make_unique<Rank>());
    ranks_.back()->end = std::make_unique<End>(*this, rank);
  }
}

LocalWire::~LocalWire() = default;

DeviceCommunicator& LocalWire::rank(int rank) {
  RINGLAB_ENSURE(rank >= 0 && rank < size(), fmt::format("rank {} of {}", rank, size()));
  return *at(rank).end;
}

LocalWire::Channel& LocalWire::channel(int rank, int number) {
  const auto [found, is_new] = at(rank).channels.try_emplace(number);
  if (is_new) {
    found->second.stream =
        Stream(device_, fmt::format("communication of rank {}, channel {}", rank, number));
  }
  return found->second;
}

// A group that ends lets the next one begin, which may be what a peer's group still lacks.
void LocalWire::progress() {
  for (bool changed = true; changed;) {
    changed = false;
    for (int rank = 0; rank < size(); ++rank) {
      for (const auto& [number, unused] : at(rank).channels) {
        changed = advance(rank, number) || changed;
      }
    }
  }
}

// Takes the current group of a channel as far as it goes; true if that was further.
bool LocalWire::advance(int rank, int number) {
  Channel& me = channel(rank, number);
  if (me.queue.empty()) return false;
  Group& group = *me.queue.front();
  bool changed = false;
  if (!group.started) {
    me.stream.wait(group.ready);
    me.stream.record(group.start);
    group.started = changed = true;
  }
  for (Message& send : group.sends) {
    if (!send.launched) changed = match(rank, number, send) || changed;
  }
  const auto launched = [](const Message& m) { return m.launched; };
  if (!std::all_of(group.sends.begin(), group.sends.end(), launched) ||
      !std::all_of(group.receives.begin(), group.receives.end(), launched)) {
    return changed;
  }
  // The receives are on this stream; what was sent is copied by others.
  for (const Message& send : group.sends) me.stream.wait(*send.end);
  me.stream.record(group.done);
  group.launched = true;
  me.queue.pop_front();
  return true;
}

bool LocalWire::match(int sender, int number, Message& send) {
  const auto found = at(send.link.peer).channels.find(number);
  if (found == at(send.link.peer).channels.end()) return false;
  Channel& peer = found->second;
  if (peer.queue.empty() || !peer.queue.front()->started) return false;
  for (Message& receive : peer.queue.front()->receives) {
    if (receive.launched || receive.link.peer != sender) continue;
    if (send.message.bytes != receive.message.bytes) {
      throw RunError(ringlab::detail::wrong_size(send.link, send.message.bytes, receive.link,
                                                 receive.message.bytes));
    }
    launch(send, receive, channel(sender, number).queue.front()->start, peer.stream);
    return true;
  }
  return false;
}

void LocalWire::launch(Message& send, Message& receive, const Event& sender_start, Stream& stream) {
  const std::string what =
      fmt::format("{} from rank {} to {}", send.link.label, send.link.rank, receive.link.rank);
  send.begin = receive.begin = std::make_shared<Event>(device_, what);
  send.end = receive.end = std::make_shared<Event>(device_, what);
  stream.wait(sender_start);
  stream.record(*send.begin);
  std::int64_t slow = speed_.nanoseconds;
  if (speed_.bytes_per_second > 0) {
    slow += std::llround(static_cast<double>(send.message.bytes) / speed_.bytes_per_second * 1e9);
  }
  stream.delay(slow);
  stream.copy(CopyKind::on_device, receive.message.memory, send.message.memory, send.message.bytes);
  stream.record(*send.end);
  send.launched = receive.launched = true;
}

// Follows what each rank's current group lacks, until a rank comes up twice or has nothing open.
std::string LocalWire::why_stuck() const {
  const auto next_link = [&](int rank) -> const Link* {
    for (const auto& [number, channel] : at(rank).channels) {
      if (channel.queue.empty()) continue;
      const Group& group = *channel.queue.front();
      for (const std::vector<Message>* side : {&group.sends, &group.receives}) {
        for (const Message& message : *side) {
          if (!message.launched) return &message.link;
        }
      }
    }
    return nullptr;
  };
  for (int first = 0; first < size(); ++first) {
    std::vector<Link> path;
    std::vector<int> place(ranks_.size(), -1);  // in the path
    for (int rank = first; const auto* link = next_link(rank);) {
      if (place[static_cast<std::size_t>(rank)] >= 0) {
        path.erase(path.begin(), path.begin() + place[static_cast<std::size_t>(rank)]);
        return ringlab::detail::in_a_circle(std::move(path));
      }
      place[static_cast<std::size_t>(rank)] = static_cast<int>(path.size());
      path.push_back(*link);
      rank = link->peer;
    }
    if (!path.empty()) return ringlab::detail::has_ended(path.back());
  }
  return "no rank waits for another";
}

}  // namespace ringlab::cuda

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

struct LocalWire::Rank {
  Stream stream;
  std::unique_ptr<End> end;
  std::map<DeviceCommunicator::Ticket, std::unique_ptr<Group>> groups;
  std::deque<Group*> queue;  // not launched yet; the first is the current one
  DeviceCommunicator::Ticket next_ticket = 0;
};

class LocalWire::End : public DeviceCommunicator {
 public:
  End(LocalWire& wire, int rank) : wire_(wire), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return wire_.size(); }
  Device& device() const override { return wire_.device_; }

  Ticket begin(int hop, std::vector<DeviceMessage> sends, std::vector<DeviceMessage> receives,
               Stream& compute) override {
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
    me.queue.push_back(group.get());
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
    ranks_.back()->stream = Stream(device, fmt::format("communication of rank {}", rank));
    ranks_.back()->end = std::make_unique<End>(*this, rank);
  }
}

LocalWire::~LocalWire() = default;

DeviceCommunicator& LocalWire::rank(int rank) {
  RINGLAB_ENSURE(rank >= 0 && rank < size(), fmt::format("rank {} of {}", rank, size()));
  return *at(rank).end;
}

// A group that ends lets the next one begin, which may be what a peer's group still lacks.
void LocalWire::progress() {
  for (bool changed = true; changed;) {
    changed = false;
    for (int rank = 0; rank < size(); ++rank) changed = advance(rank) || changed;
  }
}

// Takes the current group of a rank as far as it goes; true if that was further.
bool LocalWire::advance(int rank) {
  Rank& me = at(rank);
  if (me.queue.empty()) return false;
  Group& group = *me.queue.front();
  bool changed = false;
  if (!group.started) {
    me.stream.wait(group.ready);
    me.stream.record(group.start);
    group.started = changed = true;
  }
  for (Message& send : group.sends) {
    if (!send.launched) changed = match(rank, send) || changed;
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

bool LocalWire::match(int sender, Message& send) {
  Rank& peer = at(send.link.peer);
  if (peer.queue.empty() || !peer.queue.front()->started) return false;
  for (Message& receive : peer.queue.front()->receives) {
    if (receive.launched || receive.link.peer != sender) continue;
    if (send.message.bytes != receive.message.bytes) {
      throw RunError(ringlab::detail::wrong_size(send.link, send.message.bytes, receive.link,
                                                 receive.message.bytes));
    }
    launch(send, receive, sender, send.link.peer);
    return true;
  }
  return false;
}

void LocalWire::launch(Message& send, Message& receive, int sender, int receiver) {
  Stream& stream = at(receiver).stream;
  const std::string what = fmt::format("{} from rank {} to {}", send.link.label, sender, receiver);
  send.begin = receive.begin = std::make_shared<Event>(device_, what);
  send.end = receive.end = std::make_shared<Event>(device_, what);
  stream.wait(at(sender).queue.front()->start);
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
    if (at(rank).queue.empty()) return nullptr;
    const Group& group = *at(rank).queue.front();
    for (const std::vector<Message>* side : {&group.sends, &group.receives}) {
      for (const Message& message : *side) {
        if (!message.launched) return &message.link;
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

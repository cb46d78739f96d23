#include "ringlab/reference/transport/detail/thread_mail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::detail {
namespace {

// The two sides may cut the same bytes differently, so both lists are walked at once.
void copy_parts(const std::vector<std::span<const std::byte>>& from,
                const std::vector<std::span<std::byte>>& to) {
  std::size_t part = 0, used = 0;
  for (std::span<std::byte> target : to) {
    while (!target.empty()) {
      const std::size_t count = std::min(from[part].size() - used, target.size());
      if (count > 0) std::memcpy(target.data(), from[part].data() + used, count);
      target = target.subspan(count);
      used += count;
      if (used == from[part].size()) {
        ++part;
        used = 0;
      }
    }
  }
}

}  // namespace

ThreadMail::ThreadMail(int ranks, TransportOptions options) : options_(options) {
  for (int rank = 0; rank < ranks; ++rank) ranks_.push_back(std::make_unique<Rank>());
  // Two, so that a short move does not wait behind a long one; more would only fight with the ranks
  // for cores, as one core already copies at a good part of the memory's speed.
  for (int wire = 0; wire < (ranks > 1 ? 2 : 0); ++wire) wires_.emplace_back([this] { serve(); });
}

ThreadMail::~ThreadMail() {
  {
    const Lock lock(mutex_);
    stop_ = true;
    work_.notify_all();
  }
  for (std::thread& wire : wires_) wire.join();
}

void ThreadMail::join(int rank) {
  RINGLAB_ENSURE(rank >= 0 && rank < size(), fmt::format("rank {} of {}", rank, size()));
  const Lock lock(mutex_);
  RINGLAB_ENSURE(!at(rank).joined, fmt::format("rank {} has its communicator already", rank));
  at(rank).joined = true;
}

void ThreadMail::leave(int rank) noexcept {
  Lock lock(mutex_);
  Rank& me = at(rank);
  me.ended = true;
  for (auto& [key, pair] : pairs_) {  // what nobody has met yet is taken back
    if (key.first == rank) pair.sends.clear();
    if (key.second == rank) pair.receives.clear();
  }
  for (int other = 0; other < size() && !failed_; ++other) {
    if (!is_blocked(other)) continue;
    const std::string why = hopeless(other);
    if (!why.empty()) fail(why);
  }
  me.changed.wait(lock, [&] { return me.on_wire == 0; });
  me.groups.clear();
}

Communicator::Ticket ThreadMail::begin(int rank, int hop, std::vector<Send> sends,
                                       std::vector<Receive> receives) {
  check_peers(rank, size(), sends, receives);
  const Lock lock(mutex_);
  Rank& me = at(rank);
  auto group = std::make_unique<Group>();
  group->open = sends.size() + receives.size();
  const auto take = [&](auto& ends, auto& messages, Side side) {
    for (auto& message : messages) {
      const std::size_t bytes = total_bytes(message.parts);
      Link link{rank, message.peer, hop, side, message.label};
      ends.push_back(
          {std::move(link), std::move(message), bytes, 0, group.get(), State::posted, {}});
    }
  };
  take(group->sends, sends, Side::send);
  take(group->receives, receives, Side::receive);
  // From here on the vectors do not grow, so that the ends can be pointed at.
  for (SendEnd& send : group->sends) {
    send.index = me.sends++;
    if (failed_) continue;
    Pair& pair = pairs_[{rank, send.link.peer}];
    pair.sends.push_back(&send);
    match(pair);
  }
  for (ReceiveEnd& receive : group->receives) {
    if (failed_) break;
    Pair& pair = pairs_[{receive.link.peer, rank}];
    pair.receives.push_back(&receive);
    match(pair);
  }
  const Ticket ticket = me.next_ticket++;
  me.groups.emplace(ticket, std::move(group));
  return ticket;
}

void ThreadMail::match(Pair& pair) {
  if (pair.sends.empty() || pair.receives.empty()) return;
  SendEnd& send = *pair.sends.front();
  ReceiveEnd& receive = *pair.receives.front();
  if (send.bytes != receive.bytes) {
    fail(wrong_size(send.link, send.bytes, receive.link, receive.bytes));
    return;  // `pair` is gone
  }
  pair.sends.pop_front();
  pair.receives.pop_front();
  const Clock::time_point now = Clock::now();
  const std::int64_t start = now_nanoseconds();
  const auto begin_move = [&](auto& end) {
    end.state = State::matched;
    end.timing.start_nanoseconds = start;
    ++at(end.link.rank).on_wire;
    at(end.link.rank).progress = now;
  };
  begin_move(send);
  begin_move(receive);
  queue_.push({&send, &receive, now + delay_of(options_, send.link.rank, send.index), moves_++});
  work_.notify_one();
}

void ThreadMail::serve() {
  Lock lock(mutex_);
  while (!stop_) {
    if (queue_.empty()) {
      work_.wait(lock);
    } else if (queue_.top().ready > Clock::now()) {
      const Clock::time_point ready = queue_.top().ready;
      work_.wait_until(lock, ready);
    } else {
      const Move move = queue_.top();
      queue_.pop();
      lock.unlock();
      copy_parts(move.send->message.parts, move.receive->message.parts);
      const std::int64_t end = now_nanoseconds();
      lock.lock();
      finish(move, end);
    }
  }
}

void ThreadMail::finish(const Move& move, std::int64_t end_nanoseconds) {
  const auto end_move = [&](auto& end) {
    Rank& rank = at(end.link.rank);
    end.state = State::done;
    end.timing.end_nanoseconds = end_nanoseconds;
    --end.group->open;
    --rank.on_wire;
    rank.progress = Clock::now();
    rank.changed.notify_all();
  };
  end_move(*move.send);
  end_move(*move.receive);
}

void ThreadMail::fail(const std::string& why) {
  if (failed_) return;
  failed_ = true;
  why_ = why;
  pairs_.clear();
  for (; !queue_.empty(); queue_.pop()) {  // what has not begun to move never will
    --at(queue_.top().send->link.rank).on_wire;
    --at(queue_.top().receive->link.rank).on_wire;
  }
  for (auto& rank : ranks_) rank->changed.notify_all();
}

template <class Done>
void ThreadMail::block(Lock& lock, int rank, Done done) {
  Rank& me = at(rank);
  me.progress = Clock::now();
  if (!failed_ && !done()) {
    const std::string why = hopeless(rank);
    if (!why.empty()) fail(why);
  }
  while (!failed_ && !done()) {
    const Clock::time_point deadline = me.progress + options_.timeout;
    me.changed.wait_until(lock, deadline);
    if (failed_ || done() || Clock::now() < me.progress + options_.timeout) continue;
    if (me.on_wire > 0) {
      me.progress = Clock::now();  // a long copy or a delay: it will end
    } else {
      fail(overdue(rank));
    }
  }
  // The caller's memory goes when it is told of a failure, so the wire has to be off it by then.
  if (failed_) me.changed.wait(lock, [&] { return me.on_wire == 0; });
}

GroupTiming ThreadMail::wait(int rank, Ticket ticket) {
  Lock lock(mutex_);
  Rank& me = at(rank);
  const auto found = me.groups.find(ticket);
  RINGLAB_ENSURE(found != me.groups.end(),
                 fmt::format("rank {} waits for ticket {}", rank, ticket));
  const Group& group = *found->second;
  me.waits = &group;
  block(lock, rank, [&] { return group.open == 0; });
  me.waits = nullptr;
  GroupTiming timing;
  for (const SendEnd& end : group.sends) timing.sends.push_back(end.timing);
  for (const ReceiveEnd& end : group.receives) timing.receives.push_back(end.timing);
  me.groups.erase(found);
  if (failed_) throw RunError(why_);
  return timing;
}

void ThreadMail::barrier(int rank) {
  Lock lock(mutex_);
  at(rank).at_barrier = true;
  const auto here = [](const auto& r) { return r->at_barrier; };
  if (std::all_of(ranks_.begin(), ranks_.end(), here)) {
    for (auto& r : ranks_) r->at_barrier = false;
  }
  for (auto& r : ranks_) {  // an arrival is progress for all who wait here
    r->progress = Clock::now();
    r->changed.notify_all();
  }
  block(lock, rank, [&] { return !at(rank).at_barrier; });
  at(rank).at_barrier = false;
  if (failed_) throw RunError(why_);
}

void ThreadMail::abort(int rank, const std::string& why) noexcept {
  Lock lock(mutex_);
  fail(ended_the_run(rank, why));
  Rank& me = at(rank);
  me.changed.wait(lock, [&] { return me.on_wire == 0; });
}

bool ThreadMail::is_blocked(int rank) {
  const Rank& r = at(rank);
  return r.at_barrier || (r.waits != nullptr && r.waits->open > 0);
}

// What a blocked rank waits for. All of it has to come, so any one that cannot come is enough to
// know that the rank waits in vain.
std::vector<Link> ThreadMail::reasons(int rank) {
  std::vector<Link> out;
  if (!is_blocked(rank)) return out;
  if (at(rank).at_barrier) {
    for (int other = 0; other < size(); ++other) {
      if (!at(other).at_barrier) out.push_back({rank, other, 0, Side::barrier, ""});
    }
    return out;
  }
  for (const SendEnd& end : at(rank).waits->sends) {
    if (end.state == State::posted) out.push_back(end.link);
  }
  for (const ReceiveEnd& end : at(rank).waits->receives) {
    if (end.state == State::posted) out.push_back(end.link);
  }
  return out;
}

// Why a rank that has just begun to wait (or whose peer has just ended) waits in vain; empty if it
// does not. A blocked rank posts nothing, so a circle of blocked ranks never opens again, and it is
// closed by the rank that blocks last: looking from that one finds every circle.
std::string ThreadMail::hopeless(int rank) {
  for (const Link& link : reasons(rank)) {
    if (at(link.peer).ended) return has_ended(link);
  }
  std::vector<bool> seen(ranks_.size(), false);
  std::vector<Link> path;
  return find_circle(rank, rank, seen, path) ? in_a_circle(path) : "";
}

bool ThreadMail::find_circle(int from, int goal, std::vector<bool>& seen, std::vector<Link>& path) {
  for (const Link& link : reasons(from)) {
    path.push_back(link);
    if (link.peer == goal) return true;
    if (!seen[static_cast<std::size_t>(link.peer)]) {
      seen[static_cast<std::size_t>(link.peer)] = true;
      if (find_circle(link.peer, goal, seen, path)) return true;
    }
    path.pop_back();
  }
  return false;
}

// The rank whose patience ends first is seldom the cause, so the chain is followed to a rank that
// does not wait at all.
std::string ThreadMail::overdue(int rank) {
  std::vector<Link> next = reasons(rank);
  std::string text = nothing_moved(next.front(), options_.timeout);
  for (int hops = 0; hops < size(); ++hops) {
    const int peer = next.front().peer;
    next = reasons(peer);
    if (next.empty()) return text + fmt::format("; rank {} is not waiting", peer);
    text += "; " + waits_for(next.front());
  }
  return text;
}

}  // namespace ringlab::detail

// The rank's side of an MPI world: posting, waiting, and what to say when it is in vain.
#include "ringlab/reference/transport/detail/mpi_world.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/transport/detail/mpi_call.hpp"

namespace ringlab::detail {

using namespace std::chrono_literals;

MpiWorld::MpiWorld(MPI_Comm data, MPI_Comm control, TransportOptions options, BoardPlace board,
                   std::function<void()> wake)
    : data_(data), control_(control), options_(options), board_(board), wake_(std::move(wake)) {
  mpi_call(MPI_Comm_rank(data_, &rank_), "MPI_Comm_rank");
  mpi_call(MPI_Comm_size(data_, &size_), "MPI_Comm_size");
  peers_.resize(static_cast<std::size_t>(size_));
}

Communicator::Ticket MpiWorld::begin(int hop, std::vector<Send> sends,
                                     std::vector<Receive> receives) {
  check_peers(rank_, size_, sends, receives);
  Lock lock(mutex_);
  auto group = std::make_unique<Group>();
  group->open = sends.size() + receives.size();
  const auto peer = [&](int r) -> Peer& { return peers_[static_cast<std::size_t>(r)]; };
  for (Send& send : sends) {
    const std::size_t bytes = total_bytes(send.parts);
    Link link{rank_, send.peer, hop, Side::send, send.label};
    const std::uint64_t index = peer(send.peer).sends++;
    group->sends.push_back(
        {std::move(link), std::move(send), bytes, index, sends_++, group.get(), State::posted, {}});
  }
  for (Receive& receive : receives) {
    const std::size_t bytes = total_bytes(receive.parts);
    Link link{rank_, receive.peer, hop, Side::receive, receive.label};
    const std::uint64_t index = peer(receive.peer).receives++;
    group->receives.push_back(
        {std::move(link), std::move(receive), bytes, index, 0, group.get(), State::posted, {}});
  }
  // An empty group may be gone before MPI's thread looks.
  if (!why_ && group->open > 0) inbox_.push_back(group.get());
  const Ticket ticket = next_ticket_++;
  groups_.emplace(ticket, std::move(group));
  lock.unlock();
  wake_();
  return ticket;
}

template <class Done>
void MpiWorld::block(Lock& lock, Done done) {
  progress_ = blocked_since_ = Clock::now();
  ++waits_begun_;
  if (!why_ && !done()) check_ended();
  while (!why_ && !done()) {
    const std::vector<Reason> why = reasons();
    if (why.empty()) {
      board_.waits_no_more();  // all is on the wire
    } else {
      board_.waits(why.front().link);
    }
    // In short turns, so that the board tells of the move that is missing now.
    const Clock::time_point deadline = progress_ + options_.timeout;
    changed_.wait_until(lock, std::min(deadline, Clock::now() + 50ms));
    if (why_ || done() || Clock::now() < progress_ + options_.timeout) continue;
    const std::vector<Reason> still = reasons();
    fail_locked(still.empty()
                    ? fmt::format("rank {} waited for a move under way: nothing moved "
                                  "for {:.1f} s",
                                  rank_, std::chrono::duration<double>(options_.timeout).count())
                    : nothing_moved(still.front().link, options_.timeout));
  }
  board_.waits_no_more();
  if (why_) {
    // The caller's memory goes when it is told, so MPI has to be off it by then. MPI's thread is
    // off it in a fraction of a second; it only does not answer if it is stuck in a call.
    wake_();
    changed_.wait_for(lock, 2s, [&] { return quiet_; });
  }
}

GroupTiming MpiWorld::wait(Ticket ticket) {
  Lock lock(mutex_);
  const auto found = groups_.find(ticket);
  RINGLAB_ENSURE(found != groups_.end(), fmt::format("rank {} waits for ticket {}", rank_, ticket));
  const Group& group = *found->second;
  waits_ = &group;
  block(lock, [&] { return group.open == 0; });
  waits_ = nullptr;
  GroupTiming timing;
  for (const SendEnd& end : group.sends) timing.sends.push_back(end.timing);
  for (const ReceiveEnd& end : group.receives) timing.receives.push_back(end.timing);
  if (why_) throw RunError(*why_);  // the group stays: MPI's thread may hold on to it
  groups_.erase(found);
  return timing;
}

void MpiWorld::barrier() {
  Lock lock(mutex_);
  ++barriers_;
  at_barrier_ = true;
  wake_();
  block(lock, [&] {
    return std::all_of(peers_.begin(), peers_.end(), [&](const Peer& peer) {
      return &peer == &peers_[static_cast<std::size_t>(rank_)] || peer.barriers >= barriers_;
    });
  });
  at_barrier_ = false;
  if (why_) throw RunError(*why_);
}

void MpiWorld::abort(const std::string& why) noexcept {
  Lock lock(mutex_);
  fail_locked(ended_the_run(rank_, why));
  changed_.wait_for(lock, 2s, [&] { return quiet_; });
}

void MpiWorld::leave() noexcept {
  Lock lock(mutex_);
  // Moves that have begun are let through; what nobody has met yet is given up.
  const auto under_way = [&] {
    for (const auto& [ticket, group] : groups_) {
      for (const SendEnd& end : group->sends) {
        if (end.state == State::matched) return true;
      }
      for (const ReceiveEnd& end : group->receives) {
        if (end.state == State::matched) return true;
      }
    }
    return false;
  };
  const Clock::time_point deadline = Clock::now() + options_.timeout;
  while (!why_ && under_way() && changed_.wait_until(lock, deadline) != std::cv_status::timeout) {
  }
  if (!why_ && under_way()) fail_locked(fmt::format("rank {} could not end its last moves", rank_));
  left_ = true;
  wake_();
  if (why_) changed_.wait_for(lock, 2s, [&] { return quiet_; });
}

bool MpiWorld::has_failed() {
  const Lock lock(mutex_);
  return why_.has_value();
}

void MpiWorld::fail(const std::string& why) {
  const Lock lock(mutex_);
  fail_locked(why);
}

void MpiWorld::give_up(const std::string& why) {
  const Lock lock(mutex_);
  fail_locked(why);
  quiet_ = true;
}

void MpiWorld::fail_locked(const std::string& why) {
  if (!why_) why_ = why;
  changed_.notify_all();
  wake_();
}

// What the blocked rank waits for and nobody has answered yet.
std::vector<MpiWorld::Reason> MpiWorld::reasons() const {
  std::vector<Reason> out;
  if (at_barrier_) {
    for (int r = 0; r < size_; ++r) {
      if (r != rank_ && peers_[static_cast<std::size_t>(r)].barriers < barriers_) {
        out.push_back({{rank_, r, 0, Side::barrier, ""}, barriers_ - 1});
      }
    }
  } else if (waits_ != nullptr) {
    for (const SendEnd& end : waits_->sends) {
      if (end.state == State::posted) out.push_back({end.link, end.index});
    }
    for (const ReceiveEnd& end : waits_->receives) {
      if (end.state == State::posted) out.push_back({end.link, end.index});
    }
  }
  return out;
}

// Does the other end of the link still wait for this rank to post, as far as this rank knows?
bool MpiWorld::expects(const Link& link, std::uint64_t index) const {
  const Peer& peer = peers_[static_cast<std::size_t>(link.rank)];
  switch (link.side) {
    case Side::send:
      return peer.receives <= index;
    case Side::receive:
      return peer.sends <= index;
    case Side::barrier:
      return barriers_ <= index;
  }
  return false;
}

void MpiWorld::check_ended() {
  for (const Reason& reason : reasons()) {
    if (peers_[static_cast<std::size_t>(reason.link.peer)].ended) {
      fail_locked(has_ended(reason.link));
      return;
    }
  }
}

}  // namespace ringlab::detail

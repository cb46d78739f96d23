// MPI's side of a world: what its thread does at each turn. Nothing here blocks, but
// for the fraction of a second after a failure.
#include <algorithm>
#include <thread>

#include "ringlab/reference/transport/detail/mpi_call.hpp"
#include "ringlab/reference/transport/detail/mpi_world.hpp"

namespace ringlab::detail {

using namespace std::chrono_literals;

namespace {
constexpr int kTag = 1;
// Long enough that a healthy run sends no probes, short against a person's patience.
constexpr auto kProbeAfter = 30ms;
// How long moves that have begun may take to end after a failure.
constexpr auto kWindUp = 200ms;
}  // namespace

bool MpiWorld::step() {
  bool moved = false;
  const bool failed = has_failed();
  if (!failed) {
    moved |= take_inbox();
    moved |= start_sends();
    moved |= start_receives();
    moved |= finish_moves();
    begin_probe();
  }
  if (!quiet_) moved |= take_controls();
  if (!told_failure_ && has_failed()) {
    told_failure_ = true;
    wind_up();
  }
  moved |= finish_controls();
  return moved;
}

bool MpiWorld::take_inbox() {
  std::vector<Group*> posted;
  // A rank that comes last passes at once, and may have come to the next before this turn.
  std::uint64_t arrivals = 0;
  bool left = false;
  {
    const Lock lock(mutex_);
    posted.swap(inbox_);
    arrivals = barriers_ - announced_barriers_;
    announced_barriers_ = barriers_;
    left = left_ && !told_end_;
  }
  for (Group* group : posted) {
    for (SendEnd& end : group->sends) {
      peers_[static_cast<std::size_t>(end.link.peer)].waiting_sends.push_back(&end);
    }
    for (ReceiveEnd& end : group->receives) {
      peers_[static_cast<std::size_t>(end.link.peer)].waiting_receives.push_back(&end);
      Control ready;
      ready.kind = Control::Kind::ready;
      ready.hop = end.link.hop;
      ready.bytes = end.bytes;
      ready.text = end.link.label;
      send_control(end.link.peer, ready);
    }
  }
  Control note;
  note.kind = Control::Kind::barrier;
  for (std::uint64_t i = 0; i < arrivals; ++i) tell_all(note);
  if (left) {
    told_end_ = true;
    for (Peer& peer : peers_) {
      peer.waiting_sends.clear();
      peer.waiting_receives.clear();
    }
    note.kind = Control::Kind::ended;
    tell_all(note);
  }
  return !posted.empty() || arrivals > 0 || left;
}

bool MpiWorld::take_controls() {
  bool moved = false;
  while (true) {
    int found = 0;
    MPI_Message message;
    MPI_Status status;
    mpi_call(MPI_Improbe(MPI_ANY_SOURCE, kTag, control_, &found, &message, &status), "MPI_Improbe");
    if (!found) return moved;
    int count = 0;
    mpi_call(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
    std::string bytes(static_cast<std::size_t>(count), '\0');
    mpi_call(MPI_Mrecv(bytes.data(), count, MPI_BYTE, &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
    take(status.MPI_SOURCE, unpack(bytes));
    moved = true;
  }
}

void MpiWorld::take(int source, Control control) {
  Peer& peer = peers_[static_cast<std::size_t>(source)];
  switch (control.kind) {
    case Control::Kind::ready:
      peer.ready.push_back(std::move(control));
      return;
    case Control::Kind::probe:
      pass_on(control);
      return;
    case Control::Kind::abort: {
      const Lock lock(mutex_);
      if (!why_) why_is_foreign_ = true;  // its first rank has told everybody
      fail_locked(control.text);
      return;
    }
    case Control::Kind::ended: {
      const Lock lock(mutex_);
      peer.ended = true;
      if (!why_) check_ended();
      return;
    }
    case Control::Kind::barrier: {
      const Lock lock(mutex_);
      ++peer.barriers;
      if (at_barrier_) progress_ = Clock::now();
      changed_.notify_all();
      return;
    }
  }
}

// Each rank begins one probe per wait. That is enough: the rank that closes a circle is the last in
// it to block, and its probe meets only blocked ranks.
void MpiWorld::begin_probe() {
  std::vector<Reason> open;
  std::uint64_t wait = 0;
  {
    const Lock lock(mutex_);
    if (waits_begun_ == probed_ || Clock::now() - blocked_since_ < kProbeAfter) return;
    wait = probed_ = waits_begun_;
    open = reasons();
  }
  for (const Reason& reason : open) {
    Control probe;
    probe.kind = Control::Kind::probe;
    probe.origin = rank_;
    probe.wait = wait;
    probe.index = reason.index;
    probe.path = {reason.link};
    send_control(reason.link.peer, probe);
  }
}

void MpiWorld::pass_on(const Control& probe) {
  std::vector<Reason> open;
  {
    const Lock lock(mutex_);
    if (why_ || probe.path.empty() || !expects(probe.path.back(), probe.index)) return;
    open = reasons();
    if (open.empty()) return;
    if (probe.origin == rank_) {
      if (probe.wait == waits_begun_) fail_locked(in_a_circle(probe.path));
      return;
    }
  }
  Peer& origin = peers_[static_cast<std::size_t>(probe.origin)];
  if (origin.probed_wait == probe.wait) return;
  origin.probed_wait = probe.wait;
  for (const Reason& reason : open) {
    Control next = probe;
    next.index = reason.index;
    next.path.push_back(reason.link);
    send_control(reason.link.peer, next);
  }
}

template <class AnyEnd>
void MpiWorld::mark_matched(AnyEnd& end) {
  const Lock lock(mutex_);
  end.state = State::matched;
  end.timing.start_nanoseconds = now_nanoseconds();
  progress_ = Clock::now();
}

bool MpiWorld::start_sends() {
  bool moved = false;
  for (Peer& peer : peers_) {
    while (!peer.waiting_sends.empty() && !peer.ready.empty()) {
      SendEnd& send = *peer.waiting_sends.front();
      const Control ready = std::move(peer.ready.front());
      peer.waiting_sends.pop_front();
      peer.ready.pop_front();
      if (ready.bytes != send.bytes) {
        const Link receive{send.link.peer, rank_, ready.hop, Side::receive, ready.text};
        fail(wrong_size(send.link, send.bytes, receive, ready.bytes));
        return true;
      }
      mark_matched(send);
      held_.push_back({Clock::now() + delay_of(options_, rank_, send.order), &send});
      moved = true;
    }
  }
  // Between one pair the messages leave in order, as that is how they are received.
  std::vector<bool> stopped(peers_.size(), false);
  for (std::size_t i = 0; i < held_.size();) {
    SendEnd& send = *held_[i].send;
    const auto peer = static_cast<std::size_t>(send.link.peer);
    if (stopped[peer] || held_[i].until > Clock::now()) {
      stopped[peer] = true;
      ++i;
      continue;
    }
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
    const MpiBytes bytes(send.message.parts);
    MPI_Request request;
    mpi_call(MPI_Issend(MPI_BOTTOM, 1, bytes.get(), send.link.peer, kTag, data_, &request),
             "MPI_Issend");
    requests_.push_back(request);
    active_.push_back({&send, nullptr});
    moved = true;
  }
  return moved;
}

bool MpiWorld::start_receives() {
  bool moved = false;
  for (int source = 0; source < size_; ++source) {
    auto& waiting = peers_[static_cast<std::size_t>(source)].waiting_receives;
    while (!waiting.empty()) {
      int found = 0;
      MPI_Message message;
      MPI_Status status;
      mpi_call(MPI_Improbe(source, kTag, data_, &found, &message, &status), "MPI_Improbe");
      if (!found) break;
      ReceiveEnd& receive = *waiting.front();
      waiting.pop_front();
      MPI_Count count = 0;
      mpi_call(MPI_Get_elements_x(&status, MPI_BYTE, &count), "MPI_Get_elements_x");
      if (static_cast<std::size_t>(count) !=
          receive.bytes) {  // the sender has compared: not our peer
        const Link send{source, rank_, receive.link.hop, Side::send, "?"};
        fail(wrong_size(send, static_cast<std::size_t>(count), receive.link, receive.bytes));
        return true;
      }
      mark_matched(receive);
      const MpiBytes bytes(receive.message.parts);
      MPI_Request request;
      mpi_call(MPI_Imrecv(MPI_BOTTOM, 1, bytes.get(), &message, &request), "MPI_Imrecv");
      requests_.push_back(request);
      active_.push_back({nullptr, &receive});
      moved = true;
    }
  }
  return moved;
}

bool MpiWorld::finish_moves() {
  if (requests_.empty()) return false;
  int count = 0;
  std::vector<int> done(requests_.size());
  mpi_call(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, done.data(),
                        MPI_STATUSES_IGNORE),
           "MPI_Testsome");
  if (count <= 0) return false;
  const Lock lock(mutex_);
  const std::int64_t now = now_nanoseconds();
  const auto finish = [&](auto& end) {
    end.state = State::done;
    end.timing.end_nanoseconds = now;
    --end.group->open;
  };
  for (int i = 0; i < count; ++i) {
    const Active& move = active_[static_cast<std::size_t>(done[static_cast<std::size_t>(i)])];
    if (move.send != nullptr) finish(*move.send);
    if (move.receive != nullptr) finish(*move.receive);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    requests_[kept] = requests_[i];
    active_[kept++] = active_[i];
  }
  requests_.resize(kept);
  active_.resize(kept);
  progress_ = Clock::now();
  changed_.notify_all();
  return true;
}

bool MpiWorld::finish_controls() {
  bool moved = false;
  for (auto send = control_sends_.begin(); send != control_sends_.end();) {
    int done = 0;
    mpi_call(MPI_Test(&send->request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    moved |= done != 0;
    send = done ? control_sends_.erase(send) : std::next(send);
  }
  return moved;
}

void MpiWorld::send_control(int peer, const Control& control) {
  ControlSend& send = control_sends_.emplace_back(ControlSend{pack(control), MPI_REQUEST_NULL});
  mpi_call(MPI_Isend(send.bytes.data(), static_cast<int>(send.bytes.size()), MPI_BYTE, peer, kTag,
                     control_, &send.request),
           "MPI_Isend");
}

void MpiWorld::tell_all(const Control& control) {
  for (int r = 0; r < size_; ++r) {
    if (r != rank_) send_control(r, control);
  }
}

// After a failure: tell the others, unless one of them told us; give moves that have begun a moment
// to end; then touch nobody's memory again.
void MpiWorld::wind_up() {
  if (!why_is_foreign_) {
    Control note;
    {
      const Lock lock(mutex_);
      note.text = *why_;
    }
    tell_all(note);
  }
  const Clock::time_point deadline = Clock::now() + kWindUp;
  while (!requests_.empty() && Clock::now() < deadline) {
    if (!finish_moves()) std::this_thread::sleep_for(100us);
  }
  requests_.clear();
  active_.clear();
  held_.clear();
  const Lock lock(mutex_);
  quiet_ = true;
  changed_.notify_all();
}

}  // namespace ringlab::detail

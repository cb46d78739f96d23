// One world of MPI ranks, as seen by one of them.
//
// Two communicators: control messages on one, bytes on the other. The life of a move, for a pair
// of ranks whose n-th send meets its n-th receive:
//
//   receiver                                  sender
//   begin: `ready` (hop, bytes, label)  --->  keeps it until its send is posted
//                                             both there: sizes compared, MPI_Issend  = start
//   MPI_Improbe finds it                <---
//   = start; MPI_Imrecv; done = end           MPI_Issend done = end
//
// The rank's thread posts into an inbox and waits; MPI's thread calls `step`, which alone touches
// MPI, and publishes what is done under the lock. No rank sees the others, so a deadlock is found
// by asking along the chain: a rank that has been blocked for a moment sends a probe to those it
// waits for; a blocked rank passes it on to those that *it* waits for; if it comes home, the circle
// is closed (Chandy, Misra and Haas 1983). A probe says which move it is about, so a rank that has
// posted its side already, with the news still on the way, drops it.
#pragma once

#include <mpi.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ringlab/reference/transport/communicator.hpp"
#include "ringlab/reference/transport/detail/control.hpp"
#include "ringlab/reference/transport/detail/last_words.hpp"

namespace ringlab::detail {

class MpiWorld {
 public:
  using Ticket = Communicator::Ticket;

  /// Takes two communicators that stay valid; `wake` tells MPI's thread that there is work.
  MpiWorld(MPI_Comm data, MPI_Comm control, TransportOptions options, BoardPlace board,
           std::function<void()> wake);

  // For the rank's thread.
  int rank() const { return rank_; }
  int size() const { return size_; }
  Ticket begin(int hop, std::vector<Send> sends, std::vector<Receive> receives);
  GroupTiming wait(Ticket ticket);
  void barrier();
  void abort(const std::string& why) noexcept;
  void leave() noexcept;

  // For MPI's thread.
  /// Does what can be done without blocking; true if something moved.
  bool step();
  /// True while a move is under way, so that polling should be quick.
  bool is_busy() const { return !active_.empty() || !held_.empty(); }
  /// True if nothing is left to send.
  bool is_flushed() const { return control_sends_.empty(); }
  bool has_failed();
  /// Ends the world for a reason that MPI's thread has met; the next `step` tells the others.
  void fail(const std::string& why);
  /// As fail, but MPI itself no longer works: the others are not told.
  void give_up(const std::string& why);

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;
  enum class State { posted, matched, done };

  struct Group;
  template <class Message>  // Send or Receive
  struct End {
    Link link;
    Message message;
    std::size_t bytes = 0;
    std::uint64_t index = 0;  // among the moves of its pair and direction
    std::uint64_t order = 0;  // of a send: among all sends of its rank
    Group* group = nullptr;
    State state = State::posted;  // guarded by the lock
    MoveTiming timing;
  };
  using SendEnd = End<Send>;
  using ReceiveEnd = End<Receive>;
  struct Group {
    std::vector<SendEnd> sends;
    std::vector<ReceiveEnd> receives;
    std::size_t open = 0;
  };
  struct Peer {
    std::uint64_t sends = 0, receives = 0;  // posted by this rank, guarded by the lock
    std::uint64_t barriers = 0;             // that it has come to, guarded by the lock
    bool ended = false;                     // guarded by the lock
    std::deque<SendEnd*> waiting_sends;     // from here on MPI's thread only
    std::deque<Control> ready;
    std::deque<ReceiveEnd*> waiting_receives;
    std::uint64_t probed_wait = 0;  // the last wait of this rank whose probe was passed on
  };
  struct Reason {
    Link link;
    std::uint64_t index;
  };
  struct Held {
    Clock::time_point until;
    SendEnd* send;
  };
  struct Active {
    SendEnd* send;  // one of the two
    ReceiveEnd* receive;
  };
  struct ControlSend {
    std::string bytes;
    MPI_Request request;
  };

  // mpi_world.cpp: the rank's side
  template <class Done>
  void block(Lock& lock, Done done);
  std::vector<Reason> reasons() const;
  void fail_locked(const std::string& why);
  bool expects(const Link& link, std::uint64_t index) const;
  void check_ended();

  // mpi_world_step.cpp: MPI's side
  bool take_inbox();
  bool take_controls();
  void take(int source, Control control);
  void pass_on(const Control& probe);
  void begin_probe();
  bool start_sends();
  bool start_receives();
  bool finish_moves();
  bool finish_controls();
  void send_control(int peer, const Control& control);
  void tell_all(const Control& control);
  void wind_up();
  template <class AnyEnd>
  void mark_matched(AnyEnd& end);

  const MPI_Comm data_, control_;
  const TransportOptions options_;
  BoardPlace board_;
  const std::function<void()> wake_;
  int rank_ = 0, size_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Ticket, std::unique_ptr<Group>> groups_;
  Ticket next_ticket_ = 0;
  std::uint64_t sends_ = 0;
  std::vector<Group*> inbox_;
  const Group* waits_ = nullptr;
  std::uint64_t barriers_ = 0;
  std::uint64_t announced_barriers_ = 0;
  bool at_barrier_ = false;
  std::uint64_t waits_begun_ = 0;  // identifies the present wait
  Clock::time_point blocked_since_;
  Clock::time_point progress_;
  std::optional<std::string> why_;  // set: the world has failed
  bool left_ = false;
  bool quiet_ = false;  // failed, and MPI no longer touches anybody's memory

  // MPI's thread only.
  std::vector<Peer> peers_;
  std::vector<Held> held_;
  std::vector<MPI_Request> requests_;  // beside active_
  std::vector<Active> active_;
  std::list<ControlSend> control_sends_;
  std::uint64_t probed_ = 0;  // the last wait for which this rank has sent a probe
  bool told_failure_ = false, told_end_ = false;
  bool why_is_foreign_ = false;
};

}  // namespace ringlab::detail

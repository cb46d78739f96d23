// The shared state behind ThreadWorld: what each rank has posted, and the wire that moves it.
//
// One lock guards everything but the bytes themselves. A posted end of a move becomes a move when
// its other end is posted; the wire threads take moves in the order of their (delayed) start. Life
// of an end: posted -> matched -> done. Only `posted` ends are reasons to wait for somebody.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "ringlab/reference/transport/communicator.hpp"
#include "ringlab/reference/transport/detail/link.hpp"

namespace ringlab::detail {

class ThreadMail {
 public:
  using Ticket = Communicator::Ticket;

  ThreadMail(int ranks, TransportOptions options);
  ~ThreadMail();
  ThreadMail(const ThreadMail&) = delete;
  ThreadMail& operator=(const ThreadMail&) = delete;

  int size() const { return static_cast<int>(ranks_.size()); }
  void join(int rank);
  void leave(int rank) noexcept;
  Ticket begin(int rank, int hop, std::vector<Send> sends, std::vector<Receive> receives);
  GroupTiming wait(int rank, Ticket ticket);
  void abort(int rank, const std::string& why) noexcept;
  void barrier(int rank);

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
    std::uint64_t index = 0;  // of a send: how many its rank posted before it
    Group* group = nullptr;
    State state = State::posted;
    MoveTiming timing;
  };
  using SendEnd = End<Send>;
  using ReceiveEnd = End<Receive>;

  struct Group {
    std::vector<SendEnd> sends;
    std::vector<ReceiveEnd> receives;
    std::size_t open = 0;  // ends that are not done
  };
  struct Rank {
    std::map<Ticket, std::unique_ptr<Group>> groups;
    Ticket next_ticket = 0;
    std::uint64_t sends = 0;       // posted so far
    const Group* waits = nullptr;  // the group it is blocked on
    bool at_barrier = false;
    bool joined = false, ended = false;
    std::size_t on_wire = 0;     // matched moves that touch its memory
    Clock::time_point progress;  // when something of its last moved
    std::condition_variable changed;
  };
  struct Move {
    SendEnd* send;
    ReceiveEnd* receive;
    Clock::time_point ready;
    std::uint64_t order;
    bool operator<(const Move& other) const {  // the queue's top is the largest: earliest first
      return std::tie(other.ready, other.order) < std::tie(ready, order);
    }
  };
  struct Pair {  // of one sender and one receiver: what is posted and not matched
    std::deque<SendEnd*> sends;
    std::deque<ReceiveEnd*> receives;
  };

  Rank& at(int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }
  void match(Pair& pair);
  void serve();
  void finish(const Move& move, std::int64_t end_nanoseconds);
  void fail(const std::string& why);
  template <class Done>
  void block(Lock& lock, int rank, Done done);
  bool is_blocked(int rank);
  std::vector<Link> reasons(int rank);
  std::string hopeless(int rank);
  bool find_circle(int from, int goal, std::vector<bool>& seen, std::vector<Link>& path);
  std::string overdue(int rank);

  const TransportOptions options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::map<std::pair<int, int>, Pair> pairs_;  // by (sender, receiver)
  std::priority_queue<Move> queue_;
  std::condition_variable work_;
  std::uint64_t moves_ = 0;
  bool stop_ = false;
  bool failed_ = false;
  std::string why_;
  std::vector<std::thread> wires_;
};

}  // namespace ringlab::detail

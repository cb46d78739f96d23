// The thread that owns all of MPI in this process.
#pragma once

#include <mpi.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "ringlab/reference/transport/detail/last_words.hpp"
#include "ringlab/reference/transport/detail/mpi_world.hpp"

namespace ringlab::detail {

class MpiEngine {
 public:
  explicit MpiEngine(bool last_words);
  ~MpiEngine();
  MpiEngine(const MpiEngine&) = delete;
  MpiEngine& operator=(const MpiEngine&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  BoardPlace& place() { return place_; }
  std::shared_ptr<MpiWorld> make_world(const TransportOptions& options);
  void end_job(int status) noexcept;

 private:
  void live(std::promise<void>& started);
  void start();
  void finish();
  void make_board();
  void wake();
  bool step_worlds();
  MPI_Comm duplicate(const TransportOptions& options);
  void call(std::function<void()> command);  // runs it on MPI's thread and waits

  const bool last_words_;
  bool sigterm_was_blocked_ = false;
  int rank_ = 0, size_ = 0;
  BoardPlace place_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::deque<std::function<void()>> commands_;
  bool woken_ = false, stop_ = false;
  // MPI's thread only.
  Board* board_ = nullptr;
  MPI_Comm machine_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<std::shared_ptr<MpiWorld>> worlds_;
  bool broken_ = false;
  std::thread thread_;
};

}  // namespace ringlab::detail

#include "ringlab/reference/transport/detail/mpi_engine.hpp"

#include <algorithm>
#include <new>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/transport/detail/mpi_call.hpp"

namespace ringlab::detail {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

MpiEngine::MpiEngine(bool last_words) : last_words_(last_words) {
  if (last_words_) sigterm_was_blocked_ = mask_sigterm(true);
  std::promise<void> started;
  std::future<void> up = started.get_future();
  thread_ = std::thread([this, &started] { live(started); });
  try {
    up.get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

MpiEngine::~MpiEngine() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    work_.notify_all();
  }
  thread_.join();
  if (last_words_ && !sigterm_was_blocked_ && !broken_) mask_sigterm(false);
}

void MpiEngine::live(std::promise<void>& started) {
  try {
    start();
    started.set_value();
  } catch (...) {
    started.set_exception(std::current_exception());
    return;
  }
  int idle = 0;
  Clock::time_point last_move = Clock::now();
  while (true) {
    std::unique_lock lock(mutex_);
    if (stop_) break;
    std::deque<std::function<void()>> commands;
    commands.swap(commands_);
    woken_ = false;
    lock.unlock();
    for (auto& command : commands) command();
    if (step_worlds() || !commands.empty()) {
      idle = 0;
      last_move = Clock::now();
      continue;
    }
    // An answer is often near: a hop of 64 bytes takes 44 us with these few turns, 320 us without.
    if (Clock::now() - last_move < 50us) {
      std::this_thread::yield();
      continue;
    }
    // Quick while bytes are on the wire, lazier the longer nothing comes.
    const bool busy = std::any_of(worlds_.begin(), worlds_.end(),
                                  [](const auto& world) { return world->is_busy(); });
    idle = std::min(idle + 1, 6);
    const auto pause = busy ? 30us : std::min(20us * (1 << idle), 1000us);
    lock.lock();
    work_.wait_for(lock, pause, [&] { return woken_ || stop_ || !commands_.empty(); });
  }
  finish();
}

void MpiEngine::start() {
  int ready = 0;
  mpi_call(MPI_Initialized(&ready), "MPI_Initialized");
  RINGLAB_ENSURE(!ready, "one session per process");
  int level = 0;
  // This thread is MPI's main thread: it calls init.
  mpi_call(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level), "MPI_Init_thread");
  mpi_call(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  if (level < MPI_THREAD_FUNNELED) throw RunError("this MPI does not go together with threads");
  mpi_call(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  mpi_call(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
  make_board();
  if (last_words_) install_last_words(board_);
  if (rank_ == 0) note_started();
}

void MpiEngine::make_board() {
  mpi_call(
      MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine_),
      "MPI_Comm_split_type");
  int place = 0;
  mpi_call(MPI_Comm_rank(machine_, &place), "MPI_Comm_rank");
  void* memory = nullptr;
  mpi_call(MPI_Win_allocate_shared(place == 0 ? sizeof(Board) : 0, 1, MPI_INFO_NULL, machine_,
                                   &memory, &window_),
           "MPI_Win_allocate_shared");
  MPI_Aint bytes = 0;
  int unit = 0;
  mpi_call(MPI_Win_shared_query(window_, 0, &bytes, &unit, &memory), "MPI_Win_shared_query");
  board_ = place == 0 ? new (memory) Board{} : static_cast<Board*>(memory);
  mpi_call(MPI_Barrier(machine_), "MPI_Barrier");  // the board is empty
  place_ = BoardPlace(board_, place, rank_);
  mpi_call(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");  // and filled
}

void MpiEngine::finish() {
  // The last notes ("I have ended", "the run is over because ...") still have to leave.
  const Clock::time_point deadline = Clock::now() + 500ms;
  const auto flushed = [&] {
    return std::all_of(worlds_.begin(), worlds_.end(),
                       [](const auto& world) { return world->is_flushed(); });
  };
  do {
    if (!step_worlds()) std::this_thread::sleep_for(100us);
  } while (!flushed() && Clock::now() < deadline);
  place_.leave();
  broken_ |= !worlds_.empty() && worlds_.back()->has_failed();
  if (broken_) return;  // finalise would wait for ranks that may be gone
  place_ = {};
  if (last_words_) remove_last_words();
  // The worlds' communicators live until here: a late note to a freed one could reach its
  // successor.
  MPI_Win_free(&window_);
  MPI_Comm_free(&machine_);
  MPI_Finalize();
}

bool MpiEngine::step_worlds() {
  bool moved = false;
  for (const auto& world : worlds_) {
    try {
      moved |= world->step();
    } catch (const std::exception& error) {
      if (world->has_failed()) {
        world->give_up(error.what());
      } else {
        world->fail(error.what());
      }
    }
  }
  return moved;
}

void MpiEngine::wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  work_.notify_all();
}

void MpiEngine::call(std::function<void()> command) {
  std::promise<void> promise;
  std::future<void> done = promise.get_future();
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back([&] {
      try {
        command();
        promise.set_value();
      } catch (...) {
        promise.set_exception(std::current_exception());
      }
    });
    work_.notify_all();
  }
  done.get();
}

MPI_Comm MpiEngine::duplicate(const TransportOptions& options) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request request;
  mpi_call(MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request), "MPI_Comm_idup");
  const Clock::time_point deadline = Clock::now() + options.timeout;
  while (true) {
    int done = 0;
    mpi_call(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done) break;
    if (Clock::now() > deadline) {
      broken_ = true;
      throw RunError("rank " + std::to_string(rank_) +
                     " waited for the others to make a world: they did not come");
    }
    if (!step_worlds()) std::this_thread::sleep_for(50us);
  }
  mpi_call(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return copy;
}

std::shared_ptr<MpiWorld> MpiEngine::make_world(const TransportOptions& options) {
  check_options(options);
  std::shared_ptr<MpiWorld> world;
  call([&] {
    const MPI_Comm data = duplicate(options);
    const MPI_Comm control = duplicate(options);
    world = std::make_shared<MpiWorld>(data, control, options, place_, [this] { wake(); });
    worlds_.push_back(world);
  });
  return world;
}

void MpiEngine::end_job(int status) noexcept {
  call([&] { MPI_Abort(MPI_COMM_WORLD, status); });
}

}  // namespace ringlab::detail

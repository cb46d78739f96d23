#include "ringlab/reference/transport/detail/last_words.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace ringlab::detail {
namespace {

static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "the board is read by a signal handler of another process");

std::atomic<Board*> handlers_board{nullptr};
std::atomic<int> words_descriptor{STDERR_FILENO};
std::atomic<bool> this_process_tells{false};

bool is_dead(const Board::Place& place) {
  const int process = place.process.load();
  return process != 0 && !place.left.load() && kill(process, 0) != 0 && errno == ESRCH;
}

class Line {  // snprintf may not be called in a handler
 public:
  void add(const char* text) {
    while (*text != '\0' && used_ < sizeof text_ - 1) text_[used_++] = *text++;
  }
  void add(int number) {
    char digits[12];
    int count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    while (count > 0 && used_ < sizeof text_ - 1) text_[used_++] = digits[--count];
  }
  void write_out() {
    if (used_ == 0) return;
    text_[used_++] = '\n';
    [[maybe_unused]] const auto written = write(words_descriptor.load(), text_, used_);
  }

 private:
  char text_[512];
  std::size_t used_ = 0;
};

// One look at the board: true if it shows somebody who waits for a dead rank.
bool tell(const Board& board, bool last_try) {
  const Board::Place* dead = nullptr;
  const Board::Place* blocked = nullptr;
  for (const Board::Place& place : board.places) {
    if (place.process.load() != 0 && is_dead(place)) dead = &place;
  }
  for (const Board::Place& place : board.places) {
    const int peer = place.peer.load();
    if (place.process.load() == 0 || peer < 0 || is_dead(place)) continue;
    if (dead != nullptr && peer == dead->rank.load()) {
      Line line;
      line.add(place.line);
      line.add(": rank ");
      line.add(peer);
      line.add(" died");
      line.write_out();
      return true;
    }
    blocked = &place;
  }
  if (!last_try) return false;
  Line line;
  if (dead != nullptr) {
    line.add("rank ");
    line.add(dead->rank.load());
    line.add(" died");
    if (blocked != nullptr) line.add("; ");
  }
  if (blocked != nullptr) line.add(blocked->line);
  if (dead == nullptr && blocked != nullptr) line.add(": the run was ended from outside");
  line.write_out();
  return true;
}

// mpirun leaves a second between SIGTERM and SIGKILL. A part of it is spent waiting for the ranks
// to come to their wait for the dead one: they compute on, as only MPI's thread is held here.
void on_sigterm(int) {
  if (this_process_tells.load()) return;  // it is about to say more than this could
  Board* board = handlers_board.load();
  if (board != nullptr) {
    const bool teller = !board->claimed.exchange(true);
    constexpr int kTries = 60;
    for (int i = 0; i < kTries && !board->told.load(); ++i) {
      if (teller && tell(*board, i + 1 == kTries)) board->told.store(true);
      const timespec pause{0, 10'000'000};
      if (!board->told.load()) nanosleep(&pause, nullptr);
    }
  }
  _exit(3);
}

}  // namespace

BoardPlace::BoardPlace(Board* board, int place, int rank) : board_(board) {
  if (board == nullptr || place >= Board::kRanks) return;
  mine_ = &board->places[place];
  mine_->rank.store(rank);
  mine_->peer.store(-1);
  mine_->process.store(static_cast<int>(getpid()));
}

void BoardPlace::waits(const Link& link) {
  if (mine_ == nullptr) return;
  const std::string text = waited_for(link);
  mine_->peer.store(-1);
  const std::size_t count = std::min(text.size(), sizeof mine_->line - 1);
  std::memcpy(mine_->line, text.data(), count);
  mine_->line[count] = '\0';
  mine_->peer.store(link.peer);
}

void BoardPlace::waits_no_more() {
  if (mine_ != nullptr) mine_->peer.store(-1);
}

void BoardPlace::leave() {
  if (mine_ != nullptr) mine_->left.store(true);
}

bool BoardPlace::first_to_tell() {
  if (board_ != nullptr && board_->claimed.exchange(true)) return false;
  this_process_tells.store(true);
  if (board_ != nullptr) board_->told.store(true);  // nobody has to linger
  return true;
}

bool mask_sigterm(bool blocked) {
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, &before);
  return sigismember(&before, SIGTERM) == 1;
}

void install_last_words(Board* board) {
  if (const char* file = std::getenv(kLastWordsFile)) {
    const int descriptor = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor >= 0) words_descriptor.store(descriptor);
  }
  handlers_board.store(board);
  struct sigaction action = {};
  action.sa_handler = on_sigterm;
  sigaction(SIGTERM, &action, nullptr);
  mask_sigterm(false);
}

void remove_last_words() {
  handlers_board.store(nullptr);
  signal(SIGTERM, SIG_DFL);
}

void note_started() {
  const int descriptor = words_descriptor.load();
  if (descriptor == STDERR_FILENO) return;
  [[maybe_unused]] const auto written = write(descriptor, "started\n", 8);
}

}  // namespace ringlab::detail

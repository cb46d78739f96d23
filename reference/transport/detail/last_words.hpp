// What a job says when mpirun ends it because one of its ranks died.
//
// All ranks of a machine share a board: each notes there whom it waits for. The survivors get
// SIGTERM from mpirun; the first of them looks which rank is dead and who waits for it, and writes
// that one line, with nothing but async-signal-safe calls. This is the one place of the library
// that writes and exits, and only where `install_last_words` was called.
#pragma once

#include <atomic>

#include "ringlab/reference/transport/detail/link.hpp"

namespace ringlab::detail {

struct Board {
  static constexpr int kRanks = 256;  // of one machine; more have no place on the board
  struct Place {
    std::atomic<int> process;  // id of the operating system; 0: nobody
    std::atomic<int> rank;
    std::atomic<int> peer;   // whom it waits for; -1: nobody
    std::atomic<bool> left;  // ended by itself, so not dead
    char line[240];          // "rank 2 waited for rank 1 at hop 3 (receive kv1)"
  };
  std::atomic<bool> claimed;  // somebody tells, or has told, why the run failed
  std::atomic<bool> told;
  Place places[kRanks];
};

/// This rank's place on the board; all calls do nothing on a null board.
class BoardPlace {
 public:
  BoardPlace() = default;
  BoardPlace(Board* board, int place, int rank);
  void waits(const Link& link);
  void waits_no_more();
  void leave();
  /// See MpiSession::first_to_tell.
  bool first_to_tell();

 private:
  Board* board_ = nullptr;
  Board::Place* mine_ = nullptr;
};

/// The environment variable with the name of the file that takes the line; standard error without
/// it.
inline constexpr const char* kLastWordsFile = "RINGLAB_LAST_WORDS_FILE";

/// Blocks SIGTERM, or lets it through, in this thread and those it starts from here on. Returns
/// what was before.
bool mask_sigterm(bool blocked);
/// Takes SIGTERM in this thread from now on. The board outlives the handler.
void install_last_words(Board* board);
/// Back to the default action.
void remove_last_words();
/// Notes in the launcher's file, if there is one, that the ranks are up.
void note_started();

}  // namespace ringlab::detail

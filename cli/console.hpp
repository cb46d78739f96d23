// What goes to a person: colours and progress on a terminal, plain text in a pipe.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

namespace ringlab::cli {

/// True where standard output (or error) is a terminal that takes colours.
bool is_terminal_out();
bool is_terminal_error();

/// Text in bold, dim or green where `on`.
std::string bold(const std::string& text, bool on = is_terminal_out());
std::string dim(const std::string& text, bool on = is_terminal_out());

/// "12.6 MB", decimal.
std::string bytes_text(double bytes);
/// "537 million", "12 345".
std::string count_text(double count);
/// "3.2 s", "41 ms".
std::string seconds_text(double seconds);

/// A bar on standard error while something long goes on; nothing in a pipe. Safe from many threads.
class ProgressBar {
 public:
  ProgressBar(std::string title, long long total);
  ~ProgressBar();
  /// `note` stands behind the bar: "hop 3 of 8".
  void advance(const std::string& note);

 private:
  void draw(const std::string& note, bool last);

  std::string title_;
  long long total_, done_ = 0;
  bool shown_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace ringlab::cli

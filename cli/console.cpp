#include "cli/console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>

namespace ringlab::cli {
namespace {

bool takes_colours(int descriptor) {
  const char* term = std::getenv("TERM");
  const bool plain = std::getenv("NO_COLOR") != nullptr || (term && std::string(term) == "dumb");
  return isatty(descriptor) == 1 && !plain;
}

}  // namespace

bool is_terminal_out() {
  static const bool terminal = takes_colours(STDOUT_FILENO);
  return terminal;
}

bool is_terminal_error() {
  static const bool terminal = takes_colours(STDERR_FILENO);
  return terminal;
}

std::string bold(const std::string& text, bool on) {
  return on ? "\x1b[1m" + text + "\x1b[0m" : text;
}
std::string dim(const std::string& text, bool on) {
  return on ? "\x1b[2m" + text + "\x1b[0m" : text;
}

std::string bytes_text(double bytes) {
  constexpr std::array units = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (std::abs(bytes) >= 1000 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes)
                   : fmt::format("{:.1f} {}", bytes, units[unit]);
}

std::string count_text(double count) {
  if (count >= 1e9) return fmt::format("{:.2f} billion", count / 1e9);
  if (count >= 1e6) return fmt::format("{:.1f} million", count / 1e6);
  return fmt::format("{:.0f}", count);
}

std::string seconds_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.0f} us", seconds * 1e6);
}

ProgressBar::ProgressBar(std::string title, long long total)
    : title_(std::move(title)), total_(total), shown_(is_terminal_error()) {}

ProgressBar::~ProgressBar() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void ProgressBar::advance(const std::string& note) {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  ++done_;
  const auto now = std::chrono::steady_clock::now();
  if (done_ < total_ && now - drawn_ < std::chrono::milliseconds(40)) return;
  drawn_ = now;
  constexpr int kWidth = 30;
  const int filled = total_ > 0 ? static_cast<int>(kWidth * done_ / total_) : kWidth;
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < filled ? "█" : "░";
  fmt::print(stderr, "\r\x1b[K{} {} {:3d} %  {}", title_, bar,
             total_ > 0 ? static_cast<int>(100 * done_ / total_) : 100, note);
  std::fflush(stderr);
}

}  // namespace ringlab::cli

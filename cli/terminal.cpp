#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "cli/console.hpp"

namespace ringlab::cli {
namespace {

// Characters of UTF-8 text: bytes that do not continue one.
int columns(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace

int terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return std::max<int>(size.ws_col, 20);
}

std::string wrapped(const std::string& text, int width, int indent, const std::string& first) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string out, line = first.empty() ? margin : first;
  bool empty = true;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!empty && columns(line) + 1 + columns(word) > width) {
      out += line + "\n";
      line = margin;
      empty = true;
    }
    if (!word.empty()) {
      line += (empty ? "" : " ") + word;
      empty = false;
    }
    if (end < text.size() && text[end] == '\n') {
      out += line + "\n";
      line = margin;
      empty = true;
    }
    at = end + 1;
  }
  return out + line;
}

std::string coloured(const std::string& text, Colour colour) {
  if (!is_terminal_out()) return text;
  return fmt::format("\x1b[{}m{}\x1b[0m", static_cast<int>(colour), text);
}

std::optional<std::string> ask(const std::string& prompt) {
  fmt::print("{}", prompt);
  std::fflush(stdout);
  std::string line;
  if (!std::getline(std::cin, line)) {
    fmt::print("\n");
    return std::nullopt;
  }
  const std::size_t from = line.find_first_not_of(" \t\r");
  const std::size_t to = line.find_last_not_of(" \t\r");
  line = from == std::string::npos ? "" : line.substr(from, to - from + 1);
  if (isatty(STDIN_FILENO) == 0) fmt::print("{}\n", line);
  return line;
}

}  // namespace ringlab::cli

#include "ringlab/viz/model/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ringlab::viz {
namespace {

// The number of a placeholder that opens at `at`, and its end; -1 if there is none.
struct Placeholder {
  int number = -1;
  std::size_t end = 0;
};

Placeholder placeholder_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  int number = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9' && end < at + 3) {
    number = 10 * number + (text[end++] - '0');
  }
  if (end == at + 1 || end >= text.size() || text[end] != '}') return {};
  return {number, end + 1};
}

}  // namespace

std::string_view Texts::get(std::string_view key) const {
  const auto found = table_.find(key);
  return found == table_.end() ? std::string_view() : found->second;
}

std::string Texts::say(std::string_view key, const std::vector<std::string>& arguments) const {
  if (!has(key)) return fmt::format("<{}>", key);
  std::vector<std::string> words;
  for (const std::string& argument : arguments) {
    const std::size_t bar = argument.find('|');
    const bool nested = argument.starts_with('@') && bar != std::string::npos;
    words.push_back(
        nested ? say(std::string_view(argument).substr(1, bar - 1), {argument.substr(bar + 1)})
               : argument);
  }
  return fill_in(get(key), words);
}

std::vector<std::string> Texts::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, text] : table_) keys.push_back(key);
  return keys;
}

std::string fill_in(std::string_view text, const std::vector<std::string>& arguments) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Placeholder p = text[at] == '{' ? placeholder_at(text, at) : Placeholder{};
    if (p.number >= 0 && static_cast<std::size_t>(p.number) < arguments.size()) {
      out += arguments[static_cast<std::size_t>(p.number)];
      at = p.end;
    } else {
      out += text[at++];
    }
  }
  return out;
}

std::vector<int> placeholders_of(std::string_view text) {
  std::vector<int> numbers;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{') continue;
    const Placeholder p = placeholder_at(text, at);
    if (p.number >= 0) numbers.push_back(p.number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::string grouped(long long number) {
  std::string digits = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, "\u00a0");  // no line breaks here
  }
  return digits;
}

std::string bytes_text(double bytes) {
  static constexpr std::array<const char*, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  // 999.95 would be written as 1000.
  while (std::abs(bytes) >= 999.5 && unit + 1 < kUnits.size()) {
    bytes = std::max(1.0, std::abs(bytes) / 1000) * (bytes < 0 ? -1 : 1);
    ++unit;
  }
  return fmt::format("{}\u00a0{}", unit == 0 ? fmt::format("{:.0f}", bytes) : number_text(bytes),
                     kUnits[unit]);
}

std::string duration_text(double seconds, int digits) {
  if (seconds >= 1) return number_text(seconds, digits) + "\u00a0s";
  if (seconds >= 1e-3) return number_text(seconds * 1e3, digits) + "\u00a0ms";
  if (seconds >= 1e-6) return number_text(seconds * 1e6, digits) + "\u00a0\u00b5s";
  return number_text(seconds * 1e9, digits) + "\u00a0ns";
}

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size < 1e-3 || size >= 1e6) return fmt::format("{:.{}e}", value, digits - 1);
  const int whole = 1 + static_cast<int>(std::floor(std::log10(size)));  // digits before the point
  return fmt::format("{:.{}f}", value, std::max(0, digits - whole));
}

}  // namespace ringlab::viz

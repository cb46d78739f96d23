#include "ringlab/lessons/course/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::course {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw InputError("figure", what, remedy);
}

std::string with_spaces(double value) {
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  if (digits.size() > 4) {
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
      digits.insert(static_cast<std::size_t>(at), " ");
    }
  }
  return (value < 0 ? "-" : "") + digits;
}

std::string in_units(double bytes) {
  constexpr std::array units = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (std::abs(bytes) >= 1000 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes)
                   : fmt::format("{:.4g} {}", bytes, units[unit]);
}

// Calls `visit` with what stands between {{ and }}, and puts its answer in place.
std::string replace_all(const std::string& text,
                        const std::function<std::string(const std::string&)>& visit) {
  std::string out;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = text.find("{{", at);
    if (open == std::string::npos) return out + text.substr(at);
    const std::size_t close = text.find("}}", open);
    if (close == std::string::npos) refuse(text.substr(open, 40), "close it with }}");
    out += text.substr(at, open - at) + visit(text.substr(open + 2, close - open - 2));
    at = close + 2;
  }
}

double evaluate(const std::string& expression, const Lookup& lookup) {
  std::istringstream words(expression);
  std::string word, op = "+";
  double sum = 0;
  while (words >> word) {
    double value = 0;
    if (word.find(':') != std::string::npos) {
      value = lookup(word);
    } else {
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc() || end != word.data() + word.size()) {
        refuse(expression, "'" + word + "' is neither run:/pointer nor a number");
      }
    }
    sum = op == "+" ? sum + value : op == "-" ? sum - value : op == "*" ? sum * value : sum / value;
    if (!(words >> op)) return sum;
    if (op.size() != 1 || std::string("+-*/").find(op) == std::string::npos) {
      refuse(expression, "put + - * or / between values, with spaces");
    }
  }
  refuse(expression, "give a value after the sign");
}

}  // namespace

std::string format_figure(double value, const std::string& format) {
  if (format == "count") return with_spaces(value);
  if (format == "bytes") return in_units(value);
  if (format == "GB") return fmt::format("{:.1f} GB", value / 1e9);
  if (format == "GiB") return fmt::format("{:.1f} GiB", value / (1 << 30));
  if (format == "percent") return fmt::format("{:.3g} %", 100 * value);
  if (format == "factor") return fmt::format("{:.3g}", value);
  if (format == "number") return fmt::format("{:.4g}", value);
  if (format == "scientific") return fmt::format("{:.1e}", value);
  if (format == "seconds") {
    if (value >= 7200) return fmt::format("{:.3g} hours", value / 3600);
    if (value >= 120) return fmt::format("{:.3g} minutes", value / 60);
    return value >= 1      ? fmt::format("{:.3g} s", value)
           : value >= 1e-3 ? fmt::format("{:.3g} ms", value * 1e3)
                           : fmt::format("{:.3g} us", value * 1e6);
  }
  refuse("'" + format + "'",
         "use count, bytes, GB, GiB, percent, factor, number, scientific or seconds");
}

std::string fill(const std::string& text, const Lookup& lookup) {
  return replace_all(text, [&](const std::string& inside) {
    const std::size_t bar = inside.find('|');
    if (bar == std::string::npos) refuse(inside, "end it with |format");
    return format_figure(evaluate(inside.substr(0, bar), lookup), inside.substr(bar + 1));
  });
}

std::vector<std::string> references(const std::string& text) {
  std::vector<std::string> found;
  replace_all(text, [&](const std::string& inside) {
    std::istringstream words(inside.substr(0, inside.find('|')));
    std::string word;
    while (words >> word) {
      if (word.find(':') == std::string::npos) continue;
      if (std::find(found.begin(), found.end(), word) == found.end()) found.push_back(word);
    }
    return std::string();
  });
  return found;
}

}  // namespace ringlab::course

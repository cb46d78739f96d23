#include "ringlab/reference/scenario/mask_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace ringlab {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& remedy) {
  throw InputError("mask", fmt::format("'{}'", text), remedy);
}

Index number(std::string_view digits, const std::string& text) {
  Index value = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, value);
  if (digits.empty() || error != std::errc() || end != last || value < 0 || value > INT32_MAX) {
    refuse(text, fmt::format("'{}' is no number from 0 to {}", digits, INT32_MAX));
  }
  return value;
}

std::optional<Index> bound(std::string_view digits, const std::string& text) {
  if (digits == "*") return std::nullopt;
  return number(digits, text);
}

std::string bound_text(const std::optional<Index>& bound) {
  return bound ? std::to_string(*bound) : "*";
}

}  // namespace

Mask mask_from(const std::string& text) {
  Mask mask;
  if (text == "none") return mask;
  bool causal = false, window = false, prefix = false;
  const auto once = [&](bool& seen, const char* part) {
    if (seen) refuse(text, fmt::format("say {} once", part));
    seen = true;
  };
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('+', at), text.size());
    const std::string_view part = std::string_view(text).substr(at, end - at);
    if (part == "causal") {
      once(causal, "causal");
      mask.causal = true;
    } else if (part.starts_with("window=")) {
      once(window, "window");
      const std::string_view bounds = part.substr(7);
      const std::size_t colon = bounds.find(':');
      if (colon == std::string_view::npos) refuse(text, "write window=LEFT:RIGHT, * for no bound");
      mask.window_left = bound(bounds.substr(0, colon), text);
      mask.window_right = bound(bounds.substr(colon + 1), text);
    } else if (part.starts_with("prefix=")) {
      once(prefix, "prefix");
      mask.prefix = number(part.substr(7), text);
    } else {
      refuse(text, "use none, or causal, window=LEFT:RIGHT and prefix=N joined by '+'");
    }
    at = end + 1;
  }
  return mask;
}

std::string to_text(const Mask& mask) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "+") + part; };
  if (mask.causal) add("causal");
  if (mask.window_left || mask.window_right) {
    add(fmt::format("window={}:{}", bound_text(mask.window_left), bound_text(mask.window_right)));
  }
  if (mask.prefix != 0) add(fmt::format("prefix={}", mask.prefix));
  return text.empty() ? "none" : text;
}

}  // namespace ringlab

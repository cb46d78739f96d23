#include "ringlab/quiz/credential/jcs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ringlab::quiz::detail {
namespace {

using Json = nlohmann::json;

// UTF-16 code units of valid UTF-8, for comparison only.
std::u16string utf16(const std::string& text) {
  std::u16string out;
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char lead = static_cast<unsigned char>(text[i]);
    const int more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    char32_t code = more == 0 ? lead : lead & (0x3f >> more);
    for (int k = 0; k < more; ++k) {
      code = (code << 6) | (static_cast<unsigned char>(text[++i]) & 0x3f);
    }
    ++i;
    if (code >= 0x10000) {
      code -= 0x10000;
      out += static_cast<char16_t>(0xd800 + (code >> 10));
      out += static_cast<char16_t>(0xdc00 + (code & 0x3ff));
    } else {
      out += static_cast<char16_t>(code);
    }
  }
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<int>(c));
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

// ECMA-262, Number::toString: the shortest digits that read back, plain between 1e-6 and 1e21.
std::string number(double value) {
  if (!std::isfinite(value)) throw InputError("number", "not finite", "JSON has no such number");
  if (value == 0) return "0";
  char buffer[40];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::scientific);
  const std::string text(buffer, end.ptr);
  const std::size_t e = text.find('e');
  const int exponent = std::stoi(text.substr(e + 1));
  std::string digits = text.substr(0, 1) + (e > 2 ? text.substr(2, e - 2) : "");
  const int count = static_cast<int>(digits.size()), point = exponent + 1;
  const std::string sign = value < 0 ? "-" : "";
  if (point > 0 && point <= 21) {
    if (count <= point)
      return sign + digits + std::string(static_cast<std::size_t>(point - count), '0');
    return sign + digits.insert(static_cast<std::size_t>(point), ".");
  }
  if (point <= 0 && point > -6) {
    return sign + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  }
  if (count > 1) digits.insert(1, ".");
  return sign + digits + "e" + (exponent < 0 ? "-" : "+") + std::to_string(std::abs(exponent));
}

}  // namespace

std::string canonical_json(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object: {
      std::vector<std::pair<std::u16string, std::string>> keys;
      for (const auto& [key, member] : value.items()) keys.emplace_back(utf16(key), key);
      std::sort(keys.begin(), keys.end());
      std::string out = "{";
      for (const auto& [order, key] : keys) {
        out += (out.size() > 1 ? "," : "") + quoted(key) + ":" + canonical_json(value[key]);
      }
      return out + "}";
    }
    case Json::value_t::array: {
      std::string out = "[";
      for (const Json& one : value) out += (out.size() > 1 ? "," : "") + canonical_json(one);
      return out + "]";
    }
    case Json::value_t::string:
      return quoted(value.get_ref<const std::string&>());
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
      return number(value.get<double>());
    case Json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    default:
      return "null";
  }
}

}  // namespace ringlab::quiz::detail

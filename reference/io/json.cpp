#include "ringlab/reference/io/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <set>

namespace ringlab::detail {
namespace {

constexpr int kDeepest = 32;

// Walks the text and tells how far the parser has read, which its callbacks do not.
struct Reading {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** furthest;

  reference operator*() const { return *at; }
  Reading& operator++() {
    *furthest = ++at;
    return *this;
  }
  Reading operator++(int) {
    Reading before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Reading& other) const { return at == other.at; }
  bool operator!=(const Reading& other) const { return at != other.at; }
};

std::string place(std::string_view text, std::size_t read) {
  std::size_t line = 1, column = 1;
  for (const char c : text.substr(0, read == 0 ? 0 : read - 1)) {
    column = c == '\n' ? 1 : column + 1;
    line += c == '\n';
  }
  return fmt::format("line {}, column {}", line, column);
}

// The parser's own words without its error number and without the place, which we give better.
std::string reason(const std::string& what) {
  const std::size_t column = what.find("column ");
  const std::size_t from = what.find(": ", column == std::string::npos ? 0 : column);
  const std::size_t bracket = what.find("] ");
  if (column != std::string::npos && from != std::string::npos) return what.substr(from + 2);
  return bracket == std::string::npos ? what : what.substr(bracket + 2);
}

}  // namespace

Json parse_json(std::string_view text, const std::string& source) {
  const char* furthest = text.data();
  const auto here = [&] { return place(text, static_cast<std::size_t>(furthest - text.data())); };
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    switch (event) {
      case Json::parse_event_t::object_start:
      case Json::parse_event_t::array_start:
        if (depth >= kDeepest) {
          throw InputError(source, here(), fmt::format("nest at most {} levels deep", kDeepest));
        }
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        break;
      case Json::parse_event_t::object_end:
        keys.pop_back();
        break;
      case Json::parse_event_t::key:
        if (!keys.back().insert(parsed.get<std::string>()).second) {
          throw InputError(source, fmt::format("{}: key {}", here(), brief(parsed)),
                           "this key stands twice; keep one");
        }
        break;
      default:
        break;
    }
    return true;
  };
  try {
    const char* const end = text.data() + text.size();
    return Json::parse(Reading{text.data(), &furthest}, Reading{end, &furthest}, watch);
  } catch (const Json::exception& error) {
    throw InputError(source, here(), "make it valid JSON: " + reason(error.what()));
  }
}

const char* kind_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "text";
    case Json::value_t::boolean:
      return "true or false";
    default:
      return "a number";
  }
}

std::string brief(const Json& value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

Index integer_from(const Json& value, const std::string& field, Index least, Index most) {
  const std::string remedy = fmt::format("give a whole number from {} to {}", least, most);
  if (!value.is_number()) {
    throw InputError(field, brief(value), fmt::format("{}, not {}", remedy, kind_of(value)));
  }
  Index whole = 0;
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(INT64_MAX))
      throw InputError(field, brief(value), remedy);
    whole = static_cast<Index>(number);
  } else if (value.is_number_integer()) {
    whole = value.get<Index>();
  } else {
    const auto number = value.get<double>();
    // Beyond 2^53 a double no longer says which integer was meant.
    if (std::nearbyint(number) != number || std::fabs(number) > 0x1p53) {
      throw InputError(field, brief(value), remedy);
    }
    whole = static_cast<Index>(number);
  }
  if (whole < least || whole > most) throw InputError(field, brief(value), remedy);
  return whole;
}

}  // namespace ringlab::detail

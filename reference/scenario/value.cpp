#include "ringlab/reference/scenario/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ringlab::detail {
namespace {

constexpr std::size_t kLongestText = 4096;

std::string remedy_of(const FieldType& type) {
  const std::string range = range_text(type);
  return fmt::format("give {}{}{}", type_text(type), range.empty() ? "" : ": ", range);
}

[[noreturn]] void refuse(const FieldType& type, const std::string& field,
                         const std::string& value) {
  throw InputError(field, value, remedy_of(type));
}

std::string number_text(double value) {
  const bool whole = value == static_cast<double>(static_cast<Index>(value));
  return whole ? std::to_string(static_cast<Index>(value)) : fmt::format("{}", value);
}

std::string text_of(const Range& range) {
  if (range.least == range.most) return number_text(range.least);
  const bool from = range.least > -kAnyFinite, to = range.most < kAnyFinite;
  if (from && to && !range.open_least && !range.open_most) {
    return fmt::format("{} to {}", number_text(range.least), number_text(range.most));
  }
  std::string text;
  if (from) text += (range.open_least ? "above " : "at least ") + number_text(range.least);
  if (from && to) text += " and ";
  if (to) text += (range.open_most ? "below " : "at most ") + number_text(range.most);
  return text.empty() ? "any finite" : text;
}

bool in_range(const FieldType& type, double value) {
  return std::any_of(type.ranges.begin(), type.ranges.end(),
                     [&](const Range& range) { return range.holds(value); });
}

bool is_utf8(const std::string& text) {
  try {
    (void)Json(text).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

bool is_name(const std::string& text) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

Index whole_from_json(const FieldType& type, const std::string& field, const Json& json) {
  // One range is enough for every whole number of the table.
  return integer_from(json, field, static_cast<Index>(type.ranges[0].least),
                      static_cast<Index>(type.ranges[0].most));
}

double number_from_json(const FieldType& type, const std::string& field, const Json& json) {
  if (!json.is_number()) {
    throw InputError(field, brief(json), fmt::format("{}, not {}", remedy_of(type), kind_of(json)));
  }
  return json.get<double>();
}

double number_from_text(const FieldType& type, const std::string& field, std::string_view text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (text.empty() || error != std::errc() || end != last) {
    refuse(type, field, fmt::format("'{}'", text));
  }
  return value;
}

Index whole_from_text(const FieldType& type, const std::string& field, std::string_view text) {
  Index value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (!text.empty() && error == std::errc() && end == last) return value;
  // 1e3 is a whole number here as it is in JSON.
  const double number = number_from_text(type, field, text);
  if (!in_range(type, number) || number != static_cast<double>(static_cast<Index>(number))) {
    refuse(type, field, fmt::format("'{}'", text));
  }
  return static_cast<Index>(number);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  if (text.empty()) return parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

std::string type_text(const FieldType& type) {
  switch (type.kind) {
    case FieldKind::whole:
      return "a whole number";
    case FieldKind::number:
      return "a number";
    case FieldKind::flag:
      return "true or false";
    case FieldKind::choice:
      return "one of these names";
    case FieldKind::name:
      return "a name of small letters, digits and _";
    case FieldKind::text:
      return "text of at most 4096 bytes in UTF-8 without control characters";
    case FieldKind::mask:
      return "none, or causal, window=LEFT:RIGHT, prefix=N joined by '+'";
    case FieldKind::whole_list:
      return "a list of whole numbers";
    case FieldKind::number_list:
      return "a list of numbers";
  }
  throw InvariantError("a field kind outside its enumeration");
}

std::string range_text(const FieldType& type) {
  std::string text;
  for (const Range& range : type.ranges) text += (text.empty() ? "" : ", or ") + text_of(range);
  for (const std::string& choice : type.choices) text += (text.empty() ? "" : ", ") + choice;
  if (type.nullable) text += ", or null";
  return text;
}

void check_value(const FieldType& type, const std::string& field, const FieldValue& value) {
  const auto number = [&](double candidate) {
    if (!in_range(type, candidate)) refuse(type, field, fmt::format("{}", candidate));
  };
  if (const auto* whole = std::get_if<Index>(&value)) {
    if (!in_range(type, static_cast<double>(*whole))) refuse(type, field, std::to_string(*whole));
  } else if (const auto* real = std::get_if<double>(&value)) {
    number(*real);
  } else if (const auto* wholes = std::get_if<std::vector<Index>>(&value)) {
    for (const Index item : *wholes) {
      if (!in_range(type, static_cast<double>(item))) refuse(type, field, std::to_string(item));
    }
  } else if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
    for (const double item : *reals) number(item);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    const bool control =
        std::any_of(text->begin(), text->end(), [](unsigned char c) { return c < 0x20; });
    bool good = !control && text->size() <= kLongestText && is_utf8(*text);
    if (type.kind == FieldKind::name) good = good && is_name(*text);
    if (type.kind == FieldKind::choice) {
      good = std::find(type.choices.begin(), type.choices.end(), *text) != type.choices.end();
    }
    if (!good) refuse(type, field, brief(Json(*text)));
  }
}

FieldValue value_from_json(const FieldType& type, const std::string& field, const Json& json) {
  FieldValue value;
  const auto wrong_kind = [&] {
    throw InputError(field, brief(json), fmt::format("{}, not {}", remedy_of(type), kind_of(json)));
  };
  if (json.is_null()) {
    if (!type.nullable) wrong_kind();
    return value;
  }
  switch (type.kind) {
    case FieldKind::whole:
      value = whole_from_json(type, field, json);
      break;
    case FieldKind::number:
      value = number_from_json(type, field, json);
      break;
    case FieldKind::flag:
      if (!json.is_boolean()) wrong_kind();
      value = json.get<bool>();
      break;
    case FieldKind::whole_list: {
      if (!json.is_array()) wrong_kind();
      std::vector<Index> list;
      for (const Json& item : json) list.push_back(whole_from_json(type, field, item));
      value = std::move(list);
      break;
    }
    case FieldKind::number_list: {
      if (!json.is_array()) wrong_kind();
      std::vector<double> list;
      for (const Json& item : json) list.push_back(number_from_json(type, field, item));
      value = std::move(list);
      break;
    }
    default:
      if (!json.is_string()) wrong_kind();
      value = json.get<std::string>();
  }
  check_value(type, field, value);
  return value;
}

FieldValue value_from_text(const FieldType& type, const std::string& field,
                           const std::string& text) {
  FieldValue value;
  if (type.nullable && text == "null") return value;
  switch (type.kind) {
    case FieldKind::whole:
      value = whole_from_text(type, field, text);
      break;
    case FieldKind::number:
      value = number_from_text(type, field, text);
      break;
    case FieldKind::flag:
      if (text != "true" && text != "false") refuse(type, field, fmt::format("'{}'", text));
      value = text == "true";
      break;
    case FieldKind::whole_list: {
      std::vector<Index> list;
      for (const auto item : split(text, "+,")) list.push_back(whole_from_text(type, field, item));
      value = std::move(list);
      break;
    }
    case FieldKind::number_list: {
      std::vector<double> list;
      for (const auto item : split(text, ",")) list.push_back(number_from_text(type, field, item));
      value = std::move(list);
      break;
    }
    default:
      value = text;
  }
  check_value(type, field, value);
  return value;
}

std::string value_json(const FieldValue& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
          return "null";
        } else {
          return Json(held).dump();
        }
      },
      value);
}

}  // namespace ringlab::detail

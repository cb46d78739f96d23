// The value of a field between its three faces: JSON, command-line text and the Scenario.
#pragma once

#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "ringlab/reference/io/json.hpp"

namespace ringlab::detail {

using FieldValue = std::variant<std::monostate, bool, Index, double, std::string,
                                std::vector<Index>, std::vector<double>>;

enum class FieldKind { whole, number, flag, choice, name, text, mask, whole_list, number_list };

inline constexpr double kAnyFinite = std::numeric_limits<double>::max();

/// Numbers from least to most; an open end does not belong.
struct Range {
  double least = -kAnyFinite;
  double most = kAnyFinite;
  bool open_least = false;
  bool open_most = false;

  bool holds(double value) const {
    return (open_least ? value > least : value >= least) &&
           (open_most ? value < most : value <= most);
  }
};

/// What a field may hold.
struct FieldType {
  FieldKind kind = FieldKind::whole;
  std::vector<Range> ranges;  // of a number, or of each number of a list
  std::vector<std::string> choices;
  bool nullable = false;
};

/// "a whole number", "a list of numbers", ...
std::string type_text(const FieldType& type);
/// "1 to 4096", "0, or above 1", "next or previous", or nothing to add.
std::string range_text(const FieldType& type);

/// Each throws InputError (`field`) unless the value is of the type and in its range.
FieldValue value_from_json(const FieldType& type, const std::string& field, const Json& json);
FieldValue value_from_text(const FieldType& type, const std::string& field,
                           const std::string& text);
void check_value(const FieldType& type, const std::string& field, const FieldValue& value);

/// The value in JSON.
std::string value_json(const FieldValue& value);

}  // namespace ringlab::detail

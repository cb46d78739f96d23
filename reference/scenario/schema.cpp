// Help and JSON Schema, written from the table of fields.
#include <fmt/format.h>

#include <algorithm>

#include "ringlab/reference/scenario/fields.hpp"

namespace ringlab {
namespace {

using detail::Field;
using detail::FieldKind;
using detail::FieldType;
using detail::Range;
using Ordered = nlohmann::ordered_json;

Ordered bound(double value, bool whole) {
  return whole ? Ordered(static_cast<Index>(value)) : Ordered(value);
}

void add_range(Ordered& schema, const Range& range, bool whole) {
  if (range.least > -detail::kAnyFinite) {
    schema[range.open_least ? "exclusiveMinimum" : "minimum"] = bound(range.least, whole);
  }
  if (range.most < detail::kAnyFinite) {
    schema[range.open_most ? "exclusiveMaximum" : "maximum"] = bound(range.most, whole);
  }
}

Ordered number_schema(const FieldType& type, bool whole) {
  Ordered schema = Ordered::object();
  schema["type"] = whole ? "integer" : "number";
  if (type.nullable) schema["type"] = {schema["type"], "null"};
  if (type.ranges.size() == 1) {
    add_range(schema, type.ranges[0], whole);
  } else {
    // Bounds say nothing about null, so it passes each of them.
    for (const Range& range : type.ranges) {
      Ordered part = Ordered::object();
      add_range(part, range, whole);
      schema["anyOf"].push_back(part);
    }
  }
  return schema;
}

Ordered type_schema(const FieldType& type) {
  const char* const bound_pattern = "(\\*|[0-9]+)";
  switch (type.kind) {
    case FieldKind::whole:
      return number_schema(type, true);
    case FieldKind::number:
      return number_schema(type, false);
    case FieldKind::flag:
      return {{"type", "boolean"}};
    case FieldKind::choice:
      return {{"type", "string"}, {"enum", type.choices}};
    case FieldKind::name:
      return {{"type", "string"}, {"pattern", "^[a-z][a-z0-9_]*$"}};
    case FieldKind::text:
      return {{"type", "string"}, {"maxLength", 4096}, {"pattern", "^[^\\u0000-\\u001f]*$"}};
    case FieldKind::mask: {
      const std::string part = fmt::format("(causal|window={0}:{0}|prefix=[0-9]+)", bound_pattern);
      return {{"type", "string"}, {"pattern", fmt::format("^(none|{0}(\\+{0})*)$", part)}};
    }
    case FieldKind::whole_list:
      return {{"type", "array"}, {"items", number_schema(type, true)}};
    case FieldKind::number_list:
      return {{"type", "array"}, {"items", number_schema(type, false)}};
  }
  throw InvariantError("a field kind outside its enumeration");
}

std::string flag_of(const Field& field) {
  std::string flag = "--" + field.name;
  std::replace(flag.begin() + 2, flag.end(), '_', '-');
  return flag;
}

}  // namespace

const std::vector<FieldInfo>& scenario_fields() {
  static const std::vector<FieldInfo> table = [] {
    std::vector<FieldInfo> out;
    const Scenario defaults;
    for (const Field& field : detail::fields()) {
      out.push_back({field.name, detail::type_text(field.type), detail::range_text(field.type),
                     detail::value_json(field.get(defaults)), field.help});
    }
    return out;
  }();
  return table;
}

std::string scenario_help() {
  std::string text;
  const Scenario defaults;
  for (const Field& field : detail::fields()) {
    const std::string range = detail::range_text(field.type);
    text += fmt::format("  {:<16} {}\n{:<19}{}default {}\n", flag_of(field), field.help, "",
                        range.empty() ? "" : range + "; ", detail::value_json(field.get(defaults)));
  }
  return text;
}

std::string scenario_schema() {
  Ordered schema = Ordered::object();
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "RingLab scenario";
  schema["description"] =
      "One run of sequence-parallel attention. Every field has a default; made from the table in "
      "fields.cpp.";
  schema["type"] = "object";
  schema["additionalProperties"] = false;
  const Scenario defaults;
  for (const Field& field : detail::fields()) {
    Ordered property = Ordered::object();
    property["description"] = field.help;
    property.update(type_schema(field.type));
    property["default"] = Ordered::parse(detail::value_json(field.get(defaults)));
    schema["properties"][field.name] = property;
  }
  return schema.dump(2) + "\n";
}

}  // namespace ringlab

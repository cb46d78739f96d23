#include "ringlab/sim/cluster/json_fields.hpp"

#include <fmt/format.h>

#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/limits.hpp"
#include "ringlab/sim/data/data.hpp"

namespace ringlab::detail {

JsonFields::JsonFields(const Json& object, std::string place)
    : object_(object), place_(std::move(place)) {
  if (!object.is_object()) {
    throw InputError(place_, kind_of(object), "give an object with named fields");
  }
}

std::string JsonFields::name(const std::string& key) const {
  return place_.empty() ? key : place_ + "." + key;
}

const Json& JsonFields::at(const std::string& key) {
  read_.insert(key);
  const auto found = object_.find(key);
  if (found == object_.end()) throw InputError(name(key), "missing", "add this field");
  return *found;
}

double JsonFields::number(const std::string& key, double least, double most) {
  const Json& value = at(key);
  const std::string remedy = fmt::format("give a number from {:g} to {:g}", least, most);
  if (!value.is_number()) {
    throw InputError(name(key), brief(value), fmt::format("{}, not {}", remedy, kind_of(value)));
  }
  const double number = value.get<double>();
  if (!(number >= least && number <= most)) throw InputError(name(key), brief(value), remedy);
  return number;
}

double JsonFields::number_or(const std::string& key, double other, double least, double most) {
  return has(key) ? number(key, least, most) : other;
}

int JsonFields::integer(const std::string& key, int least, int most) {
  return static_cast<int>(integer_from(at(key), name(key), least, most));
}

std::string JsonFields::text(const std::string& key) {
  const Json& value = at(key);
  if (!value.is_string()) throw InputError(name(key), brief(value), "give text");
  return value.get<std::string>();
}

std::string JsonFields::text_or(const std::string& key, const std::string& other) {
  return has(key) ? text(key) : other;
}

bool JsonFields::flag_or(const std::string& key, bool other) {
  if (!has(key)) return other;
  const Json& value = at(key);
  if (!value.is_boolean()) throw InputError(name(key), brief(value), "give true or false");
  return value.get<bool>();
}

void JsonFields::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (read_.contains(key)) continue;
    std::string known;
    for (const std::string& one : read_) known += (known.empty() ? "" : ", ") + one;
    throw InputError(name(key), brief(value), "there is no such field; known here: " + known);
  }
}

std::string preset_or_file(const std::string& folder, const std::string& name_or_file,
                           const std::string& what) {
  const bool is_path = name_or_file.find('/') != std::string::npos ||
                       (name_or_file.size() > 5 && name_or_file.ends_with(".json"));
  if (is_path) return read_file(name_or_file, what, kLargestJsonFile);
  return std::string(data_text(folder, name_or_file, what));
}

}  // namespace ringlab::detail

#include "ringlab/sim/gate/baseline.hpp"

#include <fmt/format.h>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/json.hpp"
#include "ringlab/reference/io/limits.hpp"

namespace ringlab {
namespace {

using detail::Json;

constexpr int kVersion = 1;
constexpr const char* kRemedy = "give a file that ringlab gate --store-baseline wrote";

const Json& member(const Json& object, const char* key, const std::string& place) {
  if (!object.is_object() || !object.contains(key)) {
    throw InputError(place + key, object.is_object() ? "missing" : detail::brief(object), kRemedy);
  }
  return object.at(key);
}

std::string text(const Json& object, const char* key, const std::string& place) {
  const Json& value = member(object, key, place);
  if (!value.is_string()) throw InputError(place + key, detail::brief(value), kRemedy);
  return value.get<std::string>();
}

}  // namespace

std::optional<double> Baseline::find(const std::string& metric, const std::string& in) const {
  for (const Entry& entry : entries) {
    if (entry.metric == metric && entry.in == in) return entry.value;
  }
  return std::nullopt;
}

Baseline parse_baseline(std::string_view source_text, const std::string& source) {
  const Json json = detail::parse_json(source_text, source);
  const std::string place = source + ": ";
  const Json& version = member(json, "ringlab_baseline", place);
  if (version != kVersion) {
    throw InputError(place + "ringlab_baseline", detail::brief(version), kRemedy);
  }
  Baseline out;
  out.name = text(json, "name", place);
  const Json& list = member(json, "metrics", place);
  if (!list.is_array()) throw InputError(place + "metrics", detail::brief(list), kRemedy);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string here = fmt::format("{}metrics[{}].", place, i);
    Baseline::Entry entry{text(list[i], "metric", here), text(list[i], "in", here), 0};
    const Json& value = member(list[i], "value", here);
    if (!value.is_number()) throw InputError(here + "value", detail::brief(value), kRemedy);
    entry.value = value.get<double>();
    if (out.find(entry.metric, entry.in)) {
      throw InputError(here + "metric", entry.metric, "this metric stands twice; keep one");
    }
    out.entries.push_back(std::move(entry));
  }
  return out;
}

Baseline load_baseline(const std::filesystem::path& file) {
  return parse_baseline(read_file(file, "baseline", kLargestTextFile), file.filename().string());
}

std::string to_json(const Baseline& baseline) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Baseline::Entry& e : baseline.entries) {
    list.push_back({{"metric", e.metric}, {"in", e.in}, {"value", e.value}});
  }
  const nlohmann::ordered_json json = {
      {"ringlab_baseline", kVersion}, {"name", baseline.name}, {"metrics", list}};
  return json.dump(1) + "\n";
}

}  // namespace ringlab

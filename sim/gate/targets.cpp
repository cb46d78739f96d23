#include "ringlab/sim/gate/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/json.hpp"
#include "ringlab/reference/io/limits.hpp"
#include "ringlab/sim/gate/result.hpp"

namespace ringlab {
namespace {

using detail::brief;
using detail::Json;
using detail::kind_of;

constexpr std::array kKinds = {TargetKind::latency, TargetKind::quality, TargetKind::cost,
                               TargetKind::other};
constexpr std::size_t kMostTargets = 1000, kLongestText = 300;

[[noreturn]] void refuse(const std::string& field, const Json& value, const std::string& remedy) {
  throw InputError(field, brief(value), remedy);
}

// One object of the file, which knows where it stands and which fields it may have.
class Reader {
 public:
  Reader(const Json& object, std::string place, std::vector<std::string> fields)
      : object_(object), place_(std::move(place)) {
    if (!object_.is_object()) {
      refuse(place_, object_, fmt::format("give an object, not {}", kind_of(object_)));
    }
    for (const auto& [key, value] : object_.items()) {
      if (std::find(fields.begin(), fields.end(), key) == fields.end()) {
        throw InputError(field(key), brief(value),
                         fmt::format("no such field; the fields are {}", fmt::join(fields, ", ")));
      }
    }
  }

  std::string field(const std::string& key) const {
    return place_.find(": ") == std::string::npos ? place_ + ": " + key : place_ + "." + key;
  }
  const Json* find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  const Json& at(const char* key, const std::string& remedy) const {
    const Json* value = find(key);
    if (!value) throw InputError(field(key), "missing", remedy);
    return *value;
  }

  static std::string text(const Json& value, const std::string& field, bool may_be_empty = true) {
    if (!value.is_string()) {
      refuse(field, value, fmt::format("give text, not {}", kind_of(value)));
    }
    const auto& out = value.get_ref<const std::string&>();
    const bool plain = std::none_of(out.begin(), out.end(), [](unsigned char c) { return c < 32; });
    if (out.size() > kLongestText || !plain || (out.empty() && !may_be_empty)) {
      refuse(field, value,
             fmt::format("give one line of {} to {} bytes", may_be_empty ? 0 : 1, kLongestText));
    }
    return out;
  }
  std::string text_or_none(const char* key) const {
    const Json* value = find(key);
    return value ? text(*value, field(key)) : "";
  }
  std::optional<double> number(const char* key) const {
    const Json* value = find(key);
    if (!value) return std::nullopt;
    if (!value->is_number()) {
      refuse(field(key), *value, fmt::format("give a number, not {}", kind_of(*value)));
    }
    return value->get<double>();
  }

 private:
  const Json& object_;
  std::string place_;
};

TargetKind kind_from(const Json& value, const std::string& field, bool with_other) {
  std::vector<std::string> names;
  for (const TargetKind kind : kKinds) {
    if (kind == TargetKind::other && !with_other) continue;
    if (value.is_string() && value.get<std::string>() == name(kind)) return kind;
    names.emplace_back(name(kind));
  }
  refuse(field, value, fmt::format("give one of {}", fmt::join(names, ", ")));
}

void check_bounds(const Target& t, const Reader& reader) {
  const bool bounded = t.at_most || t.at_least;
  if (!bounded && !t.equals && !t.drift_percent) {
    throw InputError(reader.field("at_most"), "missing",
                     "state at_most, at_least, equals or drift_percent");
  }
  if (t.equals && (bounded || t.drift_percent)) {
    throw InputError(reader.field("equals"), "given",
                     "a value that is compared has no bounds and no drift; give one or the other");
  }
  if (t.at_most && t.at_least && *t.at_least > *t.at_most) {
    throw InputError(reader.field("at_least"), fmt::format("{}", *t.at_least),
                     fmt::format("nothing is that and at most {}; exchange them", *t.at_most));
  }
  if (t.drift_percent && !(*t.drift_percent >= 0 && *t.drift_percent <= 1e6)) {
    throw InputError(reader.field("drift_percent"), fmt::format("{}", *t.drift_percent),
                     "give percent from 0 to 1000000");
  }
}

Target read_target(const Json& json, const std::string& place) {
  const Reader reader(
      json, place,
      {"metric", "in", "kind", "at_most", "at_least", "equals", "drift_percent", "unit", "why"});
  Target t;
  t.metric = Reader::text(reader.at("metric", "name a figure of the results, such as seconds"),
                          reader.field("metric"), false);
  (void)MetricPath::parse(t.metric, reader.field("metric"));
  t.in = reader.text_or_none("in");
  t.kind = kind_from(reader.at("kind", "say latency, quality, cost or other"), reader.field("kind"),
                     true);
  t.at_most = reader.number("at_most");
  t.at_least = reader.number("at_least");
  t.drift_percent = reader.number("drift_percent");
  if (const Json* equals = reader.find("equals")) {
    if (equals->is_boolean()) {
      t.equals = equals->get<bool>();
    } else if (equals->is_string()) {
      t.equals = Reader::text(*equals, reader.field("equals"));
    } else {
      refuse(reader.field("equals"), *equals,
             "give true, false or text; of a number say at_most and at_least");
    }
  }
  t.unit = reader.text_or_none("unit");
  t.why = reader.text_or_none("why");
  check_bounds(t, reader);
  return t;
}

void check_kinds(const Targets& all, const std::string& source) {
  for (const TargetKind kind : kKinds) {
    if (kind == TargetKind::other) continue;
    const auto found = std::find_if(all.targets.begin(), all.targets.end(),
                                    [&](const Target& t) { return t.kind == kind; });
    const bool stated = found != all.targets.end(), waived = all.waived.contains(kind);
    if (!stated && !waived) {
      throw InputError(source + ": targets", fmt::format("nothing of kind {}", name(kind)),
                       fmt::format("state one, or write the reason into waived.{}", name(kind)));
    }
    if (stated && waived) {
      throw InputError(fmt::format("{}: waived.{}", source, name(kind)), all.waived.at(kind),
                       fmt::format("'{}' is of that kind; take one of them out", found->metric));
    }
  }
}

}  // namespace

const char* name(TargetKind kind) {
  switch (kind) {
    case TargetKind::latency:
      return "latency";
    case TargetKind::quality:
      return "quality";
    case TargetKind::cost:
      return "cost";
    case TargetKind::other:
      return "other";
  }
  return "?";
}

Targets parse_targets(std::string_view text, const std::string& source) {
  const Json json = detail::parse_json(text, source);
  const Reader reader(json, source, {"name", "targets", "waived"});
  Targets out;
  out.name = Reader::text(reader.at("name", "say what is gated"), reader.field("name"), false);
  const Json& list = reader.at("targets", "list what has to be true");
  const std::string place = reader.field("targets");
  if (!list.is_array() || list.empty() || list.size() > kMostTargets) {
    refuse(place, list, fmt::format("give a list of 1 to {} targets", kMostTargets));
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string here = fmt::format("{}[{}]", place, i);
    Target target = read_target(list[i], here);
    for (const Target& other : out.targets) {
      if (other.metric == target.metric && other.in == target.in) {
        throw InputError(here + ".metric", target.metric,
                         "this metric stands twice; put both bounds into one target");
      }
    }
    out.targets.push_back(std::move(target));
  }
  if (const Json* waived = reader.find("waived")) {
    if (!waived->is_object()) {
      refuse(reader.field("waived"), *waived, "give an object of kinds and reasons");
    }
    for (const auto& [key, reason] : waived->items()) {
      const std::string field = reader.field("waived") + "." + key;
      out.waived[kind_from(Json(key), field, false)] = Reader::text(reason, field, false);
    }
  }
  check_kinds(out, source);
  return out;
}

Targets load_targets(const std::filesystem::path& file) {
  return parse_targets(read_file(file, "targets", kLargestTextFile), file.filename().string());
}

}  // namespace ringlab

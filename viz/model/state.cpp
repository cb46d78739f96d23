#include "ringlab/viz/model/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ringlab/reference/scenario/fields.hpp"

namespace ringlab::viz {
namespace {

using detail::Field;
using detail::Json;

constexpr std::size_t kLongestText = std::size_t{1} << 20;
constexpr std::size_t kLongestName = 64;

bool is_name(const std::string& text) {
  return text.size() <= kLongestName && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
         });
}

// Reads one object of the text; remembers what it could not take as it is.
class Reader {
 public:
  Reader(const Json& object, std::string place, std::vector<Sentence>& notes)
      : object_(object), place_(std::move(place)), notes_(notes) {
    if (object_.is_object()) return;
    note("note.replaced", place_, detail::brief(object_), "{}");
  }

  template <class T>
  void number(const char* key, T& value, double least, double most) {
    const Json* json = find(key);
    if (!json) return;
    if (!json->is_number()) {
      note("note.replaced", field(key), detail::brief(*json), fmt::format("{}", value));
      return;
    }
    const auto given = json->get<double>();
    const double fit = std::clamp(std::is_integral_v<T> ? std::trunc(given) : given, least, most);
    value = static_cast<T>(fit);
    if (fit != given) {
      note(fit < given ? "note.clamped" : "note.raised", field(key), detail::brief(*json),
           fmt::format("{}", value));
    }
  }

  void flag(const char* key, bool& value) {
    const Json* json = find(key);
    if (!json) return;
    if (json->is_boolean()) {
      value = json->get<bool>();
    } else {
      note("note.replaced", field(key), detail::brief(*json), value ? "true" : "false");
    }
  }

  void name(const char* key, std::string& value) {
    const Json* json = find(key);
    if (!json) return;
    if (json->is_string() && is_name(json->get<std::string>())) {
      value = json->get<std::string>();
    } else {
      note("note.replaced", field(key), detail::brief(*json), "\"\"");
    }
  }

  template <class T>
  void choice(const char* key, T& value, std::initializer_list<std::pair<const char*, T>> names) {
    const Json* json = find(key);
    if (!json) return;
    for (const auto& [name, named] : names) {
      if (json->is_string() && json->get<std::string>() == name) {
        value = named;
        return;
      }
    }
    for (const auto& [name, named] : names) {
      if (named == value) note("note.replaced", field(key), detail::brief(*json), name);
    }
  }

  Json object(const char* key) {
    const Json* json = find(key);
    return json ? *json : Json::object();
  }

  void end() {
    if (!object_.is_object()) return;
    for (const auto& [key, value] : object_.items()) {
      if (known_.count(key) == 0) note("note.unknown", field(key.substr(0, kLongestName)));
    }
  }

 private:
  const Json* find(const char* key) {
    known_.insert(key);
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  std::string field(const std::string& key) const {
    return place_.empty() ? key : place_ + "." + key;
  }
  template <class... Words>
  void note(const char* key, const Words&... words) {
    notes_.push_back({key, {words...}});
  }

  const Json& object_;
  std::string place_;
  std::vector<Sentence>& notes_;
  std::set<std::string> known_;
};

// The nearest number that the field takes, or null.
Json nearest(const detail::FieldType& type, const Json& value) {
  const bool one = type.kind == detail::FieldKind::whole || type.kind == detail::FieldKind::number;
  if (!one || !value.is_number() || type.ranges.empty()) return nullptr;
  const auto number = value.get<double>();
  Json best = nullptr;
  double distance = 0;
  for (const detail::Range& range : type.ranges) {
    double fit = std::clamp(number, range.least, range.most);
    if (type.kind == detail::FieldKind::whole) fit = std::trunc(fit);
    if (!range.holds(fit)) continue;
    if (best.is_null() || std::abs(fit - number) < distance) {
      distance = std::abs(fit - number);
      best = fit;
    }
  }
  return best;
}

void read_scenario(const Json& json, Scenario& scenario, std::vector<Sentence>& notes) {
  if (!json.is_object()) {
    notes.push_back({"note.replaced", {"scenario", detail::brief(json), "{}"}});
    return;
  }
  const auto& fields = detail::fields();
  for (const auto& [key, value] : json.items()) {
    const std::string name = key.substr(0, kLongestName);
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&, k = key](const Field& f) { return f.name == k; });
    if (field == fields.end()) {
      notes.push_back({"note.unknown", {name}});
      continue;
    }
    const bool is_file = key == "layout_file" || key == "input";
    if (is_file && value != "") {
      notes.push_back({"note.no_files", {name}});
      continue;
    }
    try {
      field->set(scenario, detail::value_from_json(field->type, field->name, value));
    } catch (const InputError&) {
      const Json fit = nearest(field->type, value);
      const std::string before = detail::brief(value);
      if (fit.is_null()) {
        notes.push_back({"note.replaced",
                         {name, before, detail::value_json(field->get(scenario)).substr(0, 60)}});
        continue;
      }
      field->set(scenario, detail::value_from_json(field->type, field->name, fit));
      notes.push_back({fit < value ? "note.clamped" : "note.raised",
                       {name, before, detail::value_json(field->get(scenario))}});
    }
  }
}

constexpr double kFar = 1e12;  // beyond any time, position or count that is shown

void read_options(Reader reader, StoryOptions& o) {
  reader.choice("clock", o.clock,
                {{"ideal", Clock::ideal},
                 {"measured", Clock::measured},
                 {"simulated", Clock::simulated},
                 {"imported", Clock::imported}});
  reader.number("transfer_ratio", o.transfer_ratio, 0, 100);
  reader.number("slow_link_from", o.slow_link_from, -1, Limits::kRanks - 1);
  reader.number("slow_link_to", o.slow_link_to, -1, Limits::kRanks - 1);
  reader.number("slow_link_factor", o.slow_link_factor, 1, 100);
  reader.number("slow_rank", o.slow_rank, -1, Limits::kRanks - 1);
  reader.number("slow_rank_factor", o.slow_rank_factor, 1, 100);
  reader.name("cluster", o.cluster);
  reader.number("simulated_tokens", o.simulated_tokens, 0,
                static_cast<double>(Limits::kSimulatedTokens));
  reader.choice("simulated_dtype", o.simulated_dtype,
                {{"float32", ElementType::float32},
                 {"float16", ElementType::float16},
                 {"bfloat16", ElementType::bfloat16}});
  reader.number("node_size", o.node_size, 0, Limits::kRanks);
  reader.flag("numbers", o.numbers);
  reader.number("pair_heads_per_unit", o.pair_heads_per_unit, 0, 1e15);
  reader.number("bytes_per_unit", o.bytes_per_unit, 0, 1e15);
  reader.end();
}

void read_view(Reader reader, ViewState& v) {
  reader.number("time", v.time, 0, kFar);
  reader.number("focus_rank", v.focus_rank, 0, Limits::kRanks - 1);
  reader.number("query", v.query, 0, static_cast<double>(Limits::kTokens - 1));
  reader.number("head", v.head, 0, Limits::kHeads - 1);
  reader.choice("precision", v.precision,
                {{"float32", StatePrecision::float32}, {"bfloat16", StatePrecision::bfloat16}});
  reader.number("speed", v.speed, 0.05, 20);
  reader.flag("reduced_motion", v.reduced_motion);
  reader.flag("stop_at_breaks", v.stop_at_breaks);
  reader.number("first_query", v.matrix.first_query, 0, kFar);
  reader.number("queries", v.matrix.queries, 0, kFar);
  reader.number("first_key", v.matrix.first_key, 0, kFar);
  reader.number("keys", v.matrix.keys, 0, kFar);
  reader.number("timeline_start", v.timeline.start, 0, kFar);
  reader.number("timeline_end", v.timeline.end, 0, kFar);
  reader.name("preset", v.preset);
  reader.name("tab", v.tab);
  reader.end();
}

std::string options_json(const StoryOptions& o) {
  return fmt::format(
      "{{\"clock\": \"{}\", \"transfer_ratio\": {}, \"slow_link_from\": {}, \"slow_link_to\": {}, "
      "\"slow_link_factor\": {}, \"slow_rank\": {}, \"slow_rank_factor\": {}, \"cluster\": {}, "
      "\"simulated_tokens\": {}, \"simulated_dtype\": \"{}\", \"node_size\": {}, "
      "\"numbers\": {}, \"pair_heads_per_unit\": {}, \"bytes_per_unit\": {}}}",
      name(o.clock), o.transfer_ratio, o.slow_link_from, o.slow_link_to, o.slow_link_factor,
      o.slow_rank, o.slow_rank_factor, Json(o.cluster).dump(), o.simulated_tokens,
      name(o.simulated_dtype), o.node_size, o.numbers, o.pair_heads_per_unit, o.bytes_per_unit);
}

std::string view_json(const ViewState& v) {
  const auto safe = [](const std::string& text) { return is_name(text) ? text : std::string(); };
  return fmt::format(
      "{{\"time\": {}, \"focus_rank\": {}, \"query\": {}, \"head\": {}, \"precision\": \"{}\", "
      "\"speed\": {}, \"reduced_motion\": {}, \"stop_at_breaks\": {}, \"first_query\": {}, "
      "\"queries\": {}, \"first_key\": {}, \"keys\": {}, \"timeline_start\": {}, "
      "\"timeline_end\": {}, \"preset\": \"{}\", \"tab\": \"{}\"}}",
      v.time, v.focus_rank, v.query, v.head,
      v.precision == StatePrecision::float32 ? "float32" : "bfloat16", v.speed, v.reduced_motion,
      v.stop_at_breaks, v.matrix.first_query, v.matrix.queries, v.matrix.first_key, v.matrix.keys,
      v.timeline.start, v.timeline.end, safe(v.preset), safe(v.tab));
}

}  // namespace

std::string copy_state(const SharedState& state) {
  return fmt::format("{{\"ringlab_viz\": 1,\n\"scenario\": {},\n\"story\": {},\n\"view\": {}}}\n",
                     to_json(state.scenario), options_json(state.options), view_json(state.view));
}

Pasted paste_state(const std::string& text) {
  if (text.size() > kLongestText) {
    throw InputError("clipboard", bytes_text(static_cast<double>(text.size())),
                     "copy a scenario, which is shorter than 1 MB");
  }
  const Json json = detail::parse_json(text, "clipboard");
  if (!json.is_object()) {
    throw InputError("clipboard", detail::brief(json), "copy a scenario: a JSON object");
  }
  Pasted pasted;
  SharedState& state = pasted.state;
  if (json.contains("ringlab_viz") || json.contains("scenario")) {
    Reader top(json, "", pasted.notes);
    int version = 1;
    top.number("ringlab_viz", version, 1, 1);
    read_scenario(top.object("scenario"), state.scenario, pasted.notes);
    const Json options = top.object("story"), view = top.object("view");
    read_options(Reader(options, "story", pasted.notes), state.options);
    read_view(Reader(view, "view", pasted.notes), state.view);
    top.end();
  } else {
    read_scenario(json, state.scenario, pasted.notes);
  }
  for (Sentence& note : fit_to_limits(state.scenario, state.options)) {
    pasted.notes.push_back(std::move(note));
  }
  return pasted;
}

std::vector<Sentence> fit_view(const Story& story, ViewState& view) {
  std::vector<Sentence> notes;
  const auto clamp = [&](const char* field, auto& value, double least, double most) {
    using T = std::decay_t<decltype(value)>;
    const double given = static_cast<double>(value);
    const double fit = given >= least ? std::min(given, most) : least;  // a NaN becomes the least
    if (fit == given) return;
    notes.push_back({fit < given ? "note.clamped" : "note.raised",
                     {field, fmt::format("{}", given), fmt::format("{}", fit)}});
    value = static_cast<T>(fit);
  };
  const auto tokens = static_cast<double>(story.matrix.keys);
  const auto queries = static_cast<double>(story.matrix.queries);
  clamp("time", view.time, 0, story.end);
  clamp("focus_rank", view.focus_rank, 0, story.size() - 1);
  if (queries > 0) clamp("query", view.query, tokens - queries, tokens - 1);
  clamp("head", view.head, 0, story.schedule.query_heads - 1);
  clamp("speed", view.speed, 0.05, 20);
  clamp("queries", view.matrix.queries, 0, queries);
  clamp("first_query", view.matrix.first_query, 0, queries - view.matrix.queries);
  clamp("keys", view.matrix.keys, 0, tokens);
  clamp("first_key", view.matrix.first_key, 0, tokens - view.matrix.keys);
  clamp("timeline_end", view.timeline.end, 0, story.end);
  clamp("timeline_start", view.timeline.start, 0, view.timeline.end);
  return notes;
}

}  // namespace ringlab::viz

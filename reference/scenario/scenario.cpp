#include "ringlab/reference/scenario/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/limits.hpp"
#include "ringlab/reference/scenario/fields.hpp"
#include "ringlab/reference/scenario/layout_file.hpp"

namespace ringlab {
namespace {

namespace fs = std::filesystem;
using detail::Field;

// The tokens at positions >= first, in the same local order.
Positions from_position(const Positions& tokens, Index first) {
  std::vector<Run> runs;
  for (Run run : tokens.runs()) {
    const Index behind = first - run.first;
    const Index skip =
        behind <= 0 ? 0 : std::min(run.count, (behind + run.stride - 1) / run.stride);
    run.first = run.at(skip);
    run.count -= skip;
    runs.push_back(run);
  }
  return Positions(runs);
}

Index first_query(const Scenario& s) {
  return s.tokens - s.query_tokens.value_or(s.tokens);
}

void check_fields(const Scenario& scenario) {
  for (const Field& field : detail::fields()) {
    detail::check_value(field.type, field.name, field.get(scenario));
  }
  if (scenario.mask.documents) {
    throw InputError("mask", "documents", "give the lengths in the field documents instead");
  }
}

}  // namespace

Scenario parse_scenario(const std::string& json_text, const std::string& source) {
  const detail::Json json = detail::parse_json(json_text, source);
  if (!json.is_object()) {
    throw InputError(source, detail::brief(json),
                     "give a JSON object with the fields of a scenario");
  }
  Scenario scenario;
  for (const auto& [key, value] : json.items()) {
    const Field& field = detail::field_named(key);
    field.set(scenario, detail::value_from_json(field.type, field.name, value));
  }
  check(scenario);
  return scenario;
}

Scenario load_scenario(const fs::path& path) {
  Scenario scenario = parse_scenario(read_file(path, "scenario", kLargestJsonFile), path.string());
  for (std::string* relative : {&scenario.layout_file, &scenario.input}) {
    if (!relative->empty() && fs::path(*relative).is_relative()) {
      *relative = (path.parent_path() / *relative).lexically_normal().string();
    }
  }
  return scenario;
}

std::string to_json(const Scenario& scenario) {
  check_fields(scenario);
  std::string text = "{";
  for (const Field& field : detail::fields()) {
    text += fmt::format("{}\n  \"{}\": {}", text.size() > 1 ? "," : "", field.name,
                        detail::value_json(field.get(scenario)));
  }
  return text + "\n}\n";
}

void set_field(Scenario& scenario, const std::string& field_name, const std::string& text) {
  std::string wanted = field_name;
  std::replace(wanted.begin(), wanted.end(), '-', '_');
  const Field& field = detail::field_named(wanted);
  field.set(scenario, detail::value_from_text(field.type, field.name, text));
}

void check(const Scenario& s) {
  check_fields(s);
  const auto refuse = [](const char* field, const std::string& value, const std::string& remedy) {
    throw InputError(field, value, remedy);
  };
  if (s.layout == LayoutKind::custom && s.layout_file.empty()) {
    refuse("layout_file", "\"\"", "name the file that layout custom is read from");
  }
  if (s.layout != LayoutKind::custom && !s.layout_file.empty()) {
    refuse("layout_file", s.layout_file,
           fmt::format("set layout to custom, or leave this out with layout {}", name(s.layout)));
  }
  if (s.query_tokens.value_or(0) > s.tokens) {
    refuse("query_tokens", std::to_string(*s.query_tokens),
           fmt::format("give at most tokens = {}", s.tokens));
  }
  if (s.rotary_base != 0 && s.head_dim % 2 != 0) {
    refuse("rotary_base", fmt::format("{}", s.rotary_base),
           fmt::format("rotary embedding turns pairs: make head_dim = {} even, or give 0",
                       s.head_dim));
  }
  if (s.tokens == 0 && !s.documents.empty()) {
    refuse("documents", fmt::format("{} documents", s.documents.size()),
           "leave this out where tokens is 0");
  }
  (void)sequence_of(s);
  (void)rule_of(s);
}

AttentionRule rule_of(const Scenario& s) {
  AttentionRule rule;
  rule.query_heads = s.heads;
  rule.kv_heads = s.key_value_heads();
  rule.head_dim = s.head_dim;
  rule.scale = s.scale.value_or(default_scale(s.head_dim));
  rule.mask = s.mask;
  rule.mask.documents = !s.documents.empty();
  rule.soft_cap = s.soft_cap;
  rule.sinks = s.sinks;
  if (s.alibi) rule.alibi_slopes = default_alibi_slopes(s.heads);
  rule.dropout = {s.dropout, s.seed};
  rule.check();
  return rule;
}

Positions sequence_of(const Scenario& s) {
  return whole_sequence(s.tokens, s.documents);
}

Positions query_sequence_of(const Scenario& s) {
  return from_position(sequence_of(s), first_query(s));
}

Layout layout_of(const Scenario& s) {
  const Positions sequence = sequence_of(s);
  if (s.layout == LayoutKind::custom) return read_layout(s.layout_file, sequence, s.ranks);
  const Index cached = first_query(s);
  if (cached == 0) return make_layout(s.layout, sequence, s.ranks);
  // The cached prefix and the new tokens are laid out each by themselves, so that both are
  // balanced: else all new tokens of a long context would lie on the rank that holds its end.
  Layout layout = make_layout(s.layout, sequence.slice(0, cached), s.ranks);
  const Layout fresh = make_layout(s.layout, sequence.slice(cached, s.tokens - cached), s.ranks);
  for (std::size_t r = 0; r < layout.size(); ++r) layout[r] = layout[r].joined(fresh[r]);
  return layout;
}

Layout query_layout_of(const Scenario& s) {
  return query_layout_of(s, layout_of(s));
}

Layout query_layout_of(const Scenario& s, const Layout& keys) {
  Layout queries;
  for (const Positions& shard : keys) queries.push_back(from_position(shard, first_query(s)));
  return queries;
}

}  // namespace ringlab

#include "ringlab/viz/app/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/scenario/fields.hpp"
#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/viz/model/simulated.hpp"

namespace ringlab::viz {
namespace {

// Which fields stand together; what the table has and this list does not comes last.
struct Group {
  const char* title;
  std::vector<const char*> fields;
};
const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"ui.scene.problem",
       {"tokens", "heads", "kv_heads", "head_dim", "mask", "documents", "query_tokens"}},
      {"ui.scene.split",
       {"ranks", "schedule", "layout", "rotation", "degree", "backward", "dtype"}},
      {"ui.scene.rule",
       {"scale", "soft_cap", "sinks", "alibi", "rotary_base", "dropout", "seed", "input"}},
  };
  return all;
}

std::string as_flag_text(const detail::FieldValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  std::string json = detail::value_json(value);
  if (json.size() >= 2 && json.front() == '[') {
    json = json.substr(1, json.size() - 2);
    std::erase(json, ' ');
    std::erase(json, '\n');
    const bool whole = std::holds_alternative<std::vector<Index>>(value);
    if (whole) std::replace(json.begin(), json.end(), ',', '+');
  }
  return json;
}

FormField field_of(const detail::Field& field, const Scenario& scenario) {
  FormField form;
  form.name = field.name;
  const std::string range = detail::range_text(field.type);
  form.help = field.help + (range.empty() ? "" : " " + range + ".");
  form.value = as_flag_text(field.get(scenario));
  switch (field.type.kind) {
    case detail::FieldKind::whole:
      form.kind = FormField::Kind::whole;
      break;
    case detail::FieldKind::flag:
      form.kind = FormField::Kind::flag;
      break;
    case detail::FieldKind::choice:
      form.kind = FormField::Kind::choice;
      form.choices = field.type.choices;
      break;
    case detail::FieldKind::name:
      form.kind = FormField::Kind::choice;
      for (const CatalogEntry& entry : schedule_catalog()) form.choices.push_back(entry.name);
      break;
    default:
      form.kind = FormField::Kind::text;
      break;
  }
  return form;
}

// A field of the story's clock: how to show it, and how to take a text.
struct ClockField {
  const char* name;
  const char* help;
  FormField::Kind kind;
  std::function<std::string(const StoryOptions&)> get;
  std::function<void(StoryOptions&, const std::string&)> set;
  std::function<std::vector<std::string>(const Scenario&)> choices = {};
};

const char* name_of_value(Clock clock) {
  return ringlab::viz::name(clock);
}
const char* name_of_value(ElementType type) {
  return ringlab::name(type);
}

[[noreturn]] void refuse(const char* field, const std::string& value, const std::string& remedy) {
  throw InputError(field, value.empty() ? "\"\"" : value, remedy);
}

int whole(const char* field, const std::string& text, int least, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < least || number > most) {
    refuse(field, text, fmt::format("give a whole number, {} to {}", least, most));
  }
  return number;
}

double number(const char* field, const std::string& text, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() ||
      !(value >= least && value <= most)) {
    refuse(field, text, fmt::format("give a number, {} to {}", least, most));
  }
  return value;
}

template <auto member>
ClockField whole_field(const char* name, const char* help, int least, int most) {
  return {name, help, FormField::Kind::whole,
          [](const StoryOptions& o) { return std::to_string(o.*member); },
          [=](StoryOptions& o, const std::string& text) {
            o.*member = whole(name, text, least, most);
          }};
}

template <auto member>
ClockField number_field(const char* name, const char* help, double least, double most) {
  return {name, help, FormField::Kind::text,
          [](const StoryOptions& o) { return fmt::format("{:g}", o.*member); },
          [=](StoryOptions& o, const std::string& text) {
            o.*member = number(name, text, least, most);
          }};
}

constexpr std::array<Clock, 3> kClocks{Clock::ideal, Clock::measured, Clock::simulated};
constexpr std::array<ElementType, 3> kTypes{ElementType::bfloat16, ElementType::float16,
                                            ElementType::float32};
constexpr const char* kChosen = "auto";  // instead of a cluster's name

// A field whose values have names.
template <auto member, class Values>
ClockField named_field(const char* name, const char* help, const Values& values) {
  const auto names = [=] {
    std::vector<std::string> all;
    for (const auto value : values) all.emplace_back(name_of_value(value));
    return all;
  };
  return {name,
          help,
          FormField::Kind::choice,
          [](const StoryOptions& o) { return std::string(name_of_value(o.*member)); },
          [=](StoryOptions& o, const std::string& text) {
            for (const auto value : values) {
              if (text == name_of_value(value)) {
                o.*member = value;
                return;
              }
            }
            refuse(name, text, fmt::format("give one of: {}", fmt::join(names(), ", ")));
          },
          [=](const Scenario&) { return names(); }};
}

const std::vector<ClockField>& clock_fields() {
  using O = StoryOptions;
  static const std::vector<ClockField> all{
      named_field<&O::clock>(
          "clock",
          "ideal: a tile takes as long as it has visible pairs; measured: this machine's own run; "
          "simulated: what it takes on a cluster.",
          kClocks),
      {"cluster",
       "Simulated clock: a described cluster, or nodes x GPUs x part as 2x4xh100; auto: the "
       "scenario's hardware, else as many 8xh100 as hold the ranks.",
       FormField::Kind::choice,
       [](const O& o) { return o.cluster.empty() ? std::string(kChosen) : o.cluster; },
       [](O& o, const std::string& text) { o.cluster = text == kChosen ? "" : text; },
       [](const Scenario& scenario) {
         std::vector<std::string> names = clusters_for(scenario.ranks);
         names.insert(names.begin(), kChosen);
         return names;
       }},
      whole_field<&O::simulated_tokens>(
          "simulated_tokens",
          "Simulated clock: the length that the times are for, a multiple of the tokens drawn; 0: "
          "those.",
          0, static_cast<int>(Limits::kSimulatedTokens)),
      named_field<&O::simulated_dtype>("simulated_dtype",
                                       "Simulated clock: the element type on the cluster.", kTypes),
      number_field<&O::transfer_ratio>(
          "transfer_ratio",
          "Ideal clock: time of the largest message over that of the largest tile.", 0, 100),
      whole_field<&O::slow_link_from>(
          "slow_link_from",
          "The sender of a slow link; -1: none. Simulated: its port to that network.", -1,
          Limits::kRanks - 1),
      whole_field<&O::slow_link_to>("slow_link_to", "The receiver of a slow link; -1: none.", -1,
                                    Limits::kRanks - 1),
      number_field<&O::slow_link_factor>("slow_link_factor",
                                         "Its messages take so many times longer.", 1, 100),
      whole_field<&O::slow_rank>("slow_rank", "A slow rank; -1: none.", -1, Limits::kRanks - 1),
      number_field<&O::slow_rank_factor>("slow_rank_factor", "Its tiles take so many times longer.",
                                         1, 100),
      whole_field<&O::node_size>(
          "node_size", "Ranks of one node, drawn together; 0: as cluster or traffic show.", 0,
          Limits::kRanks),
      {"numbers", "Run it with real numbers, if it is small enough.", FormField::Kind::flag,
       [](const O& o) { return std::string(o.numbers ? "true" : "false"); },
       [](O& o, const std::string& text) { o.numbers = text == "true"; }},
  };
  return all;
}

FormField heading(std::string_view text) {
  FormField field;
  field.name = text;
  field.heading = true;
  return field;
}

}  // namespace

std::vector<FormField> form_of(const Scenario& scenario, const StoryOptions& options,
                               const Texts& texts) {
  std::vector<FormField> form;
  for (const Group& group : groups()) {
    form.push_back(heading(texts.get(group.title)));
    for (const char* wanted : group.fields)
      form.push_back(field_of(detail::field_named(wanted), scenario));
  }
  form.push_back(heading(texts.get("ui.scene.clock")));
  for (const ClockField& field : clock_fields()) {
    FormField row;
    row.name = field.name;
    row.help = field.help;
    row.kind = field.kind;
    row.value = field.get(options);
    if (field.choices) row.choices = field.choices(scenario);
    form.push_back(std::move(row));
  }
  for (const detail::Field& field : detail::fields()) {
    const auto is_this = [&](const FormField& row) { return row.name == field.name; };
    if (std::none_of(form.begin(), form.end(), is_this)) form.push_back(field_of(field, scenario));
  }
  return form;
}

std::vector<StoryField> story_fields() {
  std::vector<StoryField> list;
  for (const ClockField& field : clock_fields()) list.push_back({field.name, field.help});
  return list;
}

void apply_change(const FormChange& change, Scenario& scenario, StoryOptions& options) {
  for (const ClockField& field : clock_fields()) {
    if (change.name == field.name) {
      field.set(options, change.value);
      return;
    }
  }
  const bool unset = change.value.empty() && detail::field_named(change.name).type.nullable;
  set_field(scenario, change.name, unset ? "null" : change.value);
}

}  // namespace ringlab::viz

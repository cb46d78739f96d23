#include "cli/scenario_flags.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ringlab/reference/core/file.hpp"

namespace ringlab::cli {

void ScenarioFlags::add_to(CLI::App& command, const std::vector<std::string>& without,
                           const std::string& file_option) {
  command.add_option(file_option, file_, "A scenario file; flags override its fields")
      ->type_name("SCENARIO.json");
  for (const FieldInfo& field : scenario_fields()) {
    if (std::find(without.begin(), without.end(), field.name) != without.end()) continue;
    std::string flag = "--" + field.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    const std::string help = field.help + " [" + field.default_text + "]";
    if (field.type == "true or false") {
      options_[field.name] = command.add_flag(flag, switches_[field.name], help);
    } else {
      options_[field.name] =
          command.add_option(flag, values_[field.name], help)->type_name(field.range);
    }
    options_[field.name]->group("The scenario");
  }
}

Scenario ScenarioFlags::scenario(const Scenario& base) const {
  Scenario scenario = file_.empty() ? base : load_scenario(file_);
  for (const auto& [field, option] : options_) {
    if (option->count() == 0) continue;
    const auto is_switch = switches_.find(field);
    set_field(
        scenario, field,
        is_switch != switches_.end() ? (is_switch->second ? "true" : "false") : values_.at(field));
  }
  return scenario;
}

std::vector<std::string> ScenarioFlags::given() const {
  std::vector<std::string> names;
  for (const auto& [field, option] : options_) {
    if (option->count() > 0) names.push_back(field);
  }
  if (file_.empty()) return names;
  const auto json = nlohmann::json::parse(read_file(file_, "scenario", 1 << 24), nullptr, false);
  if (!json.is_object()) return names;
  for (const auto& [field, value] : json.items()) names.push_back(field);
  return names;
}

}  // namespace ringlab::cli

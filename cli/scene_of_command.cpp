#include "cli/scene_of_command.hpp"

#include <CLI/CLI.hpp>

#include "cli/scenario_flags.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/session/session.hpp"
#include "ringlab/viz/model/presets.hpp"

namespace ringlab::cli {
namespace {

bool take(std::string& text, const std::string& beginning) {
  if (text.rfind(beginning, 0) != 0) return false;
  text.erase(0, beginning.size());
  return true;
}

}  // namespace

std::optional<viz::SharedState> scene_of_command(const std::string& command) {
  std::string line = command;
  take(line, "$ ");
  take(line, "ringlab ");
  // What a shell or a file would add is not known here.
  if (line.find_first_of("|;&<>$`'\"\\*") != std::string::npos ||
      line.find(".json") != std::string::npos) {
    return std::nullopt;
  }
  CLI::App parser;
  ScenarioFlags flags;
  std::string schedule, preset;
  bool ignored = false;  // what changes the answer's form, and not what happens
  if (take(line, "schedule ")) {
    parser.add_option("name", schedule)->required();
    flags.add_to(parser, {"schedule", "input", "hardware"}, "--scenario");
    parser.add_flag("--check,--json", ignored);
  } else if (take(line, "run ")) {
    flags.add_to(parser, {"input", "hardware"}, "--scenario");
    parser.add_flag("--json", ignored);
  } else if (take(line, "viz ")) {
    flags.add_to(parser, {"input", "hardware"}, "--scenario");
    parser.add_option("--preset", preset);
  } else {
    return std::nullopt;
  }
  try {
    parser.parse(line);
    viz::SharedState state;
    if (!preset.empty()) {
      state = viz::preset_named(preset).state;
      if (flags.given().empty()) state.view.preset = preset;
    }
    state.scenario = flags.scenario(state.scenario);
    if (!schedule.empty()) state.scenario.schedule = schedule;
    check(state.scenario);
    (void)schedule_of(state.scenario);
    return state;
  } catch (const CLI::Error&) {
  } catch (const InputError&) {
  }
  return std::nullopt;
}

}  // namespace ringlab::cli

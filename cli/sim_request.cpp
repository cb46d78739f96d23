#include "cli/sim_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/figures.hpp"
#include "ringlab/reference/session/session.hpp"
#include "ringlab/sim/cost/calibration.hpp"

namespace ringlab::cli {
namespace {

constexpr int kMostRanks = 1024;

// "rank=3,x=1.5" as numbers by name.
std::vector<double> numbers_of(const std::string& flag, const std::string& text,
                               const std::vector<std::string>& names, const std::string& example) {
  std::vector<double> numbers(names.size(), NAN);
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t equals = item.find('=');
    const auto name = std::find(names.begin(), names.end(), item.substr(0, equals));
    double value = NAN;
    if (equals != std::string::npos) {
      const std::string digits = item.substr(equals + 1);
      char* last = nullptr;
      value = std::strtod(digits.c_str(), &last);
      if (digits.empty() || *last != '\0') value = NAN;
    }
    if (name == names.end() || !std::isfinite(value) || std::fabs(value) > 1e9) {
      throw InputError(flag, fmt::format("'{}'", text), "give it as " + example);
    }
    numbers[static_cast<std::size_t>(name - names.begin())] = value;
    begin = end + 1;
  }
  for (const double number : numbers) {
    if (std::isnan(number)) throw InputError(flag, fmt::format("'{}'", text), "give " + example);
  }
  return numbers;
}

int rank_of(const std::string& flag, double number) {
  if (number != std::nearbyint(number)) {
    throw InputError(flag, fmt::format("{:g}", number), "a rank is a whole number");
  }
  return static_cast<int>(number);
}

void take_shape(const Model& model, const ScenarioFlags& flags, Scenario& scenario) {
  for (const std::string& field : flags.given()) {
    if (field == "heads" || field == "kv_heads" || field == "head_dim") {
      throw InputError(field, "given with --model",
                       "the model has its own; leave one of the two out");
    }
  }
  scenario.heads = model.heads;
  scenario.kv_heads = model.moved_kv_heads();
  scenario.head_dim = model.moved_head_dim();
  const std::vector<std::string> given = flags.given();
  if (model.window && std::find(given.begin(), given.end(), "mask") == given.end()) {
    scenario.mask.window_left = *model.window - 1;
  }
}

}  // namespace

void SimFlags::add_to(CLI::App& command) {
  scenario.add_to(command, {"input", "hardware"});
  command
      .add_option("--cluster", cluster,
                  "Where it runs: 8xh100, 4x8xh100 (nodes x GPUs x part), a preset, or a file "
                  "[the scenario's hardware; else as many 8xh100 as hold the ranks]")
      ->type_name("NAME|FILE");
  command.add_option("--model", model, "Takes heads, kv_heads and head_dim from a model")
      ->type_name("NAME|FILE");
  command
      .add_option("--kernel", kernel,
                  "The curve of the attention kernel's rate [the one measured on the part]")
      ->type_name("NAME|FILE");
  command
      .add_option("--calibration", calibration_file,
                  "Measured figures that replace those of cluster and kernel")
      ->type_name("FILE");
  command
      .add_option("--placement", placement,
                  "Which GPU a rank stands on: topology (neighbours on the fastest network), flat "
                  "or scattered [topology]")
      ->type_name("NAME");
  command
      .add_option("--straggler", stragglers,
                  "A rank that computes so many times slower; may be given again")
      ->type_name("rank=3,x=1.5");
  command.add_option("--jitter", jitter, "Each tile takes longer by this times |normal| [0]");
  command
      .add_option("--lose", lose,
                  "The first link on the way from one rank to another fails at a "
                  "time in seconds")
      ->type_name("from=1,to=2,at=0.001");
}

SimRequest request_of(const SimFlags& flags) {
  SimRequest request;
  Scenario base;
  base.dtype = ElementType::bfloat16;
  request.scenario = flags.scenario.scenario(base);
  Scenario& scenario = request.scenario;
  if (!flags.model.empty()) {
    request.model = load_model(flags.model);
    take_shape(*request.model, flags.scenario, scenario);
  }
  check(scenario);
  if (scenario.ranks > kMostRanks) {
    throw InputError("ranks", std::to_string(scenario.ranks),
                     fmt::format("give at most {}: one group that shares a sequence is simulated "
                                 "hop by hop; ringlab plan composes larger clusters of such groups",
                                 kMostRanks));
  }
  std::string cluster = flags.cluster.empty() ? scenario.hardware : flags.cluster;
  if (cluster.empty()) {
    const int nodes = (scenario.ranks + 7) / 8;
    cluster = nodes == 1 ? "8xh100" : fmt::format("{}x8xh100", nodes);
  }
  SimOptions& options = request.options;
  try {
    options.cluster = load_cluster(cluster);
  } catch (const InputError& error) {
    if (error.field() != "cluster" || !flags.cluster.empty()) throw;
    throw InputError("hardware", error.value(), error.remedy());  // as the scenario calls it
  }
  scenario.hardware = options.cluster.name;
  options.attention = flags.kernel.empty() ? AttentionCost::for_gpu(options.cluster.gpu)
                                           : AttentionCost::load(flags.kernel);
  if (!flags.calibration_file.empty()) {
    const Calibration measured = load_calibration(flags.calibration_file);
    measured.apply_to(options.cluster);
    if (measured.attention) options.attention = *measured.attention;
    request.calibration = measured.source.empty() ? flags.calibration_file : measured.source;
  }
  request.placement = placement_from(flags.placement);
  options.placement = place_ranks(options.cluster, scenario.ranks, request.placement);
  options.mask = rule_of(scenario).mask;
  options.element = element_bytes_of(scenario.dtype);
  options.seed = scenario.seed;
  options.jitter = flags.jitter;
  for (const std::string& text : flags.stragglers) {
    const auto numbers = numbers_of("straggler", text, {"rank", "x"}, "rank=3,x=1.5");
    options.stragglers.push_back({rank_of("straggler", numbers[0]), numbers[1]});
  }
  if (!flags.lose.empty()) {
    const auto numbers = numbers_of("lose", flags.lose, {"from", "to", "at"},
                                    "from=1,to=2,at=0.001, the time in seconds");
    options.link_loss =
        LinkLoss{rank_of("lose", numbers[0]), rank_of("lose", numbers[1]), numbers[2]};
  }
  return request;
}

SimResult simulate(const SimRequest& request) {
  return ringlab::simulate(catalog_entry(request.scenario.schedule),
                           schedule_problem_of(request.scenario), request.scenario.backward,
                           request.options);
}

}  // namespace ringlab::cli

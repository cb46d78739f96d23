#include "ringlab/sim/scenario/on_cluster.hpp"

#include <fmt/format.h>

#include "ringlab/reference/session/element_bytes.hpp"
#include "ringlab/reference/session/session.hpp"

namespace ringlab {

std::string cluster_name_of(const MachineChoice& choice, const Scenario& scenario) {
  if (!choice.cluster.empty()) return choice.cluster;
  if (!scenario.hardware.empty()) return scenario.hardware;
  const int nodes = (scenario.ranks + 7) / 8;
  return nodes <= 1 ? "8xh100" : fmt::format("{}x8xh100", nodes);
}

void take_scenario(const Scenario& scenario, Placement placement, SimOptions& options) {
  options.placement = place_ranks(options.cluster, scenario.ranks, placement);
  options.mask = rule_of(scenario).mask;
  options.element = element_bytes_of(scenario.dtype);
  options.seed = scenario.seed;
}

SimOptions options_on(const MachineChoice& choice, const Scenario& scenario,
                      const Calibration* measured) {
  SimOptions options;
  try {
    options.cluster = load_cluster(cluster_name_of(choice, scenario));
  } catch (const InputError& error) {
    if (error.field() != "cluster" || !choice.cluster.empty()) throw;
    throw InputError("hardware", error.value(), error.remedy());  // as the scenario calls it
  }
  options.attention = choice.kernel.empty() ? AttentionCost::for_gpu(options.cluster.gpu)
                                            : AttentionCost::load(choice.kernel);
  if (measured != nullptr) {
    measured->apply_to(options.cluster);
    if (measured->attention) options.attention = *measured->attention;
  }
  take_scenario(scenario, choice.placement, options);
  return options;
}

SimResult simulate(const Scenario& scenario, const SimOptions& options) {
  return simulate(catalog_entry(scenario.schedule), schedule_problem_of(scenario),
                  scenario.backward, options);
}

}  // namespace ringlab

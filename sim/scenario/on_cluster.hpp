// A scenario put on a cluster: what every program that simulates one has to choose, chosen once.
#pragma once

#include <string>

#include "ringlab/reference/scenario/scenario.hpp"
#include "ringlab/sim/cluster/placement.hpp"
#include "ringlab/sim/cost/calibration.hpp"
#include "ringlab/sim/run/simulate.hpp"

namespace ringlab {

/// The machine, by name.
struct MachineChoice {
  /// A preset, a shape as 2x4xh100, or a file. Empty: the scenario's hardware; without that, as
  /// many 8xh100 as hold the ranks.
  std::string cluster = {};
  std::string kernel = {};  // empty: the curve measured on the cluster's part
  Placement placement = Placement::topology;
};

/// The cluster's name that a choice comes to.
std::string cluster_name_of(const MachineChoice& choice, const Scenario& scenario);

/// What of a scenario enters on any machine: its ranks' places on options.cluster, its mask,
/// element size and seed. Throws InputError (field `ranks`) for more ranks than GPUs.
void take_scenario(const Scenario& scenario, Placement placement, SimOptions& options);

/// Cluster, kernel, placement, mask, element size and seed of a scenario on a machine; `measured`
/// replaces figures of cluster and kernel. Throws InputError: `cluster` (or `hardware`, where the
/// scenario names it), `kernel`, `ranks` for more of them than GPUs.
SimOptions options_on(const MachineChoice& choice, const Scenario& scenario,
                      const Calibration* measured = nullptr);

/// Simulates a scenario's schedule. Throws as simulate(entry, problem, ...) does.
SimResult simulate(const Scenario& scenario, const SimOptions& options);

}  // namespace ringlab

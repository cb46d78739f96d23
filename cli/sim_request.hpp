// What `ringlab sim` was asked: a scenario on a cluster, and what may go wrong there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/scenario_flags.hpp"
#include "ringlab/sim/model/model.hpp"
#include "ringlab/sim/scenario/on_cluster.hpp"

namespace ringlab::cli {

struct SimFlags {
  ScenarioFlags scenario;
  std::string cluster, model, kernel, calibration_file, ideal, placement = "topology", lose;
  std::vector<std::string> stragglers, slow_links;
  double jitter = 0;
  void add_to(CLI::App& command);
};

/// All of it, read and checked.
struct SimRequest {
  Scenario scenario;
  std::optional<Model> model;
  Placement placement = Placement::topology;
  std::string calibration;  // where measured figures come from; empty: there are none
  SimOptions options;
};

/// Throws InputError by field: unknown cluster, model or kernel, more ranks than GPUs, ...
SimRequest request_of(const SimFlags& flags);

/// One simulation of the request's scenario.
SimResult simulate(const SimRequest& request);

}  // namespace ringlab::cli

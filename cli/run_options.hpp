// The options of `ringlab run`, and what its parts have in common: the executors of the reference
// (run.cpp) and the CUDA devices (run_device.cpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/scenario_flags.hpp"
#include "ringlab/reference/session/session.hpp"

namespace ringlab::cli {

/// No rank is to die.
inline constexpr int kNobody = -1000000;

struct RunOptions {
  ScenarioFlags flags;
  std::string transport = "threads", verify, trace_file, metrics_file, save_folder;
  double timeout_seconds = 30;
  std::optional<double> tolerance;
  int delay_microseconds = 0;
  int die_rank = kNobody, die_hop = 0;
  bool json = false;
  std::string fault;  // empty: none is planted; "list": all are shown

  std::string device = "cpu";
  bool wire16 = false;
  double link_gigabytes = 0;  // a second; 0: as fast as the device copies
  unsigned long long stream_seed = 0;
  std::string gpu_order;

  bool on_device() const { return device != "cpu"; }
  /// What a report calls the place of the run: "threads", "mpi", "cuda_single", ...
  const std::string& where() const { return on_device() ? device : transport; }
};

/// Holds the outputs of all ranks against the judge, writes what was asked for, prints the report;
/// the exit code.
int report_run(const Session& session, const RunOptions& options,
               std::vector<AttentionOutput<float>> outputs);

void add_device_options(CLI::App& command, RunOptions& options);
/// Runs on options.device, which is not "cpu"; the exit code.
int run_on_device(const RunOptions& options, Scenario scenario,
                  const std::vector<std::string>& given);
/// The session of a scenario, with the fault that was asked for planted into its plan.
Session open_run(Scenario scenario, const RunOptions& options,
                 const std::vector<std::string>& given);

/// Throws InputError for what the CPU executor does not do: 16-bit inputs, a 16-bit wire.
void refuse_device_options(const RunOptions& options, const Scenario& scenario);

}  // namespace ringlab::cli

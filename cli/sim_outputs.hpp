// What a simulated run leaves behind: trace, CSV, pictures, metrics, Chakra traces.
#pragma once

#include <string>

#include "cli/sim_request.hpp"

namespace ringlab::cli {

struct SimOutputs {
  std::string trace_file, csv_file, plot_file, plot_of = "timeline", metrics_file, chakra_folder;
  void add_to(CLI::App& command);
  /// True if something wants the events of the run.
  bool need_trace() const;
};

/// Refuses what cannot be written before anything is simulated. Throws InputError.
void check(const SimOutputs& outputs, const SimRequest& request);

/// Writes all that was asked for.
void write(const SimOutputs& outputs, const SimRequest& request, const SimResult& result);

}  // namespace ringlab::cli

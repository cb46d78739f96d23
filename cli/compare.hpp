// `ringlab schedule compare`: all families of sequence parallelism on one problem, side by side.
#pragma once

#include <string>

#include "ringlab/reference/scenario/scenario.hpp"

namespace ringlab::cli {

/// Prints the table (or JSON) for the scenario's problem, forward or backward; the exit code.
int compare_schedules(const Scenario& scenario, bool json);

/// The names of the catalog, for help texts.
std::string schedule_names();

}  // namespace ringlab::cli

// `ringlab sim --compare`: families and layouts side by side on one cluster.
#pragma once

#include "cli/sim_request.hpp"

namespace ringlab::cli {

/// Prints the table (or JSON), fastest first, those ruled out last; the exit code.
int compare_simulated(const SimRequest& request, bool json);

}  // namespace ringlab::cli

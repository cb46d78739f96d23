// A simulated run as a person reads it, and the algebra behind it.
#pragma once

#include <string>

#include "cli/sim_request.hpp"

namespace ringlab::cli {

/// Four digits and a unit: "209.5 us", "4.132 ms".
std::string time_text(double seconds);

/// What was simulated, on what.
void print_heading(const SimRequest& request);
/// Total, ranks, links, memory and lower bounds.
void print_result(const SimRequest& request, const SimResult& result);
/// When a hop hides, which layout sends less, and what the closed form says, with the numbers
/// filled in.
void print_algebra(const SimRequest& request, const SimResult& result);

}  // namespace ringlab::cli

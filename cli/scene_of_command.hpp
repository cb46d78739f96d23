// A command line that a text shows, as a scene of the visualiser.
#pragma once

#include <optional>
#include <string>

#include "ringlab/viz/model/state.hpp"

namespace ringlab::cli {

/// The scene of "ringlab run ...", "ringlab schedule NAME ..." or "ringlab viz ...", with or
/// without
/// "$ ringlab" before it. Empty for everything that is not a scenario alone: other commands, files,
/// pipes, planted faults, flags that do not work.
std::optional<viz::SharedState> scene_of_command(const std::string& command);

}  // namespace ringlab::cli

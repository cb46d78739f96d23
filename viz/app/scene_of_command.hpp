// A command that a text shows, as a scene. Who starts the visualiser knows the commands; it does
// not.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ringlab/viz/model/state.hpp"

namespace ringlab::viz {

/// The scene of a command line ("$ ringlab run --ranks 4 ..."), if it has one.
using SceneOfCommand = std::function<std::optional<SharedState>(const std::string& command)>;

}  // namespace ringlab::viz

// The data files that the simulator carries: gpus, clusters, models, kernels, published.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringlab/reference/core/embedded.hpp"

namespace ringlab {

/// Names in one folder, without folder and extension, sorted: data_names("gpus") -> "a100-40", ...
std::vector<std::string> data_names(std::string_view folder);

/// The text of FOLDER/NAME.json. Throws InputError (field `what`, with all names) for a name that
/// is not there.
std::string_view data_text(std::string_view folder, std::string_view name, std::string_view what);

namespace sim_data {
/// All of them, by path.
std::span<const EmbeddedFile> embedded_files();
}  // namespace sim_data

}  // namespace ringlab

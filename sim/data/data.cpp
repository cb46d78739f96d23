#include "ringlab/sim/data/data.hpp"

#include <algorithm>
#include <filesystem>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {

std::vector<std::string> data_names(std::string_view folder) {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : sim_data::embedded_files()) {
    const std::filesystem::path path(file.name);
    if (path.parent_path() == folder) names.push_back(path.stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string_view data_text(std::string_view folder, std::string_view name, std::string_view what) {
  for (const EmbeddedFile& file : sim_data::embedded_files()) {
    const std::filesystem::path path(file.name);
    if (path.parent_path() == folder && path.stem() == name) return file.text;
  }
  std::string known;
  for (const std::string& one : data_names(folder)) known += (known.empty() ? "" : ", ") + one;
  throw InputError(std::string(what), std::string(name), "give a file, or one of: " + known);
}

}  // namespace ringlab

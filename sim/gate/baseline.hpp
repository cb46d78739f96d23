// What was measured when all was well: the figures that drift is counted from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringlab {

struct Baseline {
  struct Entry {
    std::string metric, in;
    double value = 0;
    bool operator==(const Entry&) const = default;
  };
  std::string name;  // of the targets that it was stored for
  std::vector<Entry> entries;

  std::optional<double> find(const std::string& metric, const std::string& in) const;
  bool operator==(const Baseline&) const = default;
};

/// Reads a baseline; throws InputError for what is none, and for values that are not finite.
Baseline parse_baseline(std::string_view text, const std::string& source);
Baseline load_baseline(const std::filesystem::path& file);

/// JSON that parse_baseline reads back, every value to the last bit.
std::string to_json(const Baseline& baseline);

}  // namespace ringlab

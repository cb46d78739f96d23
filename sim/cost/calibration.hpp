// Measured figures that replace those of the data files: what a bench run on the real machine
// writes, and what every simulation can take.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "ringlab/sim/cluster/cluster.hpp"
#include "ringlab/sim/cost/attention_cost.hpp"

namespace ringlab {

struct Calibration {
  std::optional<double> reached_flops_per_second, memory_bytes_per_second;
  std::optional<LinkSpec> host;
  std::map<std::string, LinkSpec> links;   // by the name of the level
  std::optional<AttentionCost> attention;  // a kernel's curve by tile size
  std::string source;

  /// Puts the figures in the place of the cluster's own. Throws InputError (field `links.NAME`) for
  /// a level that the cluster does not have.
  void apply_to(Cluster& cluster) const;
};

/// From a JSON file. Throws InputError by field: unknown ones, values out of range.
Calibration load_calibration(const std::string& file);
Calibration parse_calibration(const std::string& json_text, const std::string& source);

}  // namespace ringlab

// Targets as they were written before a roll-out, and what was measured.
#pragma once

#include <optional>

#include "exercise.hpp"

struct Target {
  /// Bounds on every measured value; one of them, both, or none.
  std::optional<double> at_most, at_least;
  /// The second goal: the largest change against the baseline, in percent of the baseline.
  std::optional<double> drift_percent;
  std::optional<double> baseline;  // what was measured when all was well, if anything was
  /// One value from each result. Empty: not measured. A NaN is what a broken run reports.
  std::vector<double> measured;
};

struct Decision {
  bool go = false;
  long long close_first = -1;  // the target to see to first; -1 with `go`
};

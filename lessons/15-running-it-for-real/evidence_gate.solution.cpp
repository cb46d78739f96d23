#include "evidence_gate.hpp"

// How far on the wrong side of a bound that is not to be passed from below.
static double excess(double value, double bound) {
  if (std::isnan(value)) return INFINITY;
  if (value == bound) return 0;
  if (bound == 0) return value > 0 ? INFINITY : -INFINITY;
  return (value - bound) / std::fabs(bound);
}

// How far it has drifted, in percent. One bound says which way is worse; without that any way is.
static double drift(const Target& t, double value) {
  if (std::isnan(value)) return INFINITY;
  double change = value - *t.baseline;
  if (t.at_least && !t.at_most) change = -change;
  if (t.at_least.has_value() == t.at_most.has_value()) change = std::fabs(change);
  if (change == 0) return 0;
  return *t.baseline == 0 ? std::copysign(INFINITY, change) : 100 * change / std::fabs(*t.baseline);
}

Decision decide(const std::vector<Target>& targets) {
  long long missed = -1, unmeasured = -1;
  double largest = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Target& t = targets[i];
    double miss = -INFINITY;  // of the worst value
    for (const double value : t.measured) {
      if (t.at_most) miss = std::fmax(miss, excess(value, *t.at_most));
      if (t.at_least) miss = std::fmax(miss, excess(-value, -*t.at_least));
      if (t.drift_percent && t.baseline) {
        miss = std::fmax(miss, excess(drift(t, value), *t.drift_percent));
      }
    }
    const bool known = !t.measured.empty() && (!t.drift_percent || t.baseline);
    if (!known && unmeasured < 0) unmeasured = static_cast<long long>(i);
    if (miss > largest) {
      largest = miss;
      missed = static_cast<long long>(i);
    }
  }
  const long long first = missed >= 0 ? missed : unmeasured;
  return {first < 0, first};
}

// Figures as OpenMetrics text, which Prometheus and its relatives scrape.
//
// OpenMetrics 1.0, section "Text format": a family is announced by TYPE, UNIT and HELP, its samples
// follow it without a gap, and the last line is "# EOF". Units are the base units: seconds, bytes,
// ratio.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ringlab {

enum class MetricType { gauge, counter, info };

using MetricLabels = std::vector<std::pair<std::string, std::string>>;

struct MetricSample {
  MetricLabels labels;
  double value = 0;  // NaN and infinities are written as such; of a counter they are refused
};

struct MetricFamily {
  std::string name;  // with its unit at the end, without _total or _info: "ringlab_run_seconds"
  MetricType type = MetricType::gauge;
  std::string unit;  // "seconds", "bytes", "ratio", or ""
  std::string help;
  std::vector<MetricSample> samples;
};

/// The whole exposition, "# EOF" included; families in their order. Throws InvariantError for a
/// name, label or value that the format does not allow, and for two samples with the same labels.
std::string open_metrics_text(const std::vector<MetricFamily>& families);

}  // namespace ringlab

// What a trace says, as OpenMetrics families: per rank the busy time of each lane, what of the
// transfer was hidden and exposed, bytes and FLOPs.
#pragma once

#include <string>
#include <vector>

#include "ringlab/reference/trace/trace.hpp"
#include "ringlab/sim/report/open_metrics.hpp"

namespace ringlab {

/// Families named PREFIX_duration_seconds, PREFIX_lane_busy_seconds{rank,lane},
/// PREFIX_transfer_hidden_seconds{rank}, PREFIX_transfer_exposed_seconds{rank},
/// PREFIX_transfer_hidden_ratio, PREFIX_sent_bytes{rank}, PREFIX_flops{rank}. Without events the
/// duration and the ratio are left out: nothing was measured.
std::vector<MetricFamily> trace_metrics(const std::string& prefix, const Trace& trace);

}  // namespace ringlab

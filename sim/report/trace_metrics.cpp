#include "ringlab/sim/report/trace_metrics.hpp"

#include <algorithm>
#include <map>

#include "ringlab/reference/trace/overlap.hpp"

namespace ringlab {
namespace {

double seconds(std::int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * 1e-9;
}

MetricLabels of_rank(int rank) {
  return {{"rank", std::to_string(rank)}};
}

}  // namespace

std::vector<MetricFamily> trace_metrics(const std::string& prefix, const Trace& trace) {
  using enum MetricType;
  MetricFamily duration{prefix + "_duration_seconds",
                        gauge,
                        "seconds",
                        "From the first event to the end of the last.",
                        {}};
  MetricFamily busy{prefix + "_lane_busy_seconds",
                    gauge,
                    "seconds",
                    "Time in which a rank's lane has at least one event.",
                    {}};
  MetricFamily hidden{prefix + "_transfer_hidden_seconds",
                      gauge,
                      "seconds",
                      "Transfer time of a rank under its own computation.",
                      {}};
  MetricFamily exposed{prefix + "_transfer_exposed_seconds",
                       gauge,
                       "seconds",
                       "Transfer time of a rank beside its own computation.",
                       {}};
  MetricFamily share{prefix + "_transfer_hidden_ratio",
                     gauge,
                     "ratio",
                     "Hidden part of all transfer time; 1 if there was none to hide.",
                     {}};
  MetricFamily sent{prefix + "_sent_bytes", gauge, "bytes", "Bytes that a rank has sent.", {}};
  MetricFamily flops{prefix + "_flops",
                     gauge,
                     "",
                     "Floating-point operations of visible pairs that a rank has computed.",
                     {}};

  for (const auto& [key, nanoseconds] : busy_nanoseconds(trace)) {
    busy.samples.push_back(
        {{{"rank", std::to_string(key.first)}, {"lane", name(key.second)}}, seconds(nanoseconds)});
  }
  std::map<int, double> bytes, operations;
  std::int64_t first = INT64_MAX, last = INT64_MIN, transfer = 0, under = 0;
  for (const TraceEvent& event : trace.events) {
    first = std::min(first, event.start_nanoseconds);
    last = std::max(last, event.end_nanoseconds);
    bytes[event.rank] += event.lane == Lane::send ? static_cast<double>(event.bytes) : 0;
    operations[event.rank] += event.flops;
  }
  for (const Overlap& o : overlap_by_rank(trace)) {
    hidden.samples.push_back({of_rank(o.rank), seconds(o.hidden_nanoseconds)});
    exposed.samples.push_back({of_rank(o.rank), seconds(o.exposed_nanoseconds)});
    transfer += o.transfer_nanoseconds;
    under += o.hidden_nanoseconds;
  }
  for (const auto& [rank, value] : bytes) sent.samples.push_back({of_rank(rank), value});
  for (const auto& [rank, value] : operations) flops.samples.push_back({of_rank(rank), value});
  if (!trace.events.empty()) {
    duration.samples.push_back({{}, seconds(last - first)});
    share.samples.push_back(
        {{}, transfer > 0 ? static_cast<double>(under) / static_cast<double>(transfer) : 1.0});
  }
  return {duration, busy, hidden, exposed, share, sent, flops};
}

}  // namespace ringlab

#include "ringlab/reference/trace/overlap.hpp"

#include <algorithm>

namespace ringlab {
namespace {

struct Interval {
  std::int64_t start, end;
};
using Intervals = std::vector<Interval>;

// The same points in time as disjoint intervals in order.
Intervals united(Intervals parts) {
  std::sort(parts.begin(), parts.end(),
            [](const Interval& a, const Interval& b) { return a.start < b.start; });
  Intervals out;
  for (const Interval& part : parts) {
    if (!out.empty() && part.start <= out.back().end) {
      out.back().end = std::max(out.back().end, part.end);
    } else {
      out.push_back(part);
    }
  }
  return out;
}

std::int64_t length(const Intervals& disjoint) {
  std::int64_t total = 0;
  for (const Interval& part : disjoint) total += part.end - part.start;
  return total;
}

std::int64_t common_length(const Intervals& a, const Intervals& b) {
  std::int64_t total = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    total +=
        std::max<std::int64_t>(0, std::min(a[i].end, b[j].end) - std::max(a[i].start, b[j].start));
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return total;
}

}  // namespace

std::map<std::pair<int, Lane>, std::int64_t> busy_nanoseconds(const Trace& trace) {
  std::map<std::pair<int, Lane>, Intervals> parts;
  for (const TraceEvent& e : trace.events) {
    parts[{e.rank, e.lane}].push_back({e.start_nanoseconds, e.end_nanoseconds});
  }
  std::map<std::pair<int, Lane>, std::int64_t> out;
  for (auto& [key, list] : parts) out[key] = length(united(std::move(list)));
  return out;
}

double Overlap::hidden_fraction() const {
  if (transfer_nanoseconds == 0) return 1;
  return static_cast<double>(hidden_nanoseconds) / static_cast<double>(transfer_nanoseconds);
}

std::vector<Overlap> overlap_by_rank(const Trace& trace) {
  std::map<int, std::pair<Intervals, Intervals>> ranks;  // computation, transfer
  for (const TraceEvent& e : trace.events) {
    auto& [compute, transfer] = ranks[e.rank];
    (e.lane == Lane::compute ? compute : transfer)
        .push_back({e.start_nanoseconds, e.end_nanoseconds});
  }
  std::vector<Overlap> out;
  for (auto& [rank, parts] : ranks) {
    const Intervals compute = united(std::move(parts.first));
    const Intervals transfer = united(std::move(parts.second));
    Overlap o{rank, length(compute), length(transfer), common_length(compute, transfer), 0};
    o.exposed_nanoseconds = o.transfer_nanoseconds - o.hidden_nanoseconds;
    out.push_back(o);
  }
  return out;
}

}  // namespace ringlab

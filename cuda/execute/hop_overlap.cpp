#include "ringlab/cuda/execute/hop_overlap.hpp"

#include <map>

#include "ringlab/reference/trace/overlap.hpp"

namespace ringlab::cuda {

double HopOverlap::hidden_fraction() const {
  if (transfer_nanoseconds == 0) return 1;
  return static_cast<double>(hidden_nanoseconds) / static_cast<double>(transfer_nanoseconds);
}

std::vector<HopOverlap> overlap_by_hop(const std::vector<TraceEvent>& events) {
  std::map<int, Trace> moves_of_hop;
  std::vector<TraceEvent> computed;
  for (const TraceEvent& event : events) {
    if (event.lane == Lane::compute) {
      computed.push_back(event);
    } else {
      moves_of_hop[event.hop].events.push_back(event);
    }
  }
  std::vector<HopOverlap> overlaps;
  for (auto& [hop, trace] : moves_of_hop) {
    trace.events.insert(trace.events.end(), computed.begin(), computed.end());
    HopOverlap sum{hop};
    for (const Overlap& rank : overlap_by_rank(trace)) {
      sum.transfer_nanoseconds += rank.transfer_nanoseconds;
      sum.hidden_nanoseconds += rank.hidden_nanoseconds;
    }
    overlaps.push_back(sum);
  }
  return overlaps;
}

}  // namespace ringlab::cuda

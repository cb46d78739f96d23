// How much of each hop's transfer lay under computation: where a ring leaks time.
#pragma once

#include <cstdint>
#include <vector>

#include "ringlab/reference/trace/trace.hpp"

namespace ringlab::cuda {

/// Of all ranks together.
struct HopOverlap {
  int hop = 0;
  std::int64_t transfer_nanoseconds = 0, hidden_nanoseconds = 0;
  /// 1 if there was nothing to hide.
  double hidden_fraction() const;
};

/// One entry for each hop that moves something, in order. A rank's transfers of a hop count while
/// any of them is on the wire, and are hidden while the rank computes anything.
std::vector<HopOverlap> overlap_by_hop(const std::vector<TraceEvent>& events);

}  // namespace ringlab::cuda

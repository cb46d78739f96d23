// What a trace says about hiding: how much of a rank's transfer time lies under its own
// computation.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ringlab/reference/trace/trace.hpp"

namespace ringlab {

/// Time during which a lane has at least one event, by (rank, lane); events that overlap count
/// once.
std::map<std::pair<int, Lane>, std::int64_t> busy_nanoseconds(const Trace& trace);

/// One rank's times. A transfer is a time in which the rank sends, receives or both.
struct Overlap {
  int rank = 0;
  std::int64_t compute_nanoseconds = 0;
  std::int64_t transfer_nanoseconds = 0;
  std::int64_t hidden_nanoseconds = 0;   // transfer under computation
  std::int64_t exposed_nanoseconds = 0;  // the rest of the transfer
  bool operator==(const Overlap&) const = default;

  /// Hidden part of the transfer, 0 to 1; 1 if there was none to hide.
  double hidden_fraction() const;
};

/// One entry per rank that has events, by rank.
std::vector<Overlap> overlap_by_rank(const Trace& trace);

}  // namespace ringlab

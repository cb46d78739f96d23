// A trace as a picture: one row a rank, its computation above its transfers, and what of these is
// not hidden in a colour of its own.
#pragma once

#include <string>

#include "ringlab/reference/trace/trace.hpp"

namespace ringlab {

struct TimelinePlot {
  std::string title, subtitle;
  int most_ranks = 64;  // of more, so many are drawn, evenly spread, and the picture says so
};

/// SVG, 900 pixels wide. The same trace gives the same text.
std::string timeline_svg(const Trace& trace, const TimelinePlot& plot);

}  // namespace ringlab

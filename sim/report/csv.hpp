// A trace as comma-separated values, for spreadsheets and data frames.
#pragma once

#include <string>

#include "ringlab/reference/trace/trace.hpp"

namespace ringlab {

/// RFC 4180 with \n between lines:
/// rank,lane,name,start_nanoseconds,end_nanoseconds,hop,bytes,flops, one event a line in the
/// trace's order.
std::string to_csv(const Trace& trace);

}  // namespace ringlab

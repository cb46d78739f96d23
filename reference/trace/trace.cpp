#include "ringlab/reference/trace/trace.hpp"

#include <algorithm>
#include <tuple>

namespace ringlab {

const char* name(Lane lane) {
  switch (lane) {
    case Lane::compute:
      return "compute";
    case Lane::send:
      return "send";
    case Lane::receive:
      return "receive";
  }
  return "?";
}

void sort_events(Trace& trace) {
  const auto key = [](const TraceEvent& e) {
    return std::tuple(e.start_nanoseconds, e.rank, e.lane, e.end_nanoseconds);
  };
  std::stable_sort(trace.events.begin(), trace.events.end(),
                   [&](const TraceEvent& a, const TraceEvent& b) { return key(a) < key(b); });
}

}  // namespace ringlab

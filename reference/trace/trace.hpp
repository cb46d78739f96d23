// What happened when: one record type for every executor, real or simulated.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ringlab {

enum class Lane { compute, send, receive };

const char* name(Lane lane);

struct TraceEvent {
  int rank = 0;
  Lane lane = Lane::compute;
  std::string name;  // what a person reads on the bar: "attend q3 x kv1"
  std::int64_t start_nanoseconds = 0;
  std::int64_t end_nanoseconds = 0;
  int hop = 0;
  std::int64_t bytes = 0;  // moved; 0 on the compute lane
  double flops = 0;        // of visible pairs; 0 on the other lanes
  bool operator==(const TraceEvent&) const = default;
};

struct Trace {
  std::vector<TraceEvent> events;               // ordered by (start, rank, lane)
  std::map<std::string, std::string> metadata;  // scenario, transport, clock, ...
  bool operator==(const Trace&) const = default;
};

/// Brings events into the order that Trace promises.
void sort_events(Trace& trace);

}  // namespace ringlab

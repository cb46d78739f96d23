// The discrete-event core: runs a workload until nothing can happen any more.
//
// Deterministic: events are ordered by time and then by what they are. On a queueing link a message
// gets its time when it asks: first asked, first served, and all links of a path that is cut
// through are taken for the same time. On a sharing link times change whenever a message comes or
// goes. Nothing is thrown for a workload that gets stuck: the outcome says who waits for whom.
#pragma once

#include <string>

#include "ringlab/sim/engine/workload.hpp"

namespace ringlab::engine {

struct Options {
  bool queueing = true;     // false: links serve any number at once, for a lower bound
  bool keep_times = false;  // of every operation and message
};

/// One rank's times.
struct RankTimes {
  Picoseconds compute = 0;   // its lane is busy
  Picoseconds transfer = 0;  // a message of its own is on the way out, in, or both
  Picoseconds hidden = 0;    // of that, under its computation
  Picoseconds finish = 0;
};

struct LinkTimes {
  std::int64_t messages = 0, bytes = 0;
  Picoseconds busy = 0;
  Picoseconds queued = 0, most_queued = 0;  // of messages that waited for this link last
};

struct Span {
  Picoseconds start = kNever, end = kNever;
};

/// Times of a message at its two ends: the receiver sees it later by the latency.
struct MessageTimes {
  Span send, receive;
};

/// A rank that has not come to its end.
struct Blocked {
  Id rank = kNone;
  Id group = kNone;    // what it waits for
  Id message = kNone;  // the message that holds that up
  bool sending = false;
  Id peer = kNone;    // the rank at the message's other end
  bool lost = false;  // it is on a lost link
  Picoseconds since = 0;
};

struct Outcome {
  Picoseconds total = 0;
  std::vector<RankTimes> ranks;
  std::vector<LinkTimes> links;
  std::int64_t events = 0;
  std::vector<Blocked> blocked;  // empty: everything came to its end
  std::vector<Id> lost;          // messages that met a lost link, in the order of their start
  bool too_long = false;         // it stopped at kLatestTime
  std::vector<Span> op_times;    // if kept
  std::vector<MessageTimes> message_times;
};

Outcome run(const Workload& workload, const Options& options = {});

/// A cycle of ranks each of which waits for the next, if there is one: indices into `blocked`.
std::vector<std::size_t> waiting_cycle(const std::vector<Blocked>& blocked);

}  // namespace ringlab::engine

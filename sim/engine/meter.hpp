// How much of a rank's transfer lies under its own computation, summed while the run goes on.
//
// Time is cut into windows in which the rank computes all the time or not at all. What is known of
// its transfers when a window closes is all that there will be of them before its end: a message
// never starts in the past.
#pragma once

#include <vector>

#include "ringlab/sim/engine/workload.hpp"

namespace ringlab::engine {

class Meter {
 public:
  /// A transfer; `end` may be kNever until close() tells it.
  void open(Picoseconds start, Picoseconds end, Id message) {
    spans_.push_back({start, end, message});
  }
  void close(Id message, Picoseconds end);
  /// Ends the window at `now`.
  void flush(Picoseconds now, bool computing);

  Picoseconds transfer() const { return transfer_; }
  Picoseconds hidden() const { return hidden_; }

 private:
  struct Span {
    Picoseconds start, end;
    Id message;
  };
  std::vector<Span> spans_;  // by start, once flushed
  Picoseconds flushed_ = 0, transfer_ = 0, hidden_ = 0;
};

}  // namespace ringlab::engine

#include <chrono>

#include "ringlab/reference/transport/communicator.hpp"

namespace ringlab {

// steady_clock is CLOCK_MONOTONIC here: one clock for all processes of a machine.
std::int64_t now_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace ringlab

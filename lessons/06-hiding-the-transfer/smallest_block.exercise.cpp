// The smallest block whose computation takes as long as its transfer.
#include "exercise.hpp"

struct Machine {
  double flops_per_second, bytes_per_second, latency_seconds;
};

// Whole tokens a rank, rounded up. `bytes` is the size of a number on the wire. Causal: the layout
// is balanced, so half of every tile is visible.
double smallest_block(Machine machine, Heads heads, double bytes, bool causal) {
  // About four lines. latency_seconds is 0 in the judged cases.
  (void)machine;
  (void)heads;
  (void)bytes;
  (void)causal;
  return 0;
}

// How long the attention of one layer takes over a context group: in closed form for the search,
// and by running the very schedule in simulated time.
//
// The closed form of a ring is that of arXiv 2310.01889, section 3: of each hop the longer of the
// tile and the next block's transfer. An exchange or a gather hides nothing.
#pragma once

#include "ringlab/sim/layer/machine.hpp"
#include "ringlab/sim/memory/attention_buffers.hpp"

namespace ringlab {

struct AttentionProblem {
  AttentionShape shape;  // one rank; heads of all sequences of the micro batch together
  double pairs = 0;      // visible, of one head, whole sequence
  int window = 0;        // 0: none
  bool causal = true;    // zigzag layout; else every pair is visible
  Family family = Family::ring;
  int context = 1;
  int ulysses = 1;
  bool ulysses_inside = true;
  int stride = 1;  // GPUs between neighbours of the context axis
  bool backward = false;
};

struct AttentionTime {
  double total = 0;
  double compute = 0;  // of the busiest rank
  double exposed() const { return total - compute; }
};

AttentionTime attention_closed_form(const Machine& machine, const AttentionProblem& problem);

/// Runs the schedule hop by hop on the group's GPUs; what other groups take of shared links is
/// taken off the links' bandwidth. Throws InputError for heads that do not divide.
AttentionTime attention_simulated(const Machine& machine, const AttentionProblem& problem);

/// Shortest length of the whole sequence from which on one family beats another, by closed form;
/// 0: from the start, infinity: not up to `most`.
double break_even_tokens(const Machine& machine, AttentionProblem problem, Family better,
                         Family than, double most = 1e9);

}  // namespace ringlab

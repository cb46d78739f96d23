// Why a plan is the best one, what binds it, and what would change the answer.
#pragma once

#include "ringlab/sim/plan/search.hpp"

namespace ringlab {

/// What most of a step's time goes to, in the four words that a planner thinks in.
struct Binding {
  std::string what;  // "compute", "links", "memory traffic", "pipeline bubble", "host link"
  double share = 0;  // of the step
};
Binding binding_of(const StepTime& step);

/// The best layout that differs from the best one in one respect.
struct Alternative {
  std::string how;  // "without a context axis", "tp 4 for 8"
  Parallel parallel;
  double seconds = 0;
  std::string slower_by;  // the share that grows most
};
std::vector<Alternative> alternatives(const PlanResult& result);

/// The same search on the same number of other GPUs.
struct OtherHardware {
  std::string name;
  bool fits = false;
  Parallel parallel;
  double seconds = 0;
};
/// Newer parts than the cluster's own, where it is nodes under rails; empty for other networks.
std::vector<OtherHardware> next_hardware(const PlanRequest& request);

/// Whole-sequence length from which on a ring beats Ulysses on the best layout's context group;
/// unset without one, or where the heads do not divide.
std::optional<double> ring_over_ulysses(const PlanRequest& request, const Parallel& parallel);

}  // namespace ringlab

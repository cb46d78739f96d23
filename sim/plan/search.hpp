// Searches all layouts of a model on a cluster: drops those that do not fit, ranks the others by
// time or cost, and verifies the best by running their attention in simulated time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ringlab/sim/layer/step.hpp"
#include "ringlab/sim/plan/legal.hpp"

namespace ringlab {

enum class Ranking { time, cost };

struct PlanRequest {
  Model model;
  Workload work;
  Cluster cluster;
  std::optional<Calibration> calibration;
  double dollars_per_gpu_hour = 0;  // 0: the cluster's own, if it has one
  Ranking by = Ranking::time;
  Parallel fixed = kAnyLayout;  // axes that are given
  int keep = 10;                // layouts to keep and to verify
};

struct Candidate {
  Parallel parallel;
  Memory memory;
  StepTime step;                    // closed form
  std::optional<double> simulated;  // seconds of the step with simulated attention
  std::string not_simulated;        // why not
  double dollars = 0;               // of the step
};

struct PlanResult {
  int layouts = 0, fitting = 0;
  std::map<std::string, int> too_large;  // by the largest part of what does not fit
  /// One of each set of axes and family, best first.
  std::vector<Candidate> best;
  std::optional<Candidate> smallest;  // needs least memory, of those that do not fit
};

/// Throws InputError: field `layout` for axes that do not multiply up to the GPUs or that no layout
/// can have, `tokens` and `batch` beyond what can be counted.
PlanResult search(const PlanRequest& request);

/// Simulates the attention of the best layouts, those within a budget of pairs of pieces that all
/// runs together look at (about half a microsecond each).
void verify(const PlanRequest& request, PlanResult& result, double most_pieces = 5e6);

/// True if some layout fits; the least memory of a rank otherwise needed, by the way.
bool some_layout_fits(const PlanRequest& request, Candidate* smallest = nullptr);

/// The longest sequence that fits, a multiple of 1024 (0: none), up to 2^33.
Index longest_tokens(PlanRequest request);

/// The fewest GPUs that fit, doubling from one, in nodes like the cluster's; 0: none up to `most`.
int fewest_gpus(PlanRequest request, int most = 1 << 16);

/// What a step costs, from the request's price or the cluster's; 0 if neither is known.
double dollars_of(const PlanRequest& request, const Parallel& parallel, double seconds);

}  // namespace ringlab

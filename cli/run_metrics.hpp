// The figures of a real run as OpenMetrics text, for `ringlab run --metrics FILE`.
#pragma once

#include <string>
#include <vector>

#include "ringlab/reference/session/session.hpp"
#include "ringlab/reference/trace/trace.hpp"

namespace ringlab::cli {

struct RunFigures {
  const Session& session;
  const std::string& where;  // "threads", "mpi", "cuda_single", ...
  const Verification& verification;
  bool exact;
  double tolerance;
  const std::vector<RunCounts>& counts;  // by rank, forward and backward together
  const Trace& trace;
};

/// Families ringlab_run_*, "# EOF" included. What was not verified has no error and no verdict.
std::string run_metrics(const RunFigures& run);

}  // namespace ringlab::cli

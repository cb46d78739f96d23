// A scenario made ready to run: rule, layouts, schedules and inputs, and the judgement of a result.
#pragma once

#include "ringlab/reference/execute/attention.hpp"
#include "ringlab/reference/schedule/builder.hpp"
#include "ringlab/reference/session/inputs.hpp"

namespace ringlab {

struct Session {
  Scenario scenario;
  std::shared_ptr<const Inputs> inputs;
  Positions keys, queries;  // of the whole sequence
  AttentionPlan plan;

  /// The shard of a rank, rounded to T.
  template <class T>
  AttentionInput<T> shard(int rank) const;
};

/// Opens the inputs and builds the schedules. `given` as for open_inputs. Throws InputError.
Session open_session(Scenario scenario, const std::vector<std::string>& given = {});

/// The layouts and heads of a scenario as a builder wants them.
ScheduleProblem schedule_problem_of(const Scenario& scenario);

/// The scenario's schedule, of the direction that `backward` says. Throws InputError.
Schedule schedule_of(const Scenario& scenario);

/// How far a result is from full attention in float64. NaN and infinities must stand in the same
/// places, else both figures are infinite.
struct Difference {
  double max_abs_error = 0;
  double rel_frobenius_error = 0;
  Index rows = 0;  // rows compared
};

struct Verification {
  std::string verified = "none";  // "full", "rows=256", "none"
  Difference out;
  std::optional<Difference> query_gradient, key_gradient, value_gradient;
};

/// Which rows to verify: all, so many spread evenly over the sequence, or none.
struct VerifyMode {
  enum Kind { full, rows, none } kind = full;
  Index count = 0;
};

/// Holds the outputs of all ranks against full attention on float64 copies of the same (rounded)
/// inputs. With `rows`, that many query rows (and rows of dK, dV) are computed in full.
template <class T>
Verification verify(const Session& session, const std::vector<AttentionOutput<T>>& outputs,
                    VerifyMode mode);

/// A tensor of all queries (or keys) in the order of their positions, from the shards of all ranks.
template <class T>
Tensor<T> whole(const Session& session, const std::vector<Tensor<T>>& shards, bool of_queries);

}  // namespace ringlab

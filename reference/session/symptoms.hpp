// What is wrong with a result, as far as it can be told from the outside: which rows, of which
// ranks, output or log-sum-exp, which gradients. The first question of every hunt for a mistake.
#pragma once

#include "ringlab/reference/session/session.hpp"

namespace ringlab {

struct RankSymptoms {
  Index rows = 0;        // queries of the rank
  Index wrong_rows = 0;  // ... whose output is wrong in some head
};

struct Symptoms {
  std::vector<RankSymptoms> ranks;
  std::vector<Index> wrong_positions;  // of the queries, ascending
  /// Relative Frobenius errors; infinite where NaN or infinities stand in the wrong places.
  double out_error = 0;
  std::optional<double> query_gradient_error, key_gradient_error, value_gradient_error;
  /// Largest difference of a row's log-sum-exp; infinite as above.
  double lse_error = 0;
};

/// Holds every row against full attention in float64. A row is wrong if it differs by more than
/// `row_tolerance` times the root mean square of the right rows. Costs as much as a full
/// verification.
template <class T>
Symptoms symptoms(const Session& session, const std::vector<AttentionOutput<T>>& outputs,
                  double row_tolerance);

}  // namespace ringlab

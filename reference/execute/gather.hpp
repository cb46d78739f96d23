// Brings the outputs of ranks that are processes together on rank 0, over the ring's own transport.
#pragma once

#include <optional>

#include "ringlab/reference/execute/attention.hpp"

namespace ringlab {

/// Every rank's output on rank 0, in the order of ranks; nothing on the others. Called by all
/// ranks.
template <class T>
std::optional<std::vector<AttentionOutput<T>>> gather_outputs(const AttentionPlan& plan,
                                                              AttentionOutput<T> own,
                                                              Communicator& communicator);

}  // namespace ringlab

// Runs a session's ranks over the transport that was asked for and brings the outputs together.
#pragma once

#include <optional>

#include "ringlab/reference/session/session.hpp"

namespace ringlab::cli {

/// All ranks as threads; every output.
template <class T>
std::vector<AttentionOutput<T>> run_over_threads(const Session& session,
                                                 const TransportOptions& transport,
                                                 const TileObserver& observer);

/// This process is one rank. Rank 0 gets every output, the others nothing.
template <class T>
std::optional<std::vector<AttentionOutput<T>>> run_as_rank(const Session& session,
                                                           Communicator& communicator,
                                                           const TileObserver& observer);

}  // namespace ringlab::cli

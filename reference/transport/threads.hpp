// Ranks as threads of one process.
//
// A world owns the mail of all its ranks and two wire threads that move the bytes, so a transfer
// goes on while its rank computes. As it sees every rank it can also tell a deadlock at once: when
// a rank begins to wait and the chain "waits for" leads back to it, the run ends with that circle.
#pragma once

#include <functional>
#include <memory>

#include "ringlab/reference/transport/communicator.hpp"

namespace ringlab {

namespace detail {
class ThreadMail;
}

class ThreadWorld {
 public:
  /// Throws InputError (field `ranks`) unless 1 <= ranks <= 1024.
  explicit ThreadWorld(int ranks, TransportOptions options = {});

  int size() const;
  /// The end of one rank; once per rank. It may outlive the world object, and it is used by one
  /// thread at a time. Its destruction is the end of that rank: who still waits for it gets a
  /// RunError "rank 1 has ended". The destructor waits for moves that are on the wire.
  std::unique_ptr<Communicator> communicator(int rank);

 private:
  std::shared_ptr<detail::ThreadMail> mail_;
};

/// Runs `body` on `ranks` threads and returns when all have ended. If one throws, the run is ended
/// for all with its text, and the first exception is thrown again here. Memory that a rank has
/// posted must outlive the exception that ends it: make it outside of `body`, or abort before it
/// goes.
void run_ranks(int ranks, const TransportOptions& options,
               const std::function<void(Communicator&)>& body);

}  // namespace ringlab

// Ranks as processes, over MPI.
//
// One thread of each process owns every MPI call, from init to finalise (so MPI_THREAD_FUNNELED is
// enough, and the library's own locks stay out of the way). It polls, and sleeps between polls when
// nothing moves, so a transfer goes on while its rank computes, and 16 ranks fit on two cores. A
// receiver announces each posted receive to its sender, which begins to send only then: sizes are
// compared and both times are known before a byte moves. See detail/mpi_world.hpp.
#pragma once

#include <memory>

#include "ringlab/reference/transport/communicator.hpp"

namespace ringlab {

namespace detail {
class MpiEngine;
}

class MpiSession {
 public:
  enum class LastWords { none, on_sigterm };

  /// Starts MPI; once per process. With `on_sigterm` the process takes SIGTERM, by which mpirun
  /// ends the ranks that are left when one died: one of them writes a line that says who waited for
  /// the dead rank, at which hop, and all end with status 3. Make the session before other threads,
  /// as SIGTERM is blocked in all of them but MPI's.
  explicit MpiSession(LastWords last_words = LastWords::none);
  /// Finalises MPI, unless the run has failed: then the peers may be gone, and the process just
  /// ends (with a status other than 0, or mpirun complains).
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  int rank() const;
  int size() const;

  /// A new world of all ranks, called by all of them together; may be called again, also after a
  /// world has failed. Throws RunError if the others do not come within the timeout. Timings are on
  /// the clock of the rank's own machine: over several machines a trace's ranks do not share a
  /// zero. A move without an end for the timeout counts as stuck. The session outlives its worlds.
  std::unique_ptr<Communicator> communicator(TransportOptions options = {});

  /// True for the first rank of this machine that asks, and only for it: who may tell the person
  /// why the run failed, when all ranks know.
  bool first_to_tell();

  /// Ends all processes of the job with `status`, this one included: for a rank that cannot go on
  /// and is not heard otherwise.
  void end_job(int status) noexcept;

 private:
  std::unique_ptr<detail::MpiEngine> engine_;
};

}  // namespace ringlab

// Starting this program again as the ranks of an MPI job, and making one clear end of its many.
//
// Plain `mpirun -np R program` ends with 128 + signal when a rank is killed, whatever the others
// say. A launcher above mpirun can keep the promise of exit code 3 and one line.
#pragma once

#include <string>
#include <vector>

namespace ringlab {

/// True in a process that mpirun (Open MPI, or one that speaks PMI) has started.
bool under_mpirun();

struct LaunchResult {
  int status = 0;  // 0, 1, 2, 3 as in the program's own convention
  std::string
      message;  // one line on why the job failed; empty if its ranks have said it, or nothing
};

/// Runs `mpirun -np ranks` of this very executable with `arguments` (without the program's name)
/// and waits for it; output and errors of the ranks go where this process' go. A status from 0 to 3
/// is passed on; anything else, and a job that did not come up, becomes 3 with a message. Ranks may
/// be more than cores. Needs Open MPI's mpirun in PATH; throws RunError if a process or file cannot
/// be made.
LaunchResult launch_mpi(int ranks, const std::vector<std::string>& arguments);

}  // namespace ringlab

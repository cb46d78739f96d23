// The filter of system calls under which a learner's program runs.
#pragma once

namespace ringlab::exercise {

/// Installs it for this process and all that it becomes. What starts processes, talks to a network,
/// signals others or changes files kills the program (SIGSYS); what reads, computes and takes
/// memory is allowed; anything else fails with EPERM. False where the kernel refuses.
bool install_filter();

}  // namespace ringlab::exercise

// Ranks with a GPU each, over NCCL; nccl.cpp is the only file that includes nccl.h.
//
// Every move is a send or receive in a group of its own stream and communicator, one per channel.
// Collectives of a schedule arrive here as such groups too: an all-to-all is one in NCCL anyway,
// and sums are made where they arrive in the order of the group, so that they have the same bits on
// every run.
//
// A rank is a process, or a thread of one process: each makes its communicator with the same id.
// NCCL is used in its non-blocking mode, so that nothing waits for a dead peer for ever: errors are
// watched, and after a stated time without progress the communicator is aborted.
#pragma once

#include <array>
#include <chrono>
#include <memory>

#include "ringlab/cuda/transport/device_communicator.hpp"

namespace ringlab::cuda {

/// What ranks need to find each other; made by one of them and given to all.
using NcclId = std::array<char, 128>;

struct NcclOptions {
  std::chrono::milliseconds timeout{30000};  // without any progress
  int channels = 1;                          // as many as the schedules use
};

/// True in a build with NCCL.
bool have_nccl();
/// "2.28.9", of the library that is loaded. Throws RunError in a build without NCCL, as do the
/// functions below.
std::string nccl_version();
NcclId make_nccl_id();

/// Called by all ranks together; blocks until they are there. `device` is the GPU of that index.
/// Throws RunError after the timeout, and for what NCCL refuses.
std::unique_ptr<DeviceCommunicator> make_nccl_communicator(Device& device, int device_index,
                                                           int rank, int size, const NcclId& id,
                                                           const NcclOptions& options);

}  // namespace ringlab::cuda

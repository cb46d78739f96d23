// How ranks that are processes find each other: who they are stands in the environment, and one
// short message from rank 0 (the id of the NCCL communicator) goes to all over TCP.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace ringlab::cuda {

struct LaunchPlace {
  int rank = 0, size = 1;
  int local_rank = 0;  // among the ranks of this machine
  std::string master_address = "127.0.0.1";
  int master_port = 29500;
};

/// The place of this process, as torchrun and other launchers tell it (RANK, WORLD_SIZE,
/// LOCAL_RANK, MASTER_ADDR, MASTER_PORT) or Open MPI's mpirun (OMPI_COMM_WORLD_RANK and so on;
/// MASTER_ADDR where there is more than one machine). Under torchrun, which listens at MASTER_PORT
/// itself, the port is the next one. Empty for a process that nobody launched so.
/// Throws InputError that names the variable that is missing or wrong.
std::optional<LaunchPlace> launch_place(
    const std::function<const char*(const char* name)>& environment);
std::optional<LaunchPlace> launch_place();

/// Called by all ranks; gives each the text of rank 0. Throws RunError after the timeout, with the
/// ranks that have not come (on rank 0) or the address that does not answer (on the others).
std::string share_from_first(const LaunchPlace& place, const std::string& text,
                             std::chrono::milliseconds timeout);

}  // namespace ringlab::cuda

// Runs a grid of CUDA threads on the CPU, one fiber per thread, one block at a time per OS thread.
//
// The scheduler picks a warp that can go on, runs each of its threads until it stops at a barrier
// or ends, and opens a barrier when everyone is there: a warp's when its 32 threads are, a block's
// when all are. Nothing runs at the same time within a block, so a run is a function of the
// options: a race shows as a wrong number that the same seed gives again. What the hardware leaves
// open, the options choose: the order of threads, and when an asynchronous copy lands. Next:
// cuda_on_cpu.hpp gives kernels their CUDA names; fiber_switch.hpp is the switch itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace ringlab::on_cpu {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
  bool operator==(const Dim3&) const = default;
};

enum class FiberOrder {
  forward,   // the first warp goes as far as it can, then the second, ...
  backward,  // the last warp first
  shuffled,  // any warp, any lane, as the seed says
};

struct GridOptions {
  std::uint64_t seed = 0;
  FiberOrder fiber_order = FiberOrder::forward;
  int os_threads = 1;  // blocks are spread over so many
};

/// Calls `kernel` once for each thread of the grid. Dynamic shared memory starts as 0xff bytes,
/// which read as NaN. Throws RunError for a barrier that not all threads reach, saying who is
/// where, and whatever a kernel throws.
void run_grid(const GridOptions& options, Dim3 grid, Dim3 block, std::size_t dynamic_smem_bytes,
              const std::function<void()>& kernel);

/// What launches use; for the whole process, also while streams run on other threads.
GridOptions grid_options();
void set_grid_options(const GridOptions& options);

/// The CUDA thread that is running, as kernels see it.
struct ThreadPlace {
  Dim3 thread, block, block_size, grid_size;
  unsigned char* dynamic_smem = nullptr;
};
extern constinit thread_local const ThreadPlace* this_thread;

void block_barrier();
void warp_barrier();

/// Called by all threads of a warp, each with its own operand; the last to arrive runs `operation`
/// on all 32 (null for a lane that the block does not have). The one primitive behind shuffles,
/// votes, ldmatrix and mma.
using WarpOperation = void (*)(void* const* operands);
void warp_collective(WarpOperation operation, void* operand);

/// cp.async: `source_bytes` of `bytes` are copied and the rest is zero; it lands when waited for,
/// or earlier, as the seed says.
void copy_async(void* into, const void* from, int bytes, int source_bytes);
void copy_commit();
/// Waits until at most `pending_groups` of the groups committed by this thread are on their way.
void copy_wait(int pending_groups);

}  // namespace ringlab::on_cpu

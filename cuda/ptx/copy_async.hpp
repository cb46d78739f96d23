// cp.async: global to shared memory without passing through registers, waited for in groups.
//
// PTX ISA 9.0, 9.7.9.25.3. The CPU twin lands a copy when it is waited for and not before (or, with
// shuffled fibers, at once: both are legal), so that a missing wait is a wrong number there too.
#pragma once

#include "ringlab/cuda/runtime/device.hpp"

namespace ringlab::cuda::ptx {

/// Copies `kBytes` (4, 8 or 16, both ends aligned to it) to shared memory; zeros unless `valid`.
template <int kBytes>
__device__ __forceinline__ void copy_async(void* shared, const void* global, bool valid = true) {
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16);
#ifdef __CUDACC__
  const unsigned into = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  const int source_bytes = valid ? kBytes : 0;
  if constexpr (kBytes == 16) {  // .cg keeps it out of L1, which only whole 16 bytes may
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(into), "l"(global),
                 "r"(source_bytes));
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(into), "l"(global),
                 "n"(kBytes), "r"(source_bytes));
  }
#else
  ::ringlab::on_cpu::copy_async(shared, global, kBytes, valid ? kBytes : 0);
#endif
}

/// Ends a group: the copies this thread has issued since the last one.
__device__ __forceinline__ void copy_async_commit() {
#ifdef __CUDACC__
  asm volatile("cp.async.commit_group;" ::: "memory");
#else
  ::ringlab::on_cpu::copy_commit();
#endif
}

/// Waits until at most `kPending` of this thread's groups are under way. Others' copies need a
/// barrier on top.
template <int kPending>
__device__ __forceinline__ void copy_async_wait() {
#ifdef __CUDACC__
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
#else
  ::ringlab::on_cpu::copy_wait(kPending);
#endif
}

}  // namespace ringlab::cuda::ptx

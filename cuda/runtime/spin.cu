#include <cuda/std/chrono>

#include "ringlab/cuda/runtime/spin.hpp"

namespace ringlab::cuda {
namespace {

// The device's clock in nanoseconds is what libcu++ calls the system clock.
__global__ void spin(long long nanoseconds) {
  using Clock = ::cuda::std::chrono::system_clock;
  const auto end = Clock::now() + ::cuda::std::chrono::nanoseconds(nanoseconds);
  while (Clock::now() < end) __nanosleep(500);
}

}  // namespace

void launch_spin(StreamHandle stream, std::int64_t nanoseconds) {
  spin<<<1, 1, 0, static_cast<cudaStream_t>(stream.queue)>>>(nanoseconds);
}

}  // namespace ringlab::cuda

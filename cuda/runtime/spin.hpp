// Keeps a stream of a GPU busy for a time.
#pragma once

#include <cstdint>

#include "ringlab/cuda/runtime/stream_handle.hpp"

namespace ringlab::cuda {

/// Queues a kernel of one thread that ends after so many nanoseconds.
void launch_spin(StreamHandle stream, std::int64_t nanoseconds);

}  // namespace ringlab::cuda

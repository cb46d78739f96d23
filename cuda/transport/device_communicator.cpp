#include "ringlab/cuda/transport/device_communicator.hpp"

namespace ringlab::cuda {

DeviceClock::DeviceClock(Stream& stream) : origin_(stream.device(), "origin of the clock") {
  stream.record(origin_);
  origin_.synchronize();
  origin_nanoseconds_ = now_nanoseconds();
}

}  // namespace ringlab::cuda

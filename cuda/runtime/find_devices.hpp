// Which GPUs there are, asked in a way that also works where there is no driver, no GPU or no CUDA
// in this build.
#pragma once

#include <memory>
#include <string>

#include "ringlab/cuda/runtime/abstract_device.hpp"

namespace ringlab::cuda {

struct DeviceCount {
  int count = 0;
  std::string why_none;  // where count is 0: what is missing and what to do
};

DeviceCount count_devices();

/// The GPU of that index. Throws RunError with `why_none`, or that there are fewer.
std::unique_ptr<Device> open_device(int index);

}  // namespace ringlab::cuda

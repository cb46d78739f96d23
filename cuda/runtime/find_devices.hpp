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

/// "0000:3b:00.0", by which NVML knows it. Throws RunError.
std::string device_bus_id(int index);

/// What a bench holds its figures against.
struct DeviceFigures {
  std::string name;
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  /// Of dense 16-bit products on tensor cores with float32 sums, and of float32 without them, at
  /// the highest clock; 0 for a GPU whose rate per multiprocessor is not known here.
  double tensor_flops_per_second = 0, float_flops_per_second = 0;
};
DeviceFigures device_figures(int index);

}  // namespace ringlab::cuda

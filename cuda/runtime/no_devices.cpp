// Stands in for cuda_device.cpp in a build without CUDA.
#include "ringlab/cuda/runtime/find_devices.hpp"
#include "ringlab/reference/core/error.hpp"

namespace ringlab::cuda {

DeviceCount count_devices() {
  return {0,
          "this program was built without CUDA; install the CUDA toolkit (nvcc 13) and NCCL, "
          "configure with -DRINGLAB_CUDA=ON and build again, or use --device cpu_cuda, which runs "
          "the same program on the CPU"};
}

std::unique_ptr<Device> open_device(int) {
  throw RunError(count_devices().why_none);
}

std::string device_bus_id(int) {
  throw RunError(count_devices().why_none);
}

DeviceFigures device_figures(int) {
  throw RunError(count_devices().why_none);
}

}  // namespace ringlab::cuda

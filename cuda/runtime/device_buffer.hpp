// A piece of device memory with an owner.
#pragma once

#include <utility>

#include "ringlab/cuda/runtime/abstract_device.hpp"

namespace ringlab::cuda {

class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(Device& device, std::size_t bytes)
      : device_(&device), memory_(bytes > 0 ? device.allocate(bytes) : nullptr), bytes_(bytes) {}
  ~DeviceBuffer() { reset(); }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)),
        memory_(std::exchange(other.memory_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    if (this != &other) {
      reset();
      device_ = std::exchange(other.device_, nullptr);
      memory_ = std::exchange(other.memory_, nullptr);
      bytes_ = std::exchange(other.bytes_, 0);
    }
    return *this;
  }

  std::size_t bytes() const { return bytes_; }
  void* data() { return memory_; }
  const void* data() const { return memory_; }
  /// The memory as an array of T, from a byte offset on.
  template <class T>
  T* as(std::size_t offset_bytes = 0) {
    return reinterpret_cast<T*>(static_cast<std::byte*>(memory_) + offset_bytes);
  }

 private:
  void reset() {
    if (memory_) device_->release(memory_);
    memory_ = nullptr;
  }

  Device* device_ = nullptr;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace ringlab::cuda

// A queue of operations on a device: they run in order, and side by side with other streams.
#pragma once

#include <string>
#include <utility>

#include "ringlab/cuda/runtime/abstract_device.hpp"
#include "ringlab/cuda/runtime/event.hpp"

namespace ringlab::cuda {

class Stream {
 public:
  Stream() = default;
  /// `name` is for messages to people: "compute of rank 2".
  Stream(Device& device, const std::string& name)
      : device_(&device), handle_(device.make_stream(name)) {}
  ~Stream() {
    if (handle_.queue) device_->destroy_stream(handle_);
  }
  Stream(Stream&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)), handle_(std::exchange(other.handle_, {})) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }

  Device& device() const { return *device_; }
  StreamHandle handle() const { return handle_; }

  void copy(CopyKind kind, void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) device_->copy(handle_, kind, to, from, bytes);
  }
  void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                 std::size_t width, std::size_t rows) {
    if (width * rows > 0) device_->copy_rows(handle_, to, to_pitch, from, from_pitch, width, rows);
  }
  void fill_bytes(void* memory, int byte, std::size_t bytes) {
    if (bytes > 0) device_->fill_bytes(handle_, memory, byte, bytes);
  }
  void delay(std::int64_t nanoseconds) {
    if (nanoseconds > 0) device_->delay(handle_, nanoseconds);
  }
  void record(const Event& event) { device_->record(handle_, event.handle()); }
  void wait(const Event& event) { device_->wait(handle_, event.handle()); }
  void synchronize() { device_->synchronize(handle_); }

 private:
  Device* device_ = nullptr;
  StreamHandle handle_;
};

}  // namespace ringlab::cuda

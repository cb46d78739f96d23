// A point in a stream that other streams and the host can wait for.
#pragma once

#include <string>
#include <utility>

#include "ringlab/cuda/runtime/abstract_device.hpp"

namespace ringlab::cuda {

class Event {
 public:
  Event() = default;
  /// `name` is for messages to people.
  explicit Event(Device& device, const std::string& name = "event")
      : device_(&device), handle_(device.make_event(name)) {}
  ~Event() {
    if (handle_.event) device_->destroy_event(handle_);
  }
  Event(Event&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)), handle_(std::exchange(other.handle_, {})) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }

  EventHandle handle() const { return handle_; }
  /// Never blocks.
  bool happened() const { return device_->happened(handle_); }
  void synchronize() const { device_->synchronize(handle_); }
  std::int64_t nanoseconds_since(const Event& from) const {
    return device_->nanoseconds_between(from.handle_, handle_);
  }

 private:
  Device* device_ = nullptr;
  EventHandle handle_;
};

}  // namespace ringlab::cuda

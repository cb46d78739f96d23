// What a stream is on the CPU: somewhere that work is handed to, to be run in order, later.
#pragma once

#include <functional>

namespace ringlab::cuda {

class StreamQueue {
 public:
  virtual ~StreamQueue() = default;
  /// Takes work that runs after everything enqueued here before it.
  virtual void enqueue(std::function<void()> work) = 0;
};

}  // namespace ringlab::cuda

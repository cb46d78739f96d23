// The device memory of one rank's program, all of it got before the first step: a buffer is as
// large as the largest thing it will hold, and the runs of positions that its tiles read are there.
#pragma once

#include <vector>

#include "ringlab/cuda/execute/device_content.hpp"
#include "ringlab/cuda/runtime/device_buffer.hpp"
#include "ringlab/cuda/runtime/stream.hpp"
#include "ringlab/reference/attention/rule.hpp"

namespace ringlab::cuda {

class ProgramMemory {
 public:
  /// Follows the program through its steps. Uploads on `stream`, and waits for it.
  ProgramMemory(const Schedule& schedule, const AttentionRule& rule, int rank, DataType input,
                Stream& stream);

  DeviceBuffer& buffer(BufferId id) { return buffers_[static_cast<std::size_t>(id)]; }
  /// The places of a content that some tile of the program reads.
  TokenPlaces places(const Content& content) const;
  /// Slopes of ALiBi, or null.
  const float* alibi_slopes() const { return slopes_; }

  /// A piece of memory for as long as a message lies in it. Given back, it is used again by what
  /// comes later on the same stream.
  DeviceBuffer acquire(std::size_t bytes);
  void give_back(DeviceBuffer buffer);

  /// All that was allocated.
  Index allocated_bytes() const { return allocated_; }

 private:
  struct Places {
    bool of_queries;
    std::vector<Piece> pieces;
    DeviceBuffer runs;
    TokenPlaces places;
  };
  void add_places(const Schedule& schedule, const Content& content, Stream& stream,
                  std::vector<std::vector<DeviceRun>>& uploads);
  DeviceBuffer allocate(std::size_t bytes);

  Device& device_;
  std::vector<DeviceBuffer> buffers_, spare_;
  std::vector<Places> places_;
  DeviceBuffer slope_memory_;
  const float* slopes_ = nullptr;
  Index allocated_ = 0;
};

}  // namespace ringlab::cuda

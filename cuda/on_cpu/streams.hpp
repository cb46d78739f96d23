// Streams and events on a CPU: nothing runs until somebody synchronises, and then the operations of
// all streams run one by one in an order that a seed draws from all those that CUDA allows.
//
// So a missing event is no lucky accident that passes here and fails on a GPU: under some seed the
// two operations run the wrong way round, and a number is wrong. The draw gives each stream a
// priority and changes one now and then (Burckhardt et al., "A randomized scheduler with
// probabilistic guarantees of finding bugs", ASPLOS 2010), because it is long runs of one stream
// before another that show a missing order; a fair coin would hide it.
//
// What else is made visible: fresh and freed memory holds NaN in every float format; a copy reads
// host memory when it runs, not when it is queued; a copy that leaves its block of memory throws.
//
// Time is that of streams side by side: an operation takes as long as it took, and starts when the
// one before it in its stream and those that it waits for have ended. Events read that clock.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ringlab/cuda/runtime/abstract_device.hpp"

namespace ringlab::cuda {

/// A device made of CPU streams. Used by one host thread at a time.
class CpuDevice : public Device {
 public:
  explicit CpuDevice(std::uint64_t seed = 0);
  ~CpuDevice() override;
  CpuDevice(const CpuDevice&) = delete;
  CpuDevice& operator=(const CpuDevice&) = delete;

  std::string name() const override { return "CPU streams"; }
  bool is_gpu() const override { return false; }

  void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;

  StreamHandle make_stream(const std::string& name) override;
  /// What the stream has not done yet it will never do.
  void destroy_stream(StreamHandle stream) noexcept override;
  EventHandle make_event(const std::string& name) override;
  void destroy_event(EventHandle event) noexcept override;

  void copy(StreamHandle stream, CopyKind kind, void* to, const void* from,
            std::size_t bytes) override;
  void copy_rows(StreamHandle stream, void* to, std::size_t to_pitch, const void* from,
                 std::size_t from_pitch, std::size_t width, std::size_t rows) override;
  void fill_bytes(StreamHandle stream, void* memory, int byte, std::size_t bytes) override;
  void delay(StreamHandle stream, std::int64_t nanoseconds) override;

  void record(StreamHandle stream, EventHandle event) override;
  void wait(StreamHandle stream, EventHandle event) override;
  bool happened(EventHandle event) override;
  /// Runs operations, of any stream, until this one has none left. Throws RunError that names the
  /// streams and events when none can go on.
  void synchronize(StreamHandle stream) override;
  void synchronize(EventHandle event) override;
  std::int64_t nanoseconds_between(EventHandle from, EventHandle to) override;

  /// Operations run so far.
  std::uint64_t operations() const { return operations_; }

 private:
  struct Queue;
  struct EventState;
  struct EventBox;
  struct Block {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes;
  };

  void check_range(const char* what, const void* memory, std::size_t bytes) const;
  bool idle() const;
  bool run_one();
  template <class Done>
  void run_until(Done done);
  std::string why_stuck() const;
  std::uint64_t draw();

  std::uint64_t state_, operations_ = 0;
  std::vector<std::unique_ptr<Queue>> queues_;
  std::map<const std::byte*, Block> blocks_;
  std::vector<Block> freed_;  // kept while an operation may still touch it
};

}  // namespace ringlab::cuda

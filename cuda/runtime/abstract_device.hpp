// What the host side asks of a GPU: memory, streams of operations, events. Two back ends stand
// behind it, so that one executor serves both:
//
//   cuda_device.hpp        the CUDA runtime
//   on_cpu/streams.hpp     queues whose operations run in a seeded legal order, on a CPU
//
// Nothing here owns: device_buffer.hpp, stream.hpp and event.hpp do, and they are what the rest of
// the house uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ringlab/cuda/runtime/stream_handle.hpp"

namespace ringlab::cuda {

/// An event of either back end.
struct EventHandle {
  void* event = nullptr;
};

enum class CopyKind { to_device, to_host, on_device };

const char* name(CopyKind kind);

class Device {
 public:
  virtual ~Device() = default;

  virtual std::string name() const = 0;
  /// True for the CUDA runtime: kernels are those that nvcc compiled.
  virtual bool is_gpu() const = 0;

  /// Memory with undefined contents. Throws RunError when there is none left.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) noexcept = 0;

  virtual StreamHandle make_stream(const std::string& name) = 0;
  virtual void destroy_stream(StreamHandle stream) noexcept = 0;
  virtual EventHandle make_event(const std::string& name) = 0;
  virtual void destroy_event(EventHandle event) noexcept = 0;

  /// Queued like a kernel. Memory of the host is read or written when the operation runs, so it
  /// stays valid and untouched until somebody has synchronised.
  virtual void copy(StreamHandle stream, CopyKind kind, void* to, const void* from,
                    std::size_t bytes) = 0;
  /// The same for `rows` rows of `width` bytes that lie `to_pitch` and `from_pitch` bytes apart, on
  /// the device.
  virtual void copy_rows(StreamHandle stream, void* to, std::size_t to_pitch, const void* from,
                         std::size_t from_pitch, std::size_t width, std::size_t rows) = 0;
  /// Sets every byte.
  virtual void fill_bytes(StreamHandle stream, void* memory, int byte, std::size_t bytes) = 0;
  /// Keeps the stream busy, and nothing else: imitates a slower link.
  virtual void delay(StreamHandle stream, std::int64_t nanoseconds) = 0;

  virtual void record(StreamHandle stream, EventHandle event) = 0;
  /// The stream goes on when the event's latest record (so far) has happened. An event that was
  /// never recorded holds nobody up, as in CUDA.
  virtual void wait(StreamHandle stream, EventHandle event) = 0;
  /// True when the latest record has happened; never blocks.
  virtual bool happened(EventHandle event) = 0;
  /// Blocks until all operations of the stream are done. Throws RunError for what went wrong.
  virtual void synchronize(StreamHandle stream) = 0;
  virtual void synchronize(EventHandle event) = 0;
  /// Time from one event to another; both have happened.
  virtual std::int64_t nanoseconds_between(EventHandle from, EventHandle to) = 0;
};

}  // namespace ringlab::cuda

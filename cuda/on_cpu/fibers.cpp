#include "ringlab/cuda/on_cpu/fibers.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ringlab/cuda/on_cpu/fiber_switch.hpp"
#include "ringlab/reference/core/error.hpp"

namespace ringlab::on_cpu {

constinit thread_local const ThreadPlace* this_thread = nullptr;

namespace {

constexpr int kWarp = 32;
// Sanitizers widen frames several times over.
constexpr std::size_t kStackBytes = 256 * 1024;

// SplitMix64: one multiplication more than a counter, and good enough to deal cards.
struct Random {
  std::uint64_t state = 0;
  std::uint64_t next() {
    std::uint64_t x = state += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
  }
  int below(int n) { return static_cast<int>((next() >> 32) * static_cast<unsigned>(n) >> 32); }
};

struct PendingCopy {
  void* into;
  const void* from;
  int bytes, source_bytes;

  void land() const {
    if (source_bytes > 0) std::memcpy(into, from, static_cast<std::size_t>(source_bytes));
    std::memset(static_cast<char*>(into) + source_bytes, 0,
                static_cast<std::size_t>(bytes - source_bytes));
  }
};

enum class Where { ready, at_warp, at_block, exited };

struct Thread {
  Fiber fiber{kStackBytes};
  ThreadPlace place;
  Where where = Where::exited;
  WarpOperation operation = nullptr;
  void* operand = nullptr;
  std::vector<PendingCopy> uncommitted;
  std::deque<std::vector<PendingCopy>> groups;
};

std::string count_of(int n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string text_of(Dim3 d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

// The threads of one block and their scheduler. Kept between blocks, because stacks are dear.
class Block {
 public:
  void run(const GridOptions& options, Dim3 grid, Dim3 size, Dim3 index, std::size_t smem_bytes,
           const std::function<void()>& kernel);

  Thread& current() { return *current_; }
  Random& random() { return random_; }
  bool shuffles() const { return options_.fiber_order == FiberOrder::shuffled; }
  void stop_at(Where where) {
    current_->where = where;
    current_->fiber.suspend();
  }

 private:
  int warp_end(int warp) const { return std::min(count_, (warp + 1) * kWarp); }
  int choose_warp();
  void run_warp(int warp);
  void open_warp(int warp);
  void open_block();
  int count(Where where, int first, int end) const;
  static void enter(void* self);

  GridOptions options_;
  Random random_;
  const std::function<void()>* kernel_ = nullptr;
  std::vector<Thread> threads_;
  int count_ = 0, warps_ = 0;
  std::vector<int> ready_;  // threads that can run, by warp
  Thread* current_ = nullptr;
  std::exception_ptr failure_;
  std::vector<std::max_align_t> smem_;
  Dim3 index_;
};

thread_local Block* this_block = nullptr;

void Block::enter(void* self) {
  auto& block = *static_cast<Block*>(self);
  try {
    (*block.kernel_)();
  } catch (...) {
    block.failure_ = std::current_exception();
  }
  block.current_->where = Where::exited;
}

int Block::count(Where where, int first, int end) const {
  return static_cast<int>(std::count_if(threads_.begin() + first, threads_.begin() + end,
                                        [&](const Thread& t) { return t.where == where; }));
}

// A warp with something to run, or -1.
int Block::choose_warp() {
  const auto can_run = [&](int warp) { return ready_[static_cast<std::size_t>(warp)] > 0; };
  if (options_.fiber_order == FiberOrder::backward) {
    for (int warp = warps_ - 1; warp >= 0; --warp) {
      if (can_run(warp)) return warp;
    }
    return -1;
  }
  const int start = shuffles() ? random_.below(warps_) : 0;
  for (int i = 0; i < warps_; ++i) {
    const int warp = (start + i) % warps_;
    if (can_run(warp)) return warp;
  }
  return -1;
}

void Block::run_warp(int warp) {
  const int first = warp * kWarp, lanes = warp_end(warp) - first;
  std::array<int, kWarp> order{};
  for (int i = 0; i < lanes; ++i) {
    order[static_cast<std::size_t>(i)] =
        options_.fiber_order == FiberOrder::backward ? lanes - 1 - i : i;
  }
  if (shuffles()) {
    for (int i = lanes - 1; i > 0; --i) {
      std::swap(order[static_cast<std::size_t>(i)],
                order[static_cast<std::size_t>(random_.below(i + 1))]);
    }
  }
  for (int i = 0; i < lanes; ++i) {
    Thread& thread = threads_[static_cast<std::size_t>(first + order[static_cast<std::size_t>(i)])];
    if (thread.where != Where::ready) continue;
    current_ = &thread;
    this_thread = &thread.place;
    thread.fiber.resume();
    if (failure_) std::rethrow_exception(failure_);
  }
  ready_[static_cast<std::size_t>(warp)] = 0;
}

// Lets a warp go on if all of its threads wait at the same warp operation.
void Block::open_warp(int warp) {
  const int first = warp * kWarp, end = warp_end(warp);
  const int waiting = count(Where::at_warp, first, end);
  if (waiting == 0) return;
  const std::string where = " of warp " + std::to_string(warp) + " of block " + text_of(index_);
  if (const int gone = count(Where::exited, first, end); gone > 0) {
    throw RunError(count_of(gone, "thread") + where + " exited while " + std::to_string(waiting) +
                   " wait at warp_sync");
  }
  if (const int stuck = count(Where::at_block, first, end); stuck > 0) {
    throw RunError(count_of(stuck, "thread") + where + " wait at block_sync while " +
                   std::to_string(waiting) + " wait at warp_sync");
  }
  std::array<void*, kWarp> operands{};
  const WarpOperation operation = threads_[static_cast<std::size_t>(first)].operation;
  for (int t = first; t < end; ++t) {
    Thread& thread = threads_[static_cast<std::size_t>(t)];
    if (thread.operation != operation) {
      throw RunError("threads" + where + " wait at different warp operations");
    }
    operands[static_cast<std::size_t>(t - first)] = thread.operand;
    thread.where = Where::ready;
  }
  if (operation != nullptr) operation(operands.data());
  ready_[static_cast<std::size_t>(warp)] = end - first;
}

// Nobody can run: either all are at the block's barrier, or somebody never will be.
void Block::open_block() {
  const int gone = count(Where::exited, 0, count_), waiting = count(Where::at_block, 0, count_);
  if (gone > 0) {
    throw RunError(count_of(gone, "thread") + " of block " + text_of(index_) + " exited while " +
                   std::to_string(waiting) + " wait at block_sync");
  }
  for (int t = 0; t < count_; ++t) threads_[static_cast<std::size_t>(t)].where = Where::ready;
  for (int w = 0; w < warps_; ++w) ready_[static_cast<std::size_t>(w)] = warp_end(w) - w * kWarp;
}

void Block::run(const GridOptions& options, Dim3 grid, Dim3 size, Dim3 index,
                std::size_t smem_bytes, const std::function<void()>& kernel) {
  options_ = options;
  // A block's luck is its own: it does not depend on which OS thread runs it, or after what.
  random_.state =
      options.seed ^ (index.x * 0x632be59bd9b4e019ull + index.y * 0x8cb92ba72f3d8dd7ull +
                      index.z * 0xd1342543de82ef95ull);
  kernel_ = &kernel;
  failure_ = nullptr;
  index_ = index;
  count_ = static_cast<int>(size.x * size.y * size.z);
  warps_ = (count_ + kWarp - 1) / kWarp;
  smem_.resize(smem_bytes / sizeof(std::max_align_t) + 1);
  std::memset(static_cast<void*>(smem_.data()), 0xff, smem_.size() * sizeof(std::max_align_t));
  threads_.resize(std::max(threads_.size(), static_cast<std::size_t>(count_)));
  for (int t = 0; t < count_; ++t) {
    Thread& thread = threads_[static_cast<std::size_t>(t)];
    const unsigned i = static_cast<unsigned>(t);
    thread.place = {{i % size.x, i / size.x % size.y, i / size.x / size.y},
                    index,
                    size,
                    grid,
                    reinterpret_cast<unsigned char*>(smem_.data())};
    thread.where = Where::ready;
    thread.uncommitted.clear();
    thread.groups.clear();
    thread.fiber.prepare(&Block::enter, this);
  }
  ready_.assign(static_cast<std::size_t>(warps_), 0);
  for (int w = 0; w < warps_; ++w) ready_[static_cast<std::size_t>(w)] = warp_end(w) - w * kWarp;

  this_block = this;
  for (;;) {
    const int warp = choose_warp();
    if (warp >= 0) {
      run_warp(warp);
      open_warp(warp);
    } else if (count(Where::exited, 0, count_) == count_) {
      break;
    } else {
      open_block();
    }
  }
  this_block = nullptr;
  this_thread = nullptr;
}

// Blocks that nobody runs at the moment, with their stacks.
class BlockPool {
 public:
  std::unique_ptr<Block> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Block>();
    std::unique_ptr<Block> block = std::move(free_.back());
    free_.pop_back();
    return block;
  }
  void give(std::unique_ptr<Block> block) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(block));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> free_;
};

BlockPool& pool() {
  static BlockPool blocks;
  return blocks;
}

std::mutex options_mutex;
GridOptions process_options;

}  // namespace

void run_grid(const GridOptions& options, Dim3 grid, Dim3 block, std::size_t dynamic_smem_bytes,
              const std::function<void()>& kernel) {
  RINGLAB_ENSURE(this_block == nullptr, "a kernel cannot launch a kernel here");
  const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  RINGLAB_ENSURE(blocks >= 1 && threads >= 1 && threads <= 1024,
                 "a grid has blocks, a block has 1 to 1024 threads");
  std::atomic<std::uint64_t> next{0};
  std::mutex failure_mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    std::unique_ptr<Block> runner = pool().take();
    try {
      for (std::uint64_t i = next++; i < blocks; i = next++) {
        const Dim3 index{static_cast<unsigned>(i % grid.x),
                         static_cast<unsigned>(i / grid.x % grid.y),
                         static_cast<unsigned>(i / grid.x / grid.y)};
        runner->run(options, grid, block, index, dynamic_smem_bytes, kernel);
      }
    } catch (...) {
      this_block = nullptr;
      this_thread = nullptr;
      next = blocks;
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
    pool().give(std::move(runner));
  };
  const auto helpers =
      std::min<std::uint64_t>(static_cast<std::uint64_t>(std::max(options.os_threads, 1)), blocks) -
      1;
  std::vector<std::thread> others;
  for (std::uint64_t i = 0; i < helpers; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

GridOptions grid_options() {
  const std::lock_guard lock(options_mutex);
  return process_options;
}

void set_grid_options(const GridOptions& options) {
  const std::lock_guard lock(options_mutex);
  process_options = options;
}

void block_barrier() {
  this_block->stop_at(Where::at_block);
}

void warp_barrier() {
  warp_collective(nullptr, nullptr);
}

void warp_collective(WarpOperation operation, void* operand) {
  Thread& thread = this_block->current();
  thread.operation = operation;
  thread.operand = operand;
  this_block->stop_at(Where::at_warp);
}

void copy_async(void* into, const void* from, int bytes, int source_bytes) {
  const PendingCopy copy{into, from, bytes, source_bytes};
  if (this_block->shuffles() && this_block->random().below(2) == 0) {
    copy.land();
  } else {
    this_block->current().uncommitted.push_back(copy);
  }
}

void copy_commit() {
  Thread& thread = this_block->current();
  thread.groups.push_back(std::move(thread.uncommitted));
  thread.uncommitted.clear();
}

void copy_wait(int pending_groups) {
  auto& groups = this_block->current().groups;
  while (static_cast<int>(groups.size()) > pending_groups) {
    for (const PendingCopy& copy : groups.front()) copy.land();
    groups.pop_front();
  }
}

}  // namespace ringlab::on_cpu

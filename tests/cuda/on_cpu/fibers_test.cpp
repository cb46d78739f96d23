// The fibers themselves: who runs when, what a barrier promises, and how a kernel that breaks the
// rules is told so. Built twice: with the assembly switch and with ucontext.
#include <cmath>
#include <string>
#include <vector>

#include "ringlab/cuda/runtime/launch.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::cuda;
using on_cpu::FiberOrder;
using on_cpu::GridOptions;

namespace {

const GridOptions kEveryOrder[] = {{0, FiberOrder::forward, 1},
                                   {0, FiberOrder::backward, 1},
                                   {1, FiberOrder::shuffled, 1},
                                   {2, FiberOrder::shuffled, 2},
                                   {3, FiberOrder::shuffled, 1}};

std::string message_of(const auto& run) {
  try {
    run();
  } catch (const RunError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("every thread of every block runs once and knows its place") {
  for (const GridOptions& options : kEveryOrder) {
    std::vector<int> hits(3 * 2 * 40, 0);
    on_cpu::run_grid(options, {3, 2, 1}, {10, 4, 1}, 0, [&] {
      const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
      hits[block * 40 + threadIdx.x + blockDim.x * threadIdx.y] += 1;
    });
    CHECK(hits == std::vector<int>(hits.size(), 1));
  }
}

TEST_CASE("nobody passes a block barrier before all have come") {
  for (const GridOptions& options : kEveryOrder) {
    std::vector<int> sums(100, 0);
    on_cpu::run_grid(options, {2, 1, 1}, {100, 1, 1}, 100 * sizeof(int), [&] {
      int* shared = reinterpret_cast<int*>(dynamic_smem());
      const int t = static_cast<int>(threadIdx.x);
      for (int round = 0; round < 3; ++round) {
        shared[t] = t * (round + 1);
        block_sync();
        int sum = 0;
        for (int i = 0; i < 100; ++i) sum += shared[i];
        if (blockIdx.x == 1) sums[static_cast<std::size_t>(t)] = sum;
        block_sync();
      }
    });
    CHECK(sums == std::vector<int>(100, 3 * 4950));
  }
}

TEST_CASE("without its barrier the same kernel reads what is not there yet, in every order") {
  for (const GridOptions& options : kEveryOrder) {
    bool all_right = true;
    on_cpu::run_grid(options, {1, 1, 1}, {64, 1, 1}, 64 * sizeof(int), [&] {
      int* shared = reinterpret_cast<int*>(dynamic_smem());
      const unsigned t = threadIdx.x;
      shared[t] = 1;
      if (shared[63 - t] != 1) all_right = false;
    });
    CHECK_FALSE(all_right);
  }
}

TEST_CASE("shuffles and votes") {
  for (const GridOptions& options : kEveryOrder) {
    int wrong = 0;
    on_cpu::run_grid(options, {1, 1, 1}, {64, 1, 1}, 0, [&] {
      const int lane = static_cast<int>(threadIdx.x % 32);
      const float value = static_cast<float>(threadIdx.x);
      const float base = static_cast<float>(threadIdx.x - threadIdx.x % 32);
      if (__shfl_xor_sync(0xffffffffu, value, 5) != base + static_cast<float>(lane ^ 5)) ++wrong;
      if (__shfl_sync(0xffffffffu, value, 7) != base + 7) ++wrong;
      if (__shfl_up_sync(0xffffffffu, lane, 3) != (lane < 3 ? lane : lane - 3)) ++wrong;
      if (__shfl_down_sync(0xffffffffu, lane, 3) != (lane > 28 ? lane : lane + 3)) ++wrong;
      if (__ballot_sync(0xffffffffu, lane % 3 == 0) != 0x49249249u) ++wrong;
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("a barrier that not all threads reach is named") {
  const auto run = [](const auto& kernel) {
    on_cpu::run_grid({}, {1, 1, 1}, {32, 1, 1}, 0, kernel);
  };
  CHECK(message_of([&] {
          run([] {
            if (threadIdx.x < 16) block_sync();
          });
        }) == "16 threads of block (0,0,0) exited while 16 wait at block_sync");
  CHECK(message_of([&] {
          run([] {
            if (threadIdx.x != 3) warp_sync();
          });
        }) == "1 thread of warp 0 of block (0,0,0) exited while 31 wait at warp_sync");
  CHECK(message_of([&] { run([] { threadIdx.x < 8 ? block_sync() : warp_sync(); }); }) ==
        "8 threads of warp 0 of block (0,0,0) wait at block_sync while 24 wait at warp_sync");
  CHECK(message_of([&] {
          run([] { threadIdx.x < 8 ? warp_sync() : (void)__ballot_sync(0xffffffffu, true); });
        }) == "threads of warp 0 of block (0,0,0) wait at different warp operations");
  // The stacks that were left half-way are used again.
  int count = 0;
  run([&] {
    block_sync();
    ++count;
  });
  CHECK(count == 32);
}

TEST_CASE("what a kernel throws comes out, whichever OS thread it ran on") {
  for (const int os_threads : {1, 3}) {
    CHECK(message_of([&] {
            on_cpu::run_grid({0, FiberOrder::forward, os_threads}, {8, 1, 1}, {32, 1, 1}, 0, [] {
              block_sync();
              if (blockIdx.x == 5 && threadIdx.x == 9) throw RunError("thread 9 of block 5");
            });
          }) == "thread 9 of block 5");
  }
}

TEST_CASE("dynamic shared memory starts as NaN and __shared__ belongs to the block") {
  bool fresh = true, same = true;
  on_cpu::run_grid({}, {4, 1, 1}, {32, 1, 1}, 256, [&] {
    if (!std::isnan(reinterpret_cast<float*>(dynamic_smem())[threadIdx.x])) fresh = false;
    __shared__ unsigned owner;
    if (threadIdx.x == 0) owner = blockIdx.x;
    block_sync();
    if (owner != blockIdx.x) same = false;
    reinterpret_cast<float*>(dynamic_smem())[threadIdx.x] = 1;
  });
  CHECK(fresh);
  CHECK(same);
}

TEST_CASE("an asynchronous copy lands when it is waited for, and no later") {
  std::vector<int> source(64, 7);
  for (const GridOptions& options : kEveryOrder) {
    int early = 0, late = 0;
    on_cpu::run_grid(options, {1, 1, 1}, {32, 1, 1}, 64 * sizeof(int), [&] {
      int* shared = reinterpret_cast<int*>(dynamic_smem());
      const unsigned t = threadIdx.x;
      on_cpu::copy_async(shared + t, source.data() + t, 4, 4);
      on_cpu::copy_commit();
      on_cpu::copy_async(shared + 32 + t, source.data() + 32 + t, 4, 0);
      on_cpu::copy_commit();
      early += shared[t] == 7;
      on_cpu::copy_wait(1);
      late += shared[t] != 7;
      on_cpu::copy_wait(0);
      late += shared[32 + t] != 0;  // no source bytes: zero
    });
    CHECK(late == 0);
    if (options.fiber_order == FiberOrder::shuffled) {
      CHECK((early > 0 && early < 32));
    } else {
      CHECK(early == 0);
    }
  }
}

TEST_CASE("the same seed gives the same run, on one OS thread or several") {
  const auto order_of = [](const GridOptions& options) {
    std::vector<int> order(8 * 64);
    on_cpu::run_grid(options, {8, 1, 1}, {64, 1, 1}, sizeof(int), [&] {
      int* next = reinterpret_cast<int*>(dynamic_smem());
      if (threadIdx.x == 0) *next = 0;
      block_sync();
      order[blockIdx.x * 64 + threadIdx.x] = (*next)++;
    });
    return order;
  };
  const auto first = order_of({5, FiberOrder::shuffled, 1});
  CHECK(first == order_of({5, FiberOrder::shuffled, 1}));
  CHECK(first == order_of({5, FiberOrder::shuffled, 3}));
  CHECK(first != order_of({6, FiberOrder::shuffled, 1}));
}

namespace {
__global__ void add_one(int* value, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) atomicAdd(value + i % 3, 1);
}
struct Later : StreamQueue {
  std::vector<std::function<void()>> work;
  void enqueue(std::function<void()> w) override { work.push_back(std::move(w)); }
};
}  // namespace

TEST_CASE("launch runs at once without a queue, and hands the work to a queue") {
  int values[3] = {};
  launch(add_one, {2, 1, 1}, {64, 1, 1}, 0, {}, values, 100);
  CHECK((values[0] == 34 && values[1] == 33 && values[2] == 33));
  Later queue;
  StreamQueue* stream = &queue;
  launch(add_one, {2, 1, 1}, {64, 1, 1}, 0, {stream}, values, 100);
  CHECK(values[0] == 34);
  queue.work.at(0)();
  CHECK(values[0] == 68);
}

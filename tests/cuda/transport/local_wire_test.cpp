// The wire between ranks on one device: NCCL's semantics, and what happens to those who break them.
#include "ringlab/cuda/transport/local_wire.hpp"

#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "ringlab/cuda/on_cpu/streams.hpp"
#include "ringlab/cuda/runtime/device_buffer.hpp"
#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::cuda;

namespace {

void launch(Stream& stream, std::function<void()> kernel) {
  static_cast<StreamQueue*>(stream.handle().queue)->enqueue(std::move(kernel));
}

void write(Stream& stream, DeviceBuffer& buffer, float value) {
  const std::size_t count = buffer.bytes() / sizeof(float);
  launch(stream, [p = buffer.as<float>(), count, value] { std::fill(p, p + count, value); });
}

void add(Stream& stream, DeviceBuffer& from, DeviceBuffer& into) {
  const std::size_t count = into.bytes() / sizeof(float);
  launch(stream, [a = from.as<float>(), b = into.as<float>(), count] {
    for (std::size_t i = 0; i < count; ++i) b[i] += a[i];
  });
}

// R ranks on a CPU device, each with a compute stream.
struct World {
  explicit World(int ranks, std::uint64_t seed = 0, LinkSpeed speed = {})
      : device(seed), wire(device, ranks, speed) {
    for (int r = 0; r < ranks; ++r) compute.emplace_back(device, "compute");
  }
  DeviceCommunicator& rank(int r) { return wire.rank(r); }
  Stream& stream(int r) { return compute[static_cast<std::size_t>(r)]; }
  std::vector<float> read(int r, DeviceBuffer& buffer) {
    std::vector<float> host(buffer.bytes() / sizeof(float));
    stream(r).copy(CopyKind::to_host, host.data(), buffer.data(), buffer.bytes());
    rank(r).synchronize(stream(r));
    return host;
  }

  CpuDevice device;
  LocalWire wire;
  std::vector<Stream> compute;
};

DeviceMessage message(int peer, DeviceBuffer& buffer, const char* label = "block") {
  return {peer, buffer.data(), buffer.bytes(), label};
}

enum class Mistake { none, no_wait_before_reading, reused_while_sent, overwritten_while_read };

// Each rank sums up what passes it on a ring; the sum is 0 + 1 + ... + R - 1 everywhere.
std::vector<float> ring_sums(int ranks, std::size_t count, std::uint64_t seed,
                             Mistake mistake = Mistake::none) {
  World world(ranks, seed);
  struct Seat {
    DeviceBuffer sum, slots[2];
  };
  std::vector<Seat> seats;
  for (int r = 0; r < ranks; ++r) {
    const std::size_t bytes = count * sizeof(float);
    seats.push_back({DeviceBuffer(world.device, bytes),
                     {DeviceBuffer(world.device, bytes), DeviceBuffer(world.device, bytes)}});
    write(world.stream(r), seats.back().sum, 0);
    write(world.stream(r), seats.back().slots[0], static_cast<float>(r));
  }
  for (int hop = 0; hop < ranks; ++hop) {
    std::vector<DeviceCommunicator::Ticket> tickets;
    const bool last = hop == ranks - 1;
    for (int r = 0; r < ranks && !last; ++r) {
      Seat& seat = seats[static_cast<std::size_t>(r)];
      // Into the slot that is being sent, where that is the mistake.
      DeviceBuffer& target =
          seat.slots[mistake == Mistake::overwritten_while_read ? hop % 2 : (hop + 1) % 2];
      tickets.push_back(world.rank(r).begin(hop, 0, {message((r + 1) % ranks, seat.slots[hop % 2])},
                                            {message((r + ranks - 1) % ranks, target)},
                                            world.stream(r)));
    }
    for (int r = 0; r < ranks; ++r) {
      Seat& seat = seats[static_cast<std::size_t>(r)];
      add(world.stream(r), seat.slots[hop % 2], seat.sum);
      if (!last && mistake == Mistake::reused_while_sent) {
        write(world.stream(r), seat.slots[hop % 2], 1000);
      }
      if (!last && mistake != Mistake::no_wait_before_reading) {
        world.rank(r).wait(tickets[static_cast<std::size_t>(r)], world.stream(r));
      }
    }
  }
  std::vector<float> sums;
  for (int r = 0; r < ranks; ++r) {
    for (const float x : world.read(r, seats[static_cast<std::size_t>(r)].sum)) sums.push_back(x);
  }
  return sums;
}

bool all_equal(const std::vector<float>& values, float wanted) {
  return std::all_of(values.begin(), values.end(), [&](float x) { return x == wanted; });
}

int wrong_runs(Mistake mistake) {
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    wrong += !all_equal(ring_sums(4, 3, seed, mistake), 6);
  }
  return wrong;
}

}  // namespace

TEST_CASE("blocks go round a ring of any size, in every order of the streams") {
  for (const int ranks : {1, 2, 3, 4, 5, 8, 16}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        INFO(ranks << " ranks, " << count << " floats, seed " << seed);
        const float sum = static_cast<float>(ranks * (ranks - 1) / 2);
        REQUIRE(all_equal(ring_sums(ranks, count, seed), sum));
      }
    }
  }
}

TEST_CASE("a block that is read before it was waited for gives wrong numbers under some seed") {
  CHECK(wrong_runs(Mistake::no_wait_before_reading) > 3);
}

TEST_CASE("a buffer that is reused while it is sent gives wrong numbers under some seed") {
  CHECK(wrong_runs(Mistake::reused_while_sent) > 3);
}

TEST_CASE("a block received into the buffer that is being computed on gives wrong numbers") {
  CHECK(wrong_runs(Mistake::overwritten_while_read) > 3);
}

TEST_CASE("sends of two ranks that wait for each other's next group are a deadlock") {
  World world(2);
  DeviceBuffer a(world.device, 8), b(world.device, 8), c(world.device, 8), d(world.device, 8);
  const auto first = world.rank(0).begin(3, 0, {message(1, a, "kv0")}, {}, world.stream(0));
  world.rank(0).begin(3, 0, {}, {message(1, b, "kv1")}, world.stream(0));
  world.rank(1).begin(3, 0, {message(0, c, "kv1")}, {}, world.stream(1));
  world.rank(1).begin(3, 0, {}, {message(0, d, "kv0")}, world.stream(1));
  CHECK_FALSE(world.rank(0).launched(first));
  CHECK(world.rank(0).why_stuck() ==
        "deadlock: rank 0 waits for rank 1 at hop 3 (send kv0); "
        "rank 1 waits for rank 0 at hop 3 (send kv1)");
}

TEST_CASE("the same two sends and receives, grouped or in opposite order, pass") {
  for (const bool grouped : {true, false}) {
    World world(2, 5);
    DeviceBuffer a(world.device, 8), b(world.device, 8), c(world.device, 8), d(world.device, 8);
    write(world.stream(0), a, 1);
    write(world.stream(1), c, 2);
    std::vector<DeviceCommunicator::Ticket> t0, t1;
    if (grouped) {
      t0 = {world.rank(0).begin(0, 0, {message(1, a)}, {message(1, b)}, world.stream(0))};
      t1 = {world.rank(1).begin(0, 0, {message(0, c)}, {message(0, d)}, world.stream(1))};
    } else {
      t0 = {world.rank(0).begin(0, 0, {message(1, a)}, {}, world.stream(0)),
            world.rank(0).begin(0, 0, {}, {message(1, b)}, world.stream(0))};
      t1 = {world.rank(1).begin(0, 0, {}, {message(0, d)}, world.stream(1)),
            world.rank(1).begin(0, 0, {message(0, c)}, {}, world.stream(1))};
    }
    for (const auto t : t0) world.rank(0).wait(t, world.stream(0));
    for (const auto t : t1) world.rank(1).wait(t, world.stream(1));
    CHECK(all_equal(world.read(0, b), 2));
    CHECK(all_equal(world.read(1, d), 1));
  }
}

TEST_CASE("a ring whose ranks all send first and receive in a second group is a deadlock") {
  for (int ranks = 2; ranks <= 9; ++ranks) {
    World world(ranks);
    std::vector<DeviceBuffer> buffers;
    for (int r = 0; r < 2 * ranks; ++r) buffers.emplace_back(world.device, 8);
    for (int r = 0; r < ranks; ++r) {
      const auto mine = static_cast<std::size_t>(2 * r);
      world.rank(r).begin(0, 0, {message((r + 1) % ranks, buffers[mine])}, {}, world.stream(r));
      world.rank(r).begin(0, 0, {}, {message((r + ranks - 1) % ranks, buffers[mine + 1])},
                          world.stream(r));
    }
    const std::string text = world.rank(0).why_stuck();
    INFO(text);
    CHECK(std::count(text.begin(), text.end(), ';') == ranks - 1);
    CHECK_THAT(text, Catch::StartsWith("deadlock: rank 0 waits for rank 1"));
  }
}

TEST_CASE("a group stays open for a peer that serves it in two groups") {
  World world(3, 2);
  std::vector<DeviceBuffer> b;
  for (int i = 0; i < 6; ++i) b.emplace_back(world.device, 8);
  write(world.stream(0), b[0], 1);
  write(world.stream(1), b[2], 2);
  write(world.stream(2), b[4], 3);
  // Rank 0 in one group: to 1, from 2. Ranks 1 and 2 take part one after the other.
  const auto whole =
      world.rank(0).begin(0, 0, {message(1, b[0])}, {message(2, b[1])}, world.stream(0));
  world.rank(1).begin(0, 0, {}, {message(0, b[3])}, world.stream(1));
  const auto second = world.rank(1).begin(1, 0, {message(2, b[2])}, {}, world.stream(1));
  CHECK_FALSE(world.rank(0).launched(whole));
  const auto from1 = world.rank(2).begin(0, 0, {}, {message(1, b[5])}, world.stream(2));
  CHECK(world.rank(1).launched(second));
  world.rank(2).begin(1, 0, {message(0, b[4])}, {}, world.stream(2));
  REQUIRE(world.rank(0).launched(whole));
  world.rank(0).wait(whole, world.stream(0));
  world.rank(2).wait(from1, world.stream(2));
  CHECK(all_equal(world.read(0, b[1]), 3));
  CHECK(all_equal(world.read(2, b[5]), 2));
}

TEST_CASE("channels run side by side: what deadlocks on one passes on two") {
  World world(2, 3);
  DeviceBuffer a(world.device, 8), b(world.device, 8), c(world.device, 8), d(world.device, 8);
  write(world.stream(0), a, 1);
  write(world.stream(1), c, 2);
  world.rank(0).begin(0, 0, {message(1, a)}, {}, world.stream(0));
  const auto t0 = world.rank(0).begin(0, 1, {}, {message(1, b)}, world.stream(0));
  world.rank(1).begin(0, 1, {message(0, c)}, {}, world.stream(1));
  const auto t1 = world.rank(1).begin(0, 0, {}, {message(0, d)}, world.stream(1));
  world.rank(0).wait(t0, world.stream(0));
  world.rank(1).wait(t1, world.stream(1));
  CHECK(all_equal(world.read(0, b), 2));
  CHECK(all_equal(world.read(1, d), 1));
}

TEST_CASE("the n-th send to a rank meets its n-th receive") {
  World world(2, 4);
  std::vector<DeviceBuffer> sent, received;
  std::vector<DeviceMessage> sends, receives;
  for (int i = 0; i < 5; ++i) {
    const std::size_t bytes = 4 * static_cast<std::size_t>(i + 1);
    sent.emplace_back(world.device, bytes);
    received.emplace_back(world.device, bytes);
    write(world.stream(0), sent.back(), static_cast<float>(i));
    sends.push_back(message(1, sent.back()));
    receives.push_back(message(0, received.back()));
  }
  world.rank(0).begin(0, 0, sends, {}, world.stream(0));
  world.rank(1).wait(world.rank(1).begin(0, 0, {}, receives, world.stream(1)), world.stream(1));
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(all_equal(world.read(1, received[i]), static_cast<float>(i)));
  }
}

TEST_CASE("messages of different size, strange peers and a rank that has ended are named") {
  World world(3);
  DeviceBuffer a(world.device, 8), b(world.device, 12);
  CHECK_THROWS_AS(world.rank(0).begin(0, 0, {message(0, a)}, {}, world.stream(0)), InvariantError);
  CHECK_THROWS_AS(world.rank(0).begin(0, 0, {message(3, a)}, {}, world.stream(0)), InvariantError);
  CHECK_THROWS_AS(LocalWire(world.device, 0), InputError);
  world.rank(0).begin(1, 0, {message(1, a, "kv0")}, {}, world.stream(0));
  CHECK(world.rank(0).why_stuck() ==
        "rank 0 waited for rank 1 at hop 1 (send kv0): rank 1 has ended");
  CHECK_THROWS_WITH(world.rank(1).begin(1, 0, {}, {message(0, b, "kv0")}, world.stream(1)),
                    Catch::Contains("8 bytes") && Catch::Contains("12 bytes"));
}

TEST_CASE("a slower link shows in the times of the moves") {
  World world(2, 1, {1e3, 500'000'000});  // 8 bytes take 8 ms, and half a second
  DeviceBuffer a(world.device, 8), b(world.device, 8);
  const DeviceClock clock(world.stream(1));
  const auto sent = world.rank(0).begin(0, 0, {message(1, a)}, {}, world.stream(0));
  const auto received = world.rank(1).begin(0, 0, {}, {message(0, b)}, world.stream(1));
  world.rank(1).wait(received, world.stream(1));
  world.rank(1).synchronize(world.stream(1));
  const MoveTiming receive = world.rank(1).timing(received, clock).receives.at(0);
  const MoveTiming send = world.rank(0).timing(sent, clock).sends.at(0);
  CHECK(receive.end_nanoseconds - receive.start_nanoseconds >= 508'000'000);
  CHECK(send.start_nanoseconds == receive.start_nanoseconds);
  CHECK(send.end_nanoseconds == receive.end_nanoseconds);
}

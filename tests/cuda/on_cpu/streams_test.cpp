// Streams of the CPU: what is ordered stays ordered, and what is not does not.
#include "ringlab/cuda/on_cpu/streams.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "ringlab/cuda/runtime/device_buffer.hpp"
#include "ringlab/cuda/runtime/stream.hpp"
#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::cuda;

namespace {

void launch(Stream& stream, std::function<void()> kernel) {
  static_cast<StreamQueue*>(stream.handle().queue)->enqueue(std::move(kernel));
}

// A producer and a consumer on two streams; what the consumer saw.
float consumed(std::uint64_t seed, bool with_event) {
  CpuDevice device(seed);
  Stream producer(device, "producer"), consumer(device, "consumer");
  DeviceBuffer box(device, sizeof(float)), seen(device, sizeof(float));
  Event full(device, "full");
  launch(producer, [out = box.as<float>()] { *out = 42; });
  producer.record(full);
  if (with_event) consumer.wait(full);
  launch(consumer, [in = box.as<float>(), out = seen.as<float>()] { *out = *in; });
  float result = 0;
  consumer.copy(CopyKind::to_host, &result, seen.data(), sizeof(float));
  consumer.synchronize();
  return result;
}

}  // namespace

TEST_CASE("operations of one stream run in order") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CpuDevice device(seed);
    Stream a(device, "a"), b(device, "b");
    std::vector<int> order;
    for (int i = 0; i < 50; ++i) {
      launch(a, [&order, i] { order.push_back(i); });
      launch(b, [&order, i] { order.push_back(100 + i); });
    }
    a.synchronize();
    b.synchronize();
    REQUIRE(order.size() == 100);
    std::array<std::vector<int>, 2> each;
    for (const int x : order) each[x >= 100].push_back(x % 100);
    for (const auto& stream : each) REQUIRE(std::is_sorted(stream.begin(), stream.end()));
  }
}

TEST_CASE("seeds draw different orders, and one seed always the same") {
  const auto order_of = [](std::uint64_t seed) {
    CpuDevice device(seed);
    std::vector<Stream> streams;
    std::string order;
    for (char name : {'a', 'b', 'c'}) streams.emplace_back(device, std::string(1, name));
    for (int i = 0; i < 6; ++i) {
      for (std::size_t s = 0; s < streams.size(); ++s) {
        launch(streams[s], [&order, s] { order += static_cast<char>('a' + s); });
      }
    }
    for (Stream& stream : streams) stream.synchronize();
    return order;
  };
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    orders.insert(order_of(seed));
    CHECK(order_of(seed) == order_of(seed));
  }
  CHECK(orders.size() > 8);
}

TEST_CASE("with the event the number is right under every seed, without it wrong under some") {
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    REQUIRE(consumed(seed, true) == 42);
    const float seen = consumed(seed, false);
    wrong += seen != 42;
    CHECK((seen == 42 || std::isnan(seen)));
  }
  CHECK(wrong >= 5);
  CHECK(wrong <= 15);
}

TEST_CASE("nothing happens before somebody synchronises") {
  CpuDevice device(3);
  Stream stream(device, "stream");
  DeviceBuffer buffer(device, 4 * sizeof(int));
  Event uploaded(device, "uploaded");
  std::array<int, 4> host = {1, 2, 3, 4}, back = {};
  stream.copy(CopyKind::to_device, buffer.data(), host.data(), sizeof(host));
  stream.record(uploaded);
  stream.copy(CopyKind::to_host, back.data(), buffer.data(), sizeof(back));
  CHECK(back == std::array<int, 4>{});
  CHECK_FALSE(uploaded.happened());
  host[0] = 9;  // too early: the copy has not read it yet
  stream.synchronize();
  CHECK(uploaded.happened());
  CHECK(back == std::array<int, 4>{9, 2, 3, 4});
}

TEST_CASE("an event stands for its latest record, and for nothing before the first") {
  CpuDevice device(1);
  Stream a(device, "a"), b(device, "b");
  Event event(device, "event");
  int first = 0, second = 0;
  b.wait(event);  // never recorded: holds nobody up
  b.synchronize();
  launch(a, [&] { first = 1; });
  a.record(event);
  launch(a, [&] { second = 1; });
  a.record(event);
  event.synchronize();
  CHECK(first + second == 2);
  CHECK(event.happened());
  a.record(event);
  CHECK_FALSE(event.happened());
}

TEST_CASE("a stream that waits for work that was thrown away says so") {
  CpuDevice device(1);
  Stream b(device, "consumer");
  Event event(device, "tile done");
  {
    Stream a(device, "producer");
    launch(a, [] {});
    a.record(event);
  }
  b.wait(event);
  CHECK_THROWS_WITH(b.synchronize(),
                    Catch::Contains("stream 'consumer' waits for event 'tile done'"));
}

TEST_CASE("fresh and freed memory holds NaN") {
  CpuDevice device(1);
  Stream stream(device, "stream");
  float fresh = 0, freed = 0;
  {
    DeviceBuffer buffer(device, sizeof(float));
    stream.copy(CopyKind::to_host, &fresh, buffer.data(), sizeof(float));
    stream.synchronize();
    launch(stream, [p = buffer.as<float>()] { *p = 5; });
    stream.copy(CopyKind::to_host, &freed, buffer.data(), sizeof(float));
    launch(stream, [p = buffer.as<float>(), &freed] { freed += *p; });
    stream.synchronize();
    CHECK(freed == 10);
    launch(stream, [p = buffer.as<float>(), &freed] { freed = *p; });
  }
  stream.synchronize();  // too late
  CHECK(std::isnan(fresh));
  CHECK(std::isnan(freed));
}

TEST_CASE("a copy stays inside one block of device memory") {
  CpuDevice device(1);
  Stream stream(device, "stream");
  DeviceBuffer buffer(device, 16);
  std::array<char, 32> host{};
  CHECK_THROWS_AS(stream.copy(CopyKind::to_device, buffer.data(), host.data(), 17), InvariantError);
  CHECK_THROWS_AS(stream.copy(CopyKind::to_host, host.data(), buffer.as<char>(8), 9),
                  InvariantError);
  CHECK_THROWS_AS(stream.copy(CopyKind::on_device, buffer.data(), host.data(), 4), InvariantError);
  CHECK_NOTHROW(stream.copy(CopyKind::to_device, buffer.as<char>(8), host.data(), 8));
}

TEST_CASE("rows are copied out of a wider table and back") {
  CpuDevice device(1);
  Stream stream(device, "stream");
  DeviceBuffer table(device, 6), rows(device, 4);
  std::string host = "abcdef", back(4, ' ');
  stream.copy(CopyKind::to_device, table.data(), host.data(), 6);
  stream.copy_rows(rows.data(), 2, table.as<char>(1), 3, 2, 2);
  stream.copy(CopyKind::to_host, back.data(), rows.data(), 4);
  stream.synchronize();
  CHECK(back == "bcef");
  CHECK_THROWS_AS(stream.copy_rows(rows.data(), 2, table.as<char>(2), 3, 2, 2), InvariantError);
}

TEST_CASE("a failing operation reaches whoever synchronises, and the stream goes on after it") {
  CpuDevice device(1);
  Stream stream(device, "stream");
  int ran = 0;
  launch(stream, [] { throw RunError("the kernel failed"); });
  launch(stream, [&] { ran = 1; });
  CHECK_THROWS_WITH(stream.synchronize(), Catch::Contains("the kernel failed"));
  CHECK(ran == 0);
  stream.synchronize();
  CHECK(ran == 1);
}

TEST_CASE("the clock is that of streams side by side") {
  constexpr std::int64_t kSecond = 1'000'000'000;  // of that clock: nobody waits for it
  CpuDevice device(1);
  Stream a(device, "a"), b(device, "b");
  Event start(device), a_done(device), b_done(device), both(device);
  a.record(start);
  a.delay(5 * kSecond);
  a.record(a_done);
  b.delay(7 * kSecond);
  b.record(b_done);
  a.wait(b_done);
  a.delay(1 * kSecond);
  a.record(both);
  a.synchronize();
  const auto seconds = [&](const Event& event) {
    return static_cast<double>(event.nanoseconds_since(start)) / kSecond;
  };
  CHECK(seconds(a_done) == Approx(5).margin(0.9));
  CHECK(seconds(both) == Approx(8).margin(0.9));
}

TEST_CASE("owners move, and let go once") {
  CpuDevice device(1);
  DeviceBuffer a(device, 8);
  void* memory = a.data();
  DeviceBuffer b = std::move(a);
  CHECK(b.data() == memory);
  CHECK(a.data() == nullptr);
  a = std::move(b);
  CHECK(a.data() == memory);
  Stream s(device, "one");
  s = Stream(device, "two");
  Event e(device);
  e = Event(device);
  s.record(e);
  s.synchronize();
  CHECK(e.happened());
}

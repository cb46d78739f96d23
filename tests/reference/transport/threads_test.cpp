#include "ringlab/reference/transport/threads.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>

#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/reference/transport/transport_contract.hpp"

using namespace ringlab;
using namespace std::chrono_literals;

TEST_CASE("threads keep the contract for every number of ranks") {
  for (const contract::Case& c : contract::good_cases()) {
    for (int ranks = c.min_ranks; ranks <= 16; ++ranks) {
      INFO(c.name << ", " << ranks << " ranks, seed " << c.options.delay_seed);
      REQUIRE_NOTHROW(run_ranks(ranks, c.options, c.body));
    }
  }
}

TEST_CASE("threads report every fault on every rank in bounded time") {
  for (const contract::Fault& fault : contract::faults()) {
    for (const int ranks : {2, 3, 16}) {
      INFO(fault.name << ", " << ranks << " ranks");
      REQUIRE_NOTHROW(run_ranks(ranks, contract::fault_options(), [&](Communicator& world) {
        contract::expect_fault(fault, world);
      }));
    }
  }
}

TEST_CASE("both sides of a move have one timing, and delays are part of it") {
  TransportOptions options;
  options.largest_delay = 20ms;
  options.delay_seed = 7;
  std::vector<std::byte> from(100), to(100);
  GroupTiming sent, received;
  run_ranks(2, options, [&](Communicator& world) {
    for (int hop = 0; hop < 4; ++hop) {
      if (world.rank() == 0) {
        const auto part = world.wait(world.begin(hop, {{1, {from}, "kv"}}, {}));
        sent.sends.push_back(part.sends.at(0));
      } else {
        const auto part = world.wait(world.begin(hop, {}, {{0, {to}, "kv"}}));
        received.receives.push_back(part.receives.at(0));
      }
    }
  });
  std::int64_t total = 0;
  for (std::size_t hop = 0; hop < 4; ++hop) {
    CHECK(sent.sends[hop].start_nanoseconds == received.receives[hop].start_nanoseconds);
    CHECK(sent.sends[hop].end_nanoseconds == received.receives[hop].end_nanoseconds);
    total += sent.sends[hop].end_nanoseconds - sent.sends[hop].start_nanoseconds;
  }
  CHECK(total > 4'000'000);  // four draws below 20 ms: that they are all below 1 ms would be odd
}

TEST_CASE("a posted send does not end before its receive is there") {
  std::vector<std::byte> from(1), to(1);
  std::atomic<std::int64_t> receive_posted = 0;
  run_ranks(2, {}, [&](Communicator& world) {
    if (world.rank() == 0) {
      const GroupTiming timing = world.wait(world.begin(0, {{1, {from}, "kv"}}, {}));
      // The receive is posted after the note was taken.
      if (timing.sends[0].start_nanoseconds < receive_posted) throw std::runtime_error("buffered");
    } else {
      std::this_thread::sleep_for(50ms);
      receive_posted = now_nanoseconds();
      world.wait(world.begin(0, {}, {{0, {to}, "kv"}}));
    }
  });
}

TEST_CASE("an exception of one rank ends the run and comes back as itself") {
  const auto body = [](Communicator& world) {
    if (world.rank() == 1) throw InputError("tile", "-1", "give a positive number");
    world.barrier();
  };
  REQUIRE_THROWS_AS(run_ranks(4, {}, body), InputError);
}

TEST_CASE("misuse is refused by name") {
  CHECK_THROWS_AS(ThreadWorld(0), InputError);
  CHECK_THROWS_AS(ThreadWorld(2, {.timeout = 0ms}), InputError);
  CHECK_THROWS_AS(ThreadWorld(2, {.largest_delay = -1us}), InputError);
  ThreadWorld world(2);
  const auto end = world.communicator(0);
  CHECK(end->rank() == 0);
  CHECK(end->size() == 2);
  CHECK_THROWS_AS(world.communicator(0), InvariantError);
  CHECK_THROWS_AS(world.communicator(2), InvariantError);
  CHECK_THROWS_AS(end->begin(0, {{0, {}, "self"}}, {}), InvariantError);
  CHECK_THROWS_AS(end->begin(0, {}, {{2, {}, "nobody"}}), InvariantError);
  CHECK_THROWS_AS(end->wait(5), InvariantError);
  const auto ticket = end->begin(0, {}, {});
  end->wait(ticket);
  CHECK_THROWS_AS(end->wait(ticket), InvariantError);
}

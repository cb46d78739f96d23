// Runs that cannot go on: what the message says, and that it comes at once where it can be proved.
#include <mutex>
#include <thread>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/transport/threads.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace std::chrono_literals;

namespace {

using Bytes = std::vector<std::byte>;

// The text with which each rank ends ("" if well), and how long it all took.
struct Outcome {
  std::vector<std::string> texts;
  double seconds = 0;
};

Outcome outcome(int ranks, std::chrono::milliseconds timeout,
                const std::function<void(Communicator&)>& body) {
  Outcome out;
  out.texts.resize(static_cast<std::size_t>(ranks));
  const std::int64_t start = now_nanoseconds();
  run_ranks(ranks, {.timeout = timeout}, [&](Communicator& world) {
    try {
      body(world);
    } catch (const RunError& error) {
      out.texts[static_cast<std::size_t>(world.rank())] = error.what();
    }
  });
  out.seconds = static_cast<double>(now_nanoseconds() - start) * 1e-9;
  return out;
}

}  // namespace

TEST_CASE("a ring in which all receive first is named as a circle, at once") {
  const Outcome out = outcome(3, 60s, [](Communicator& world) {
    Bytes in(8);
    const int previous = (world.rank() + 2) % 3;
    world.wait(world.begin(2, {}, {{previous, {in}, "kv" + std::to_string(previous)}}));
  });
  for (const std::string& text : out.texts) {
    CHECK(text ==
          "deadlock: rank 0 waits for rank 2 at hop 2 (receive kv2); rank 2 waits for rank 1 at "
          "hop 2 "
          "(receive kv1); rank 1 waits for rank 0 at hop 2 (receive kv0)");
  }
  CHECK(out.seconds < 5);
}

TEST_CASE("even ranks that send first meet odd ranks that receive first, on every ring") {
  // On an odd ring two neighbours are both even: the last sends to rank 0, which sends to rank 1.
  // Rank 1 receives, so the chain unwinds and rendezvous does not make it a deadlock.
  const auto body = [](Communicator& world) {
    const Bytes out(8);
    Bytes in(8);
    const int next = (world.rank() + 1) % world.size();
    const int previous = (world.rank() + world.size() - 1) % world.size();
    for (int turn = 0; turn < 2; ++turn) {
      if ((world.rank() + turn) % 2 == 0) {
        world.wait(world.begin(0, {{next, {out}, "kv"}}, {}));
      } else {
        world.wait(world.begin(0, {}, {{previous, {in}, "kv"}}));
      }
    }
  };
  for (int ranks = 2; ranks <= 9; ++ranks) {
    INFO(ranks << " ranks");
    const Outcome out = outcome(ranks, 60s, body);
    // On an odd ring rank R-1 sends to rank 0 while rank 0 sends to rank 1, which receives; then
    // rank 0 receives. The chain unwinds, so rendezvous alone does not make it a deadlock.
    for (const std::string& text : out.texts) CHECK(text.empty());
    CHECK(out.seconds < 5);
  }
}

TEST_CASE("a circle is found while a rank outside of it computes") {
  const Outcome out = outcome(3, 60s, [](Communicator& world) {
    Bytes in(8);
    if (world.rank() == 2) {
      std::this_thread::sleep_for(300ms);
      world.barrier();
    } else {
      world.wait(world.begin(0, {}, {{1 - world.rank(), {in}, "q"}}));
    }
  });
  for (const std::string& text : out.texts) {
    CHECK(
        text ==
        "deadlock: rank 0 waits for rank 1 at hop 0 (receive q); rank 1 waits for rank 0 at hop 0 "
        "(receive q)");
  }
  CHECK(out.seconds < 5);
}

TEST_CASE("a circle through the barrier is found") {
  const Outcome out = outcome(2, 60s, [](Communicator& world) {
    Bytes in(8);
    if (world.rank() == 0) world.wait(world.begin(4, {}, {{1, {in}, "dk"}}));
    world.barrier();
  });
  for (const std::string& text : out.texts) {
    CHECK(text ==
          "deadlock: rank 0 waits for rank 1 at hop 4 (receive dk); rank 1 waits for rank 0 at the "
          "barrier");
  }
}

TEST_CASE("a silent rank is found at the end of the chain that waits for it") {
  const Outcome out = outcome(4, 300ms, [](Communicator& world) {
    Bytes in(8);
    if (world.rank() == 1) std::this_thread::sleep_for(900ms);
    if (world.rank() != 1) {
      const int previous = (world.rank() + 3) % 4;
      world.wait(world.begin(3, {}, {{previous, {in}, "kv" + std::to_string(previous)}}));
    }
    world.barrier();
  });
  for (const std::string& text : out.texts) {
    INFO(text);
    CHECK(text.find("nothing moved for 0.3 s") != std::string::npos);
    CHECK(text.find("rank 1 at hop 3 (receive kv1)") != std::string::npos);
    CHECK(text.find("rank 1 is not waiting") != std::string::npos);
  }
}

TEST_CASE("who waits for a rank that has ended is told so, before and after the end") {
  for (const auto pause : {0ms, 100ms}) {
    const Outcome out = outcome(2, 60s, [&](Communicator& world) {
      Bytes in(8);
      std::this_thread::sleep_for(world.rank() == 0 ? pause : 100ms - pause);
      if (world.rank() == 0) world.wait(world.begin(2, {}, {{1, {in}, "kv1"}}));
    });
    CHECK(out.texts[0] == "rank 0 waited for rank 1 at hop 2 (receive kv1): rank 1 has ended");
    CHECK(out.texts[1].empty());
    CHECK(out.seconds < 5);
  }
}

TEST_CASE("a rank may end while others go on without it") {
  const Outcome out = outcome(3, 60s, [](Communicator& world) {
    if (world.rank() == 0) return;
    const Bytes mine(8);
    Bytes in(8);
    std::this_thread::sleep_for(50ms);
    const int peer = 3 - world.rank();
    world.wait(world.begin(0, {{peer, {mine}, "kv"}}, {{peer, {in}, "kv"}}));
  });
  for (const std::string& text : out.texts) CHECK(text.empty());
}

TEST_CASE("an aborted world stays aborted, and the first cause is the one told") {
  std::mutex mutex;
  std::vector<std::string> texts;
  run_ranks(3, {.timeout = 60s}, [&](Communicator& world) {
    if (world.rank() == 2) {
      world.abort("first");
      world.abort("second");
    }
    for (int turn = 0; turn < 3; ++turn) {
      Bytes in(8);
      const auto wait = [&] {
        if (turn < 2) world.wait(world.begin(turn, {}, {{(world.rank() + 1) % 3, {in}, "kv"}}));
        if (turn == 2) world.barrier();
      };
      try {
        wait();
      } catch (const RunError& error) {
        const std::lock_guard lock(mutex);
        texts.push_back(error.what());
      }
    }
  });
  // Ranks 0 and 1 may close no circle before rank 2 aborts: rank 2 never waits before that.
  REQUIRE(texts.size() == 9);
  for (const std::string& text : texts) CHECK(text == "rank 2 ended the run: first");
}

TEST_CASE("memory is left alone once a wait has thrown") {
  // A third rank ends the run while a long copy is on its way; pauses that hit the copy early, late
  // and before its start.
  const Bytes from(64'000'000, std::byte{0xff});
  for (const auto pause : {0ms, 1ms, 2ms, 4ms, 8ms}) {
    Bytes to(from.size());
    std::byte last{0xff};
    const auto body = [&](Communicator& world) {
      if (world.rank() == 2) {
        world.barrier();
        std::this_thread::sleep_for(pause);
        world.abort("enough");
        return;
      }
      const auto ticket = world.rank() == 0 ? world.begin(0, {{1, {from}, "kv"}}, {})
                                            : world.begin(0, {}, {{0, {to}, "kv"}});
      try {
        world.barrier();
        world.wait(ticket);
      } catch (const RunError&) {  // or the copy was faster: then there is nothing to see
      }
      if (world.rank() == 1) to.back() = std::byte{0};
      std::this_thread::sleep_for(100ms);
      if (world.rank() == 1) last = to.back();
    };
    run_ranks(3, {}, body);
    CHECK(last == std::byte{0});
  }
}

TEST_CASE("moves that are held back are dropped when the run ends") {
  TransportOptions options{.timeout = 60s, .largest_delay = 20s, .delay_seed = 3};
  const std::int64_t start = now_nanoseconds();
  const auto body = [](Communicator& world) {
    const int peer = 1 - world.rank();
    const auto out = std::make_unique<Bytes>(20'000);
    const auto in = std::make_unique<Bytes>(20'000);
    const auto ticket = world.begin(0, {{peer, {*out}, "kv"}}, {{peer, {*in}, "kv"}});
    if (world.rank() == 0) world.abort("enough");
    world.wait(ticket);
  };
  CHECK_THROWS_AS(run_ranks(2, options, body), RunError);
  CHECK(now_nanoseconds() - start < 5'000'000'000);
}

// The engine against times computed by hand. Links of 1 ps a byte make bytes and times one number.
#include "tests/catch.hpp"
#include "tests/sim/engine/network_builder.hpp"

using namespace ringlab;
using namespace ringlab::engine;
using ringlab::engine::test::Builder;

namespace {

constexpr Options kKeep{true, true};

}  // namespace

TEST_CASE("one message: bytes over the slower port, and the latency once") {
  Builder b(2);
  b.pass(0, 1, 1000, b.path({b.link(1), b.link(3)}, 50));
  const Outcome outcome = run(b.work(), kKeep);
  CHECK(outcome.blocked.empty());
  CHECK(outcome.ranks[0].finish == 3000);  // the last byte has left
  CHECK(outcome.ranks[1].finish == 3050);
  CHECK(outcome.total == 3050);
  CHECK(outcome.message_times[0].receive.start == 50);
  CHECK(outcome.links[0].busy == 3000);  // cut through, it is held as long as the slower one
  CHECK(outcome.links[1].bytes == 1000);
}

TEST_CASE("a switch that stores and forwards takes the whole message first") {
  Builder b(2);
  b.pass(0, 1, 1000, b.path({b.link(1), b.link(3)}, 50, true));
  const Outcome outcome = run(b.work());
  CHECK(outcome.ranks[0].finish == 1000);
  CHECK(outcome.total == 1000 + 50 + 3000 + 50);
}

TEST_CASE("messages that meet on a link queue: first come, first served") {
  Builder b(6);
  const Id shared = b.link(1);
  // Rank 0 sends at 0, rank 1 at 10, rank 2 at 5, all through one link.
  b.compute(1, 10);
  b.compute(2, 5);
  const Id path = b.path({shared});
  b.pass(0, 3, 100, path);
  b.pass(1, 4, 100, path);
  b.pass(2, 5, 100, path);
  const Outcome outcome = run(b.work());
  CHECK(outcome.ranks[3].finish == 100);
  CHECK(outcome.ranks[5].finish == 200);
  CHECK(outcome.ranks[4].finish == 300);
  CHECK(outcome.links[0].busy == 300);
  CHECK(outcome.links[0].messages == 3);
  CHECK(outcome.links[0].queued == 95 + 190);
  CHECK(outcome.links[0].most_queued == 190);
  // Without queues each goes alone.
  CHECK(run(b.work(), {false, false}).total == 110);
}

TEST_CASE("stored messages queue behind the switch in the order in which they come there") {
  Builder b(4);
  const Id in = b.link(1);
  b.pass(0, 2, 100, b.path({b.link(1), in}, 0, true));  // at the switch at 100
  b.pass(1, 3, 40, b.path({b.link(2), in}, 0, true));   // at 80: before it
  const Outcome outcome = run(b.work());
  CHECK(outcome.ranks[3].finish == 120);
  CHECK(outcome.ranks[2].finish == 220);
}

TEST_CASE("messages that share a link get equal parts of it") {
  Builder b(4);
  const Id path = b.path({b.link(1, true)}, 7);
  b.pass(0, 1, 100, path);
  b.compute(2, 20);
  b.pass(2, 3, 50, path);
  // 0 -> 1 has sent 20 when the other comes; then half speed: 2 -> 3 takes 100, and 30 are left.
  const Outcome outcome = run(b.work(), kKeep);
  CHECK(outcome.ranks[2].finish == 120);
  CHECK(outcome.ranks[3].finish == 127);
  CHECK(outcome.ranks[0].finish == 150);
  CHECK(outcome.ranks[1].finish == 157);
  CHECK(outcome.links[0].busy == 150);
  CHECK(outcome.links[0].bytes == 150);
  CHECK(outcome.ranks[0].transfer == 150);
  CHECK(outcome.message_times[0].receive.start == 7);
}

TEST_CASE("a message starts when both ends have come to it") {
  Builder b(2);
  b.compute(1, 500);
  b.pass(0, 1, 100, b.path({b.link(1)}, 1));
  CHECK(run(b.work()).total == 601);
}

TEST_CASE("what is begun on one channel runs in order; channels run side by side") {
  for (const bool one_channel : {true, false}) {
    Builder b(3);
    const Id slow = b.path({b.link(10)}), fast = b.path({b.link(1)});
    const Id first = b.message(100, slow), second = b.message(100, fast);
    const Id g = b.group(0, 0, {first}, {}), h = b.group(0, one_channel ? 0 : 1, {second}, {});
    b.begin(0, g);
    b.begin(0, h);
    b.wait(0, h);
    b.wait(0, g);
    const Id r = b.group(1, 2, {}, {first}), s = b.group(2, 3, {}, {second});
    b.begin(1, r);
    b.wait(1, r);
    b.begin(2, s);
    b.wait(2, s);
    const Outcome outcome = run(b.work());
    CHECK(outcome.blocked.empty());
    CHECK(outcome.ranks[2].finish == (one_channel ? 1100 : 100));
    CHECK(outcome.total == (one_channel ? 1100 : 1000));
  }
}

TEST_CASE("transfer under computation is hidden, the rest exposed") {
  Builder b(2);
  const Id m = b.message(100, b.path({b.link(1)}, 10));
  const Id g = b.group(0, 0, {m}, {}), h = b.group(1, 1, {}, {m});
  b.begin(0, g);
  b.compute(0, 30);
  b.wait(0, g);
  b.compute(0, 5);
  b.begin(1, h);
  b.compute(1, 300);
  b.wait(1, h);
  const Outcome outcome = run(b.work());
  CHECK(outcome.ranks[0].transfer == 100);
  CHECK(outcome.ranks[0].hidden == 30);
  CHECK(outcome.ranks[0].compute == 35);
  CHECK(outcome.ranks[0].finish == 105);
  CHECK(outcome.ranks[1].transfer == 100);
  CHECK(outcome.ranks[1].hidden == 100);
  CHECK(outcome.total == 300);
}

TEST_CASE("a copy to the host has one end and a link of its own") {
  Builder b(1);
  const Id m = b.message(100, b.path({b.link(2)}, 3));
  const Id g = b.group(0, 0, {m}, {});
  b.begin(0, g);
  b.compute(0, 50);
  b.wait(0, g);
  const Outcome outcome = run(b.work());
  CHECK(outcome.blocked.empty());
  CHECK(outcome.total == 200);
  CHECK(outcome.ranks[0].hidden == 50);
}

TEST_CASE("a deadlock is told as the cycle of who waits for whom") {
  // Each of three ranks waits for its receive before it sends; a fourth waits for one of them.
  Builder b(4);
  const Id path = b.path({b.link(1)});
  std::vector<Id> messages;
  for (int r = 0; r < 3; ++r) messages.push_back(b.message(8, path));
  const Id extra = b.message(8, path);
  for (Id r = 0; r < 3; ++r) {
    const Id in = b.group(r, 2 * r, {}, {messages[static_cast<std::size_t>((r + 2) % 3)]});
    const Id out = b.group(r, 2 * r, {messages[static_cast<std::size_t>(r)]}, {});
    b.begin(r, in);
    b.wait(r, in);
    b.begin(r, out);
    b.wait(r, out);
  }
  const Id late = b.group(2, 4, {extra}, {});
  b.begin(2, late);
  const Id last = b.group(3, 7, {}, {extra});
  b.begin(3, last);
  b.wait(3, last);
  const Outcome outcome = run(b.work());
  REQUIRE(outcome.blocked.size() == 4);
  const std::vector<std::size_t> cycle = waiting_cycle(outcome.blocked);
  REQUIRE(cycle.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const Blocked& one = outcome.blocked[cycle[i]];
    CHECK(one.peer == outcome.blocked[cycle[(i + 1) % 3]].rank);
    CHECK(one.rank != 3);
    CHECK_FALSE(one.sending);
  }
}

TEST_CASE("a message that nobody receives leaves its sender blocked, without a cycle") {
  Builder b(2);
  const Id m = b.message(8, b.path({b.link(1)}));
  const Id g = b.group(0, 0, {m}, {});
  b.group(1, 1, {}, {m});  // never begun
  b.begin(0, g);
  b.wait(0, g);
  const Outcome outcome = run(b.work());
  REQUIRE(outcome.blocked.size() == 1);
  CHECK(outcome.blocked[0].rank == 0);
  CHECK(outcome.blocked[0].peer == 1);
  CHECK(outcome.blocked[0].sending);
  CHECK(waiting_cycle(outcome.blocked).empty());
}

TEST_CASE("from its loss on a link carries nothing, and those who wait are known") {
  for (const bool fair : {false, true}) {
    Builder b(3);
    const Id line = b.link(1, fair);
    const Id path = b.path({line});
    b.pass(0, 1, 100, path);  // done at 100
    b.pass(0, 1, 100, path);  // would be done at 200
    b.pass(1, 2, 10, b.path({b.link(1)}));
    b.work().links[static_cast<std::size_t>(line)].lost_at = 150;
    const Outcome outcome = run(b.work());
    REQUIRE(outcome.blocked.size() == 3);
    CHECK(outcome.lost == std::vector<Id>{1});
    CHECK(outcome.blocked[0].lost);
    CHECK(outcome.blocked[1].lost);
    CHECK_FALSE(outcome.blocked[2].lost);
    CHECK(outcome.blocked[2].peer == 1);
    CHECK(outcome.blocked[0].since == 100);
    b.work().links[static_cast<std::size_t>(line)].lost_at = 200;  // just in time
    CHECK(run(b.work()).blocked.empty());
  }
}

TEST_CASE("a run that would outlast the clock stops and says so") {
  Builder b(1);
  b.compute(0, kLatestTime / 2 + 1);
  b.compute(0, kLatestTime / 2 + 1);
  CHECK(run(b.work()).too_long);
}

// Random workloads: what holds for every one of them, found from the kept times alone.
#include <algorithm>
#include <random>

#include "ringlab/sim/engine/event_queue.hpp"
#include "tests/catch.hpp"
#include "tests/sim/engine/network_builder.hpp"

using namespace ringlab;
using namespace ringlab::engine;
using ringlab::engine::test::Builder;

namespace {

using Spans = std::vector<Span>;

bool overlap(Spans spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return a.start != b.start ? a.start < b.start : a.end < b.end;
  });
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].start < spans[i - 1].end) return true;
  }
  return false;
}

// By events on a line, not by windows as the engine does.
Picoseconds covered(const Spans& of, const Spans* within) {
  std::vector<std::array<Picoseconds, 3>> edges;  // time, change of `of`, change of `within`
  for (const Span& s : of) {
    edges.push_back({s.start, 1, 0});
    edges.push_back({s.end, -1, 0});
  }
  if (within) {
    for (const Span& s : *within) {
      edges.push_back({s.start, 0, 1});
      edges.push_back({s.end, 0, -1});
    }
  }
  std::sort(edges.begin(), edges.end());
  Picoseconds sum = 0, last = 0, a = 0, b = 0;
  for (const auto& [time, da, db] : edges) {
    if (a > 0 && (b > 0 || !within)) sum += time - last;
    last = time;
    a += da;
    b += db;
  }
  return sum;
}

struct Drawn {
  Builder builder;
  std::vector<std::vector<Id>> message_links;  // of each message
  bool fair = false;
};

// Rounds of computation and exchanges between random ranks, waited for one round later.
Drawn draw(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<Id>(random() % n); };
  const int ranks = 2 + below(6), rounds = 1 + below(5);
  Drawn drawn{Builder(ranks), {}, seed % 3 == 2};
  Builder& b = drawn.builder;
  const bool stored = seed % 3 == 1;
  std::vector<Id> out, in;
  for (int r = 0; r < ranks; ++r) {
    out.push_back(b.link(0.5 + below(4), drawn.fair));
    in.push_back(b.link(0.5 + below(4), drawn.fair));
  }
  std::vector<std::vector<Id>> begun(static_cast<std::size_t>(ranks));
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::vector<Id>> sends(static_cast<std::size_t>(ranks)), receives = sends;
    for (int i = below(static_cast<unsigned>(2 * ranks)); i > 0; --i) {
      const auto from = static_cast<std::size_t>(below(static_cast<unsigned>(ranks)));
      const auto to = static_cast<std::size_t>(below(static_cast<unsigned>(ranks)));
      if (from == to) continue;
      const Id m = b.message(below(1000), b.path({out[from], in[to]}, below(30), stored));
      drawn.message_links.push_back({out[from], in[to]});
      sends[from].push_back(m);
      receives[to].push_back(m);
    }
    for (int r = 0; r < ranks; ++r) {
      const auto rank = static_cast<std::size_t>(r);
      begun[rank].push_back(b.group(r, r, sends[rank], receives[rank]));
      b.begin(r, begun[rank].back());
      b.compute(r, below(1500));
      if (round > 0) b.wait(r, begun[rank][static_cast<std::size_t>(round - 1)]);
    }
  }
  for (int r = 0; r < ranks; ++r) b.wait(r, begun[static_cast<std::size_t>(r)].back());
  return drawn;
}

}  // namespace

TEST_CASE("no lane is busy twice, and busy, hidden and queued times are what the spans say") {
  for (unsigned seed = 0; seed < 600; ++seed) {
    INFO("seed " << seed);
    Drawn drawn = draw(seed);
    const Workload& work = drawn.builder.work();
    const Outcome outcome = run(work, {true, true});
    REQUIRE(outcome.blocked.empty());
    std::vector<Spans> sends(work.links.size());
    const auto ranks = static_cast<std::size_t>(work.ranks());
    std::vector<Spans> transfers(ranks), computes(ranks);
    Picoseconds last = 0;
    for (std::size_t m = 0; m < work.messages.size(); ++m) {
      const Message& message = work.messages[m];
      const MessageTimes& times = outcome.message_times[m];
      REQUIRE(times.send.end >= times.send.start);
      const auto from =
          static_cast<std::size_t>(work.groups[static_cast<std::size_t>(message.sender)].rank);
      const auto to =
          static_cast<std::size_t>(work.groups[static_cast<std::size_t>(message.receiver)].rank);
      transfers[from].push_back(times.send);
      transfers[to].push_back(times.receive);
      last = std::max({last, times.send.end, times.receive.end});
      const auto& links = drawn.message_links[m];
      const Picoseconds latency = work.paths[static_cast<std::size_t>(message.path)].latency;
      sends[static_cast<std::size_t>(links[0])].push_back(times.send);
      // As the link sees it, before the latency.
      sends[static_cast<std::size_t>(links[1])].push_back(
          {times.receive.start - latency, times.receive.end - latency});
    }
    for (std::size_t l = 0; l < work.links.size(); ++l) {
      if (!drawn.fair) CHECK_FALSE(overlap(sends[l]));
      CHECK(outcome.links[l].busy == covered(sends[l], nullptr));
    }
    for (std::size_t r = 0; r < ranks; ++r) {
      for (std::int64_t o = work.first_op[r]; o < work.first_op[r + 1]; ++o) {
        const auto op = static_cast<std::size_t>(o);
        if (work.ops[op].kind() == OpKind::compute) computes[r].push_back(outcome.op_times[op]);
      }
      CHECK_FALSE(overlap(computes[r]));
      CHECK(outcome.ranks[r].compute == covered(computes[r], nullptr));
      CHECK(outcome.ranks[r].transfer == covered(transfers[r], nullptr));
      CHECK(outcome.ranks[r].hidden == covered(transfers[r], &computes[r]));
      for (const Span& s : computes[r]) last = std::max(last, s.end);
    }
    CHECK(outcome.total == last);
    const Outcome again = run(work, {true, false});
    CHECK(again.total == outcome.total);
    CHECK(again.events == outcome.events);
    const Outcome alone = run(work, {false, false});
    CHECK(alone.total <= outcome.total);
  }
}

TEST_CASE("the queue gives events back in order, whatever the order in which they came") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    EventQueue queue;
    std::vector<Event> left;
    for (int i = 0; i < 300; ++i) {
      if (!left.empty() && random() % 3 == 0) {
        const auto least = std::min_element(left.begin(), left.end(),
                                            [](const auto& a, auto& b) { return a.before(b); });
        const Event event = queue.pop();
        REQUIRE((event.time == least->time && event.key == least->key));
        left.erase(least);
      } else {
        left.push_back({static_cast<std::int64_t>(random() % 50), random() % 1000});
        queue.push(left.back());
      }
    }
    CHECK(queue.size() == left.size());
  }
}

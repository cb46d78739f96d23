// Three laws, over every family of schedules, layout and mask on clusters of every kind: what is
// sent is received and stands in the ledger; no lane is busy twice at once; no run is faster than
// its lower bounds. And where nothing queues, a run is as fast as its longest chain.
#include <map>

#include "ringlab/reference/trace/overlap.hpp"
#include "tests/catch.hpp"
#include "tests/families.hpp"
#include "tests/sim/run/crossbar.hpp"

using namespace ringlab;

namespace {

// Every third case sends its results in 16 bits.
ElementBytes element_of(int id) {
  return {2, 4, id % 3 == 0 ? 2 : 0};
}

// One of eight kinds of cluster with room for 16 ranks, slow enough that messages meet.
Cluster cluster_number(int number) {
  Cluster cluster = test::crossbar(16, 1e7 * (1 + number % 3), number % 2 * 3e-6);
  Level& level = cluster.levels[0];
  switch (number % 8) {
    case 0:
      break;
    case 1:
      level.store_and_forward = true;
      break;
    case 2:
      level.fair_share = true;
      break;
    case 3:
      level.kind = LevelKind::bus;
      break;
    case 4:
      level.kind = LevelKind::bus;
      level.fair_share = true;
      break;
    case 5:
      level.kind = LevelKind::torus;
      level.dimensions = {4, 2, 2};
      break;
    case 6:
      level.size = 4;
      cluster.levels.push_back({.name = "rail", .size = 4, .link = {3e6, 5e-6}});
      break;
    case 7:
      level.size = 2;
      cluster.levels.push_back(
          {.name = "rail", .size = 4, .link = {9e6, 5e-6}, .gpus_per_link = 2});
      cluster.levels.push_back({.name = "row",
                                .size = 2,
                                .kind = LevelKind::bus,
                                .link = {2e6, 1e-5},
                                .fair_share = true});
      break;
  }
  return cluster;
}

bool one_at_a_time(const Trace& trace, Lane lane) {
  std::map<int, std::int64_t> free_at;
  std::vector<TraceEvent> events = trace.events;  // by start
  for (const TraceEvent& e : events) {
    if (e.lane != lane) continue;
    if (e.start_nanoseconds < free_at[e.rank]) return false;
    free_at[e.rank] = e.end_nanoseconds;
  }
  return true;
}

struct Drawn {
  std::string text;
  Schedule schedule;
  SimOptions options;
};

void hold(const Drawn& run, const SimResult& result) {
  INFO(run.text);
  const Ledger ledger = make_ledger(run.schedule, run.options.mask, run.options.element);
  const auto ranks = static_cast<std::size_t>(run.schedule.size());
  REQUIRE(result.ranks.size() == ranks);
  // Law one.
  std::vector<Index> sent(ranks, 0), received(ranks, 0), messages(ranks, 0);
  for (const TraceEvent& e : result.trace.events) {
    const auto r = static_cast<std::size_t>(e.rank);
    if (e.lane == Lane::send) {
      sent[r] += e.bytes;
      ++messages[r];
    }
    if (e.lane == Lane::receive) received[r] += e.bytes;
  }
  Index all_sent = 0, all_received = 0, peak_matches = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    const RankLedger& due = ledger.ranks[r];
    const RankResult& rank = result.ranks[r];
    CHECK(sent[r] == due.bytes_sent);
    CHECK(received[r] == due.bytes_received);
    CHECK(messages[r] == due.messages_sent);
    CHECK(rank.bytes_sent == due.bytes_sent);
    CHECK(rank.bytes_received == due.bytes_received);
    CHECK(rank.messages_sent == due.messages_sent);
    CHECK(rank.messages_received == due.messages_received);
    CHECK(rank.flops == Approx(due.flops));
    peak_matches += rank.memory.total() == due.peak_bytes;
    all_sent += rank.bytes_sent;
    all_received += rank.bytes_received;
    // The tiles of the ledger at the given rate; each is rounded to a picosecond.
    double compute = 0;
    for (const TileWork& tile : due.tiles) {
      if (tile.pairs > 0) compute += tile.flops / 1e9;
    }
    CHECK(static_cast<double>(rank.compute) * 1e-12 ==
          Approx(compute).margin(1e-12 * static_cast<double>(due.tiles.size())));
  }
  CHECK(peak_matches == static_cast<Index>(ranks));
  CHECK(all_sent == all_received);
  // Law two. Several messages may be under way at once where a rank has several ports, or shares.
  CHECK(one_at_a_time(result.trace, Lane::compute));
  const Cluster& cluster = run.options.cluster;
  if (cluster.levels.size() == 1 && cluster.levels[0].kind != LevelKind::torus &&
      !cluster.levels[0].fair_share) {
    CHECK(one_at_a_time(result.trace, Lane::send));
    CHECK(one_at_a_time(result.trace, Lane::receive));
  }
  for (const LinkResult& link : result.links) CHECK(link.busy <= result.total);
  // Times of the summary against those of the trace, which drops fractions of nanoseconds.
  for (const Overlap& seen : overlap_by_rank(result.trace)) {
    const RankResult& rank = result.ranks[static_cast<std::size_t>(seen.rank)];
    const auto slack = static_cast<double>(2 * result.trace.events.size());
    CHECK(static_cast<double>(rank.transfer) * 1e-3 ==
          Approx(static_cast<double>(seen.transfer_nanoseconds)).margin(slack));
    CHECK(static_cast<double>(rank.hidden) * 1e-3 ==
          Approx(static_cast<double>(seen.hidden_nanoseconds)).margin(slack));
    CHECK(rank.exposed + rank.hidden == rank.transfer);
  }
  // Law three. A bound is a sum of rounded times: one part in 1e9, and a nanosecond.
  REQUIRE(result.bounds.size() >= 3);
  for (const LowerBound& bound : result.bounds) {
    INFO(bound.name);
    CHECK(result.seconds() >= bound.seconds * (1 - 1e-9) - 1e-9);
  }
  if (cluster.levels.size() == 1 && cluster.levels[0].kind == LevelKind::crossbar &&
      run.schedule.name == "ring") {
    CHECK(result.seconds() == result.bounds.back().seconds);  // one neighbour in, one out
  }
}

}  // namespace

TEST_CASE("bytes, lanes and lower bounds of every family on every kind of cluster") {
  int runs = 0, chunked = 0;
  for (int id = 0; id < test::sample(150); ++id) {
    for (const CatalogEntry& entry : schedule_catalog()) {
      const test::Case c = test::fit_case(test::make_case(id), entry);
      const ScheduleProblem problem = test::problem_for(c, entry);
      for (const bool backward : {false, true}) {
        if (backward && !entry.backward) continue;
        Drawn run{c.text() + " " + entry.name + (backward ? " backward" : "") + " cluster " +
                      std::to_string((id + runs) % 24),
                  backward ? backward_of(entry, problem) : forward_of(entry, problem),
                  test::bare(cluster_number((id + runs) % 24), 1e9)};
        run.options.mask = c.rule.mask;
        run.options.element = element_of(id);
        run.options.keep_trace = true;
        const SimResult result = simulate(run.schedule, run.options);
        hold(run, result);
        ++runs;
        if (runs % 7 != 0) continue;
        ++chunked;  // a few ranks at a time, and a trace less, change nothing
        run.options.keep_trace = false;
        const SimResult parts = simulate(entry, problem, backward, run.options);
        CHECK(parts.total == result.total);
        CHECK(parts.bounds.back().seconds == result.bounds.back().seconds);
      }
    }
  }
#ifdef NDEBUG
  CHECK(runs >= 2000);
  CHECK(chunked >= 250);
#endif
}

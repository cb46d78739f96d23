// Rings whose time is known: published tables, and another simulator's results to the nanosecond.
#include <cmath>
#include <numeric>

#include "ringlab/reference/trace/overlap.hpp"
#include "tests/catch.hpp"
#include "tests/sim/run/crossbar.hpp"

using namespace ringlab;
using ringlab::test::bare;
using ringlab::test::crossbar;
using ringlab::test::plain_problem;

namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

SimResult ring(const ScheduleProblem& problem, const SimOptions& options, bool backward = false) {
  return simulate(catalog_entry("ring"), problem, backward, options);
}

// A ring with room for every block: all exchanges are posted at once, so that a block is passed on
// when it has come, whatever its rank computes. (The house's ring keeps two slots, and a slow rank
// holds its neighbours up.)
Schedule ring_with_room_for_all(const ScheduleProblem& problem) {
  Schedule schedule = empty_schedule(problem, "ring with room for all", false, problem.ranks());
  const int ranks = problem.ranks();
  for (int rank = 0; rank < ranks; ++rank) {
    ProgramBuilder program(schedule, rank);
    const RingSeat seat(all_ranks(ranks), rank, problem.rotation);
    const BufferId query = program.buffer("query", whole_shard(schedule, Quantity::query, rank));
    std::vector<BufferId> blocks = {
        program.buffer("kv", whole_shard(schedule, Quantity::key_value, rank))};
    const BufferId partial = program.buffer("partial");
    std::vector<int> passed;
    const auto block = [&](int hop) {
      return whole_shard(schedule, Quantity::key_value, seat.origin(hop));
    };
    for (int hop = 0; hop + 1 < ranks; ++hop) {
      blocks.push_back(program.buffer("block"));
      passed.push_back(program.exchange(hop, {{seat.to(), blocks[hop], block(hop)}},
                                        {{seat.from(), blocks[hop + 1], block(hop + 1)}}));
    }
    for (int hop = 0; hop < ranks; ++hop) {
      if (hop > 0) program.wait(hop, passed[static_cast<std::size_t>(hop - 1)]);
      program.add(hop, Attend{query, blocks[static_cast<std::size_t>(hop)], partial});
    }
  }
  return schedule;
}

}  // namespace

TEST_CASE("a full ring takes t_c + (N - 1) max(t_c, t_m): the published table") {
  struct Row {
    double link, tokens, total, efficiency;  // GB/s, tokens a rank, microseconds
  };
  // d = 4096, N = 8, 312 TFLOP/s, no latency.
  const Row rows[] = {{300, 512, 209.500, .5257},    {300, 1024, 446.532, .9865},
                      {300, 1040, 454.383, 1.0},     {300, 2048, 1762.038, 1.0},
                      {12.5, 1024, 9450.305, .0466}, {12.5, 8192, 78686.003, .3583},
                      {12.5, 24960, 261724.570, 1.0}};
  for (const Row& row : rows) {
    INFO(row.link << " GB/s, " << row.tokens);
    const auto n = static_cast<Index>(row.tokens);
    const SimResult result = ring(plain_problem(LayoutKind::contiguous, 8 * n, 8, 32, 32, 128),
                                  bare(crossbar(8, row.link * 1e9), 312e12));
    const double compute = 4 * 4096 * row.tokens * row.tokens / 312e12;
    const double transfer = 4 * row.tokens * 4096 / (row.link * 1e9);
    // Whole picoseconds in each of 15 steps of at least 13 microseconds.
    CHECK(result.seconds() ==
          Approx(compute + 7 * std::max(compute, transfer)).epsilon(1e-6).margin(0));
    CHECK(result.seconds() * 1e6 == Approx(row.total).epsilon(0).margin(5.1e-4));  // as printed
    CHECK(8 * compute / result.seconds() == Approx(row.efficiency).epsilon(0).margin(5.1e-5));
  }
}

TEST_CASE("the knee lies where a block is F / B tokens long") {
  for (const auto& [flops, link] : std::vector<std::pair<double, double>>{
           {312e12, 300e9}, {312e12, 12.5e9}, {123e12, 112e9}, {275e12, 268e9}, {196e12, 186e9}}) {
    const double knee = flops / link;
    const auto exposed = [&](double tokens) {
      const SimResult result = ring(
          plain_problem(LayoutKind::contiguous, 8 * static_cast<Index>(tokens), 8, 32, 32, 128),
          bare(crossbar(8, link), flops));
      Picoseconds sum = 0;
      for (const RankResult& rank : result.ranks) sum += rank.exposed;
      return sum;
    };
    INFO(knee);
    CHECK(exposed(std::ceil(knee)) == 0);
    CHECK(exposed(std::floor(knee) - 1) > 0);
  }
}

TEST_CASE("balanced causal blocks hide at twice that length, grouped heads at a fraction") {
  const double flops = 100e12, link = 100e9;
  for (const int kv_heads : {32, 8}) {
    const double full = kv_heads * 2 * flops / (2 * 32 * link);  // Hkv b F / (2 Hq BW)
    for (const double factor : {0.96, 1.04}) {
      const auto n = static_cast<Index>(2 * full * factor) / 2 * 2;
      SimOptions options = bare(crossbar(8, link), flops);
      options.mask.causal = true;
      const SimResult result =
          ring(plain_problem(LayoutKind::zigzag, 8 * n, 8, 32, kv_heads, 128), options);
      INFO(kv_heads << " " << factor);
      CHECK((result.ranks[3].exposed == 0) == (factor > 1));
    }
  }
}

TEST_CASE("five rings of another simulator, to the nanosecond") {
  // 8 ranks of 16384 tokens, 32 query and 8 key/value heads of 128: a block is 64 MiB. A full tile
  // is 4.398e12 FLOP there, rounded from 4 * 32 * 128 * 16384^2, at 989 TFLOP/s.
  const Index n = 16384;
  const double exact = 4.0 * 32 * 128 * static_cast<double>(n) * static_cast<double>(n);
  const auto problem = [&](LayoutKind layout) {
    return plain_problem(layout, 8 * n, 8, 32, 8, 128);
  };
  // `flops` is what a full tile is said to take; latency 500 ns.
  const auto options = [&](double flops, double gib_per_second, bool causal) {
    SimOptions o = bare(crossbar(8, gib_per_second * kGiB, 500e-9), 989e12 * exact / flops);
    o.mask.causal = causal;
    return o;
  };
  SECTION("compute bound: N c, nothing exposed") {
    const SimResult result = ring(problem(LayoutKind::contiguous), options(4.398e12, 50, false));
    CHECK(result.nanoseconds() == 35575328);
    for (const RankResult& rank : result.ranks) CHECK(rank.exposed == 0);
  }
  SECTION("bound by the link: (N - 1)(M/B + L) + c") {
    CHECK(ring(problem(LayoutKind::contiguous), options(1e11, 50, false)).nanoseconds() == 8854612);
  }
  SECTION("through a switch that stores and forwards: (N - 1) 2 (M/B + L) + c") {
    SimOptions o = options(1e12, 50, false);
    o.cluster.levels[0].store_and_forward = true;
    CHECK(ring(problem(LayoutKind::contiguous), o).nanoseconds() == 18518122);
  }
  SECTION("causal and contiguous, blocks passed on as they come") {
    const SimResult result = simulate(ring_with_room_for_all(problem(LayoutKind::contiguous)),
                                      options(4.398e12, 25, true));
    // The diagonal tile, half of a full one and its diagonal, hides under the first transfer.
    CHECK(result.ranks[7].finish / 1000 == 33628912);
    CHECK(result.ranks[0].finish / 1000 == 17503500);
    CHECK(result.nanoseconds() == 33628912);
  }
  SECTION("causal and zigzag: (N - 1)(M/B + L) + c/2 on every rank") {
    const SimResult result = ring(problem(LayoutKind::zigzag), options(4.398e12, 25, true));
    for (const RankResult& rank : result.ranks) CHECK(rank.finish / 1000 == 19726958);
  }
}

TEST_CASE("with two slots a slow rank holds up the neighbour that it feeds") {
  // The house's own ring on the fourth case: rank 0 sees no more of its blocks than rank 7 passes.
  const ScheduleProblem problem = plain_problem(LayoutKind::contiguous, 8 * 16384, 8, 32, 8, 128);
  SimOptions options = bare(crossbar(8, 25 * kGiB, 500e-9), 989e12);
  options.mask.causal = true;
  const SimResult two_slots = ring(problem, options);
  const SimResult all = simulate(ring_with_room_for_all(problem), options);
  CHECK(two_slots.ranks[0].finish > all.ranks[0].finish);
  CHECK(two_slots.total >= all.total);
}

TEST_CASE("Ulysses without contention: each all-to-all moves (R - 1) / R of the shards") {
  const int ranks = 4;
  const Index n = 1024;
  const SimResult result = simulate(
      catalog_entry("ulysses"), plain_problem(LayoutKind::contiguous, ranks * n, ranks, 8, 8, 64),
      false, bare(crossbar(ranks, 1e9), 1e15));
  const double part = static_cast<double>(n) * 8 * 64 * 3 / 4.0;  // elements sent of one tensor
  // Queries, keys and values of 2 bytes there; output and lse of 4 bytes back.
  const double seconds = (3 * part * 2 + part * 4 + static_cast<double>(n) * 8 * 3 / 4.0 * 4) / 1e9;
  const double compute = 4.0 * 64 * 2 * std::pow(ranks * n, 2) / 1e15;
  CHECK(result.seconds() == Approx(seconds + compute).epsilon(1e-9));
}

TEST_CASE("two rings through one shared link take turns") {
  // A ring of two over a bus: both blocks cross the same link, one after the other, or each at half
  // speed; either way a hop takes twice as long as with ports of its own.
  const ScheduleProblem problem = plain_problem(LayoutKind::contiguous, 2 * 1000, 2, 1, 1, 64);
  const double block = 1000.0 * 2 * 64 * 2, tile = 4.0 * 64 * 1e6 / 1e15;
  for (const bool fair : {false, true}) {
    SimOptions options = bare(crossbar(2, 1e9), 1e15);
    options.cluster.levels[0].kind = LevelKind::bus;
    options.cluster.levels[0].fair_share = fair;
    const SimResult result = ring(problem, options);
    CHECK(result.seconds() == Approx(2 * block / 1e9 + tile).epsilon(1e-9));
    REQUIRE(result.links.size() == 1);
    CHECK(result.links[0].bytes == 2 * static_cast<Index>(block));
    CHECK(result.links[0].busy == Approx(2 * block / 1e9 * 1e12));
    // The second waits for the first, or both are late by half of their time.
    CHECK(static_cast<double>(result.links[0].queued) * 1e-12 ==
          Approx((fair ? 2 : 1) * block / 1e9).epsilon(1e-9));
  }
}

TEST_CASE("eight GPUs behind one network card share it") {
  const auto seconds = [](int gpus_per_link, bool fair_share) {
    SimOptions options = bare(crossbar(2, 1e12), 1e15);
    options.cluster.levels.push_back({.name = "rail",
                                      .size = 2,
                                      .link = {1e9, 0},
                                      .gpus_per_link = gpus_per_link,
                                      .fair_share = fair_share});
    // All pairs of one node with the other: every rank sends two blocks out, and two come in.
    return simulate(catalog_entry("all_gather"),
                    plain_problem(LayoutKind::contiguous, 4 * 1000, 4, 1, 1, 64), false, options)
        .seconds();
  };
  const double block = 1000.0 * 2 * 64 * 2 / 1e9;
  CHECK(seconds(1, true) == Approx(2 * block).epsilon(0.01));
  CHECK(seconds(2, true) == Approx(4 * block).epsilon(0.01));
  CHECK(seconds(2, false) == Approx(4 * block).epsilon(0.01));
  // In turns, one at a time, a message waits at its own port for a receiver that is busy.
  CHECK(seconds(1, false) == Approx(3 * block).epsilon(0.01));
}

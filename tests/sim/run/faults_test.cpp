// What slows a run down or stops it: stragglers, jitter, a lost link, a deadlock, wrong options.
#include "tests/catch.hpp"
#include "tests/sim/run/crossbar.hpp"

using namespace ringlab;
using Catch::Matchers::Contains;
using ringlab::test::bare;
using ringlab::test::crossbar;
using ringlab::test::plain_problem;

namespace {

ScheduleProblem problem_of(int ranks) {
  return plain_problem(LayoutKind::contiguous, 1000 * ranks, ranks, 1, 1, 64);
}

// A tile takes 256 us, a block 25.6 us.
SimOptions options_of(int ranks) {
  return bare(crossbar(ranks, 1e10), 1e12);
}

SimResult ring(int ranks, const SimOptions& options, bool backward = false) {
  return simulate(catalog_entry("ring"), problem_of(ranks), backward, options);
}

template <class Call>
std::string field_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.field();
  }
  return "";
}

}  // namespace

TEST_CASE("a ring is as slow as its slowest rank") {
  SimOptions options = options_of(4);
  options.stragglers = {{2, 1.5}};
  const SimResult result = ring(4, options);
  CHECK(result.seconds() == Approx(4 * 1.5 * 256e-6).epsilon(1e-9));
  CHECK(result.ranks[2].compute == 3 * result.ranks[1].compute / 2);
  CHECK(result.ranks[2].straggler == 1.5);
  CHECK(result.tightest().name == "compute of rank 2");
}

// A hop of 256 us hides a message of 128 us (see above: 4 ranks, one rate, no latency); with one
// port four times slower a message takes 512 us, and from its first crossing on everybody waits for
// that port: it goes on without a break, and the last block still has its tile.
TEST_CASE("a slow link sets the pace of the ring, and only the messages over it take longer") {
  SimOptions options = options_of(4);
  const SimResult plain = ring(4, options);
  const auto link_named = [](const SimResult& r, const std::string& name) {
    for (const LinkResult& l : r.links) {
      if (l.name == name) return l;
    }
    FAIL("no link " << name);
    return LinkResult{};
  };
  const auto busy = static_cast<double>(link_named(plain, "node gpu1 out").busy);
  const double factor = 4 * 256e-6 / (busy / 3 * 1e-12);  // a message takes four tiles
  options.slow_links = {{1, 2, factor}};
  const SimResult slow = ring(4, options);
  CHECK(static_cast<double>(link_named(slow, "node gpu1 out").busy) ==
        Approx(factor * busy).epsilon(1e-9));
  CHECK(link_named(slow, "node gpu0 out").bytes_per_second ==
        link_named(plain, "node gpu0 out").bytes_per_second);
  CHECK(link_named(slow, "node gpu1 out").bytes_per_second ==
        Approx(link_named(plain, "node gpu1 out").bytes_per_second / factor));
  // Three messages of four tiles one after another, and the tile of the last block.
  CHECK(slow.seconds() == Approx((3 * 4 + 1) * 256e-6).epsilon(1e-9));
  for (const LowerBound& bound : slow.bounds) CHECK(bound.seconds <= slow.seconds() * (1 + 1e-12));
}

TEST_CASE("jitter only delays, and is drawn by seed") {
  SimOptions options = options_of(4);
  const SimResult calm = ring(4, options);
  options.jitter = 0.1;
  const SimResult one = ring(4, options), same = ring(4, options);
  options.seed = 2;
  const SimResult other = ring(4, options);
  CHECK(one.total == same.total);
  CHECK(one.total != other.total);
  CHECK(one.total > calm.total);
  CHECK(other.total > calm.total);
  CHECK(one.seconds() < 2 * calm.seconds());
  // The mean of |normal| is .8: sixteen draws are within three of their deviations, .6 / 4 each.
  double mean = 0;
  for (const RankResult& rank : one.ranks) mean += static_cast<double>(rank.compute);
  mean /= 4 * static_cast<double>(calm.ranks[0].compute);
  CHECK(mean == Approx(1.08).margin(0.045));
}

TEST_CASE("a lost link ends the run with the link, the time and who waits") {
  SimOptions options = options_of(4);
  options.link_loss = LinkLoss{1, 2, 300e-6};
  const auto run = [&] { ring(4, options); };
  CHECK_THROWS_AS(run(), RunError);
  CHECK_THROWS_WITH(run(), Contains("link 'node gpu1 out' was lost at 300.000 us") &&
                               Contains("rank 1 waits for rank 2") &&
                               Contains("rank 2 waits for rank 1") && Contains("kv"));
  options.link_loss->seconds = 1;  // long after the end
  CHECK_NOTHROW(run());
}

TEST_CASE("a deadlock names the ranks in a circle and what each of them waits for") {
  const ScheduleProblem problem = problem_of(3);
  Schedule schedule = empty_schedule(problem, "by hand", false, 1);
  for (int rank = 0; rank < 3; ++rank) {
    ProgramBuilder program(schedule, rank);
    const BufferId own = program.buffer("kv", whole_shard(schedule, Quantity::key_value, rank));
    const BufferId slot = program.buffer("slot");
    const int from = (rank + 2) % 3;
    // Everyone receives before it sends.
    program.wait(0, program.exchange(
                        0, {}, {{from, slot, whole_shard(schedule, Quantity::key_value, from)}}));
    program.wait(
        0, program.exchange(
               0, {{(rank + 1) % 3, own, whole_shard(schedule, Quantity::key_value, rank)}}, {}));
  }
  const auto run = [&] { simulate(schedule, options_of(3)); };
  CHECK_THROWS_AS(run(), RunError);
  CHECK_THROWS_WITH(run(), Contains("deadlock, each waits for the next") &&
                               Contains("rank 0 waits for rank 2 at hop 0 (kv2 from rank 2)") &&
                               Contains("rank 2 waits for rank 1 at hop 0 (kv1 from rank 1)") &&
                               Contains("rank 1 waits for rank 0"));
  SECTION("a message that nobody receives") {
    Schedule half = empty_schedule(problem, "by hand", false, 1);
    ProgramBuilder program(half, 0);
    const BufferId own = program.buffer("kv", whole_shard(half, Quantity::key_value, 0));
    program.wait(0, program.exchange(0, {{1, own, whole_shard(half, Quantity::key_value, 0)}}, {}));
    CHECK_THROWS_WITH(simulate(half, options_of(3)),
                      Contains("rank 0 sends 1 messages to rank 1, which receives 0"));
  }
}

TEST_CASE("options that do not fit are refused by name") {
  const auto field_with = [](const auto& change) {
    SimOptions options = options_of(4);
    change(options);
    return field_of([&] { ring(4, options); });
  };
  CHECK(field_with([](SimOptions&) {}).empty());
  CHECK(field_with([](SimOptions& o) { o.cluster = crossbar(3, 1e9); }) == "ranks");
  CHECK(field_with([](SimOptions& o) { o.placement = {0, 1, 2}; }) == "placement");
  CHECK(field_with([](SimOptions& o) { o.placement = {0, 1, 2, 2}; }) == "placement");
  CHECK(field_with([](SimOptions& o) { o.placement = {0, 1, 2, 4}; }) == "placement");
  CHECK(field_with([](SimOptions& o) { o.placement = {3, 0, 2, 1}; }).empty());
  CHECK(field_with([](SimOptions& o) { o.stragglers = {{4, 2}}; }) == "straggler");
  CHECK(field_with([](SimOptions& o) { o.stragglers = {{0, 0.5}}; }) == "straggler");
  CHECK(field_with([](SimOptions& o) { o.slow_links = {{1, 1, 2}}; }) == "slow_link");
  CHECK(field_with([](SimOptions& o) { o.slow_links = {{1, 4, 2}}; }) == "slow_link");
  CHECK(field_with([](SimOptions& o) { o.slow_links = {{1, 2, 0.5}}; }) == "slow_link");
  CHECK(field_with([](SimOptions& o) { o.jitter = -1; }) == "jitter");
  CHECK(field_with([](SimOptions& o) { o.link_loss = LinkLoss{1, 1, 0}; }) == "lose");
  CHECK(field_with([](SimOptions& o) { o.link_loss = LinkLoss{1, 9, 0}; }) == "lose");
  CHECK(field_with([](SimOptions& o) { o.attention = AttentionCost::constant(1e-3); }) == "tokens");
  CHECK(field_of([] { AttentionCost::constant(0); }) == "flops_per_second");
  CHECK(field_of([] { AttentionCost::load("flash"); }) == "kernel");
}

TEST_CASE("merging and adding take three passes over memory, unless they are free") {
  SimOptions options = options_of(4);
  const SimResult free = ring(4, options, true);
  options.free_folds = false;
  const SimResult paid = ring(4, options, true);
  // The gradient of a block that has come from behind is added in at each of three hops.
  const double gradient = 1000.0 * 2 * 64 * 4;
  CHECK(static_cast<double>(paid.ranks[0].compute - free.ranks[0].compute) * 1e-12 ==
        Approx(3 * 3 * gradient / 1e12).epsilon(1e-6));
}

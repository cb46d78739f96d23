#include "ringlab/reference/trace/overlap.hpp"

#include "tests/catch.hpp"

using namespace ringlab;

// Rank 0, by hand (one letter per 10 ns):
//
//   time      0    10   20   30   40   50   60   70   80   90
//   compute   [----A----)         [--B-)                            busy 20 + 10 = 30
//   send           [------S1------)                                 10 .. 40
//   receive             [--R1-----)               [R2-)             20 .. 40, 70 .. 80
//
//   transfer  = 10 .. 40 and 70 .. 80                    = 40
//   hidden    = 10 .. 20 under A (B starts as S1 ends)   = 10
//   exposed   = 30
TEST_CASE("overlap by hand") {
  Trace trace;
  trace.events = {
      {0, Lane::compute, "A", 0, 20, 0, 0, 1},   {0, Lane::send, "S1", 10, 40, 0, 8, 0},
      {0, Lane::receive, "R1", 20, 40, 0, 8, 0}, {0, Lane::compute, "B", 40, 50, 1, 0, 1},
      {0, Lane::receive, "R2", 70, 80, 1, 8, 0}, {2, Lane::compute, "C", 5, 6, 0, 0, 1}};
  const std::vector<Overlap> want = {{0, 30, 40, 10, 30}, {2, 1, 0, 0, 0}};
  const std::vector<Overlap> got = overlap_by_rank(trace);
  CHECK(got == want);
  CHECK(got[0].hidden_fraction() == 0.25);
  CHECK(got[1].hidden_fraction() == 1);

  const auto busy = busy_nanoseconds(trace);
  CHECK(busy.size() == 4);
  CHECK(busy.at({0, Lane::compute}) == 30);
  CHECK(busy.at({0, Lane::send}) == 30);
  CHECK(busy.at({0, Lane::receive}) == 30);
  CHECK(busy.at({2, Lane::compute}) == 1);
}

TEST_CASE("events of one lane that overlap count once, in any order") {
  Trace trace;
  trace.events = {{1, Lane::send, "b", 30, 50, 0, 1, 0},
                  {1, Lane::send, "a", 0, 40, 0, 1, 0},
                  {1, Lane::compute, "y", 45, 60, 0, 0, 1},
                  {1, Lane::compute, "x", 10, 20, 0, 0, 1},
                  {1, Lane::receive, "c", 10, 20, 0, 1, 0}};
  CHECK(busy_nanoseconds(trace).at({1, Lane::send}) == 50);
  CHECK(overlap_by_rank(trace) == std::vector<Overlap>{{1, 25, 50, 15, 35}});
}

TEST_CASE("hidden time agrees with a count of nanoseconds") {
  std::uint64_t state = 1;
  const auto draw = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::int64_t>((state >> 33) % below);
  };
  for (int round = 0; round < 50; ++round) {
    Trace trace;
    std::vector<int> compute(220, 0), transfer(220, 0);
    for (int i = 0; i < 12; ++i) {
      const Lane lane = static_cast<Lane>(draw(3));
      const std::int64_t start = draw(200), end = start + draw(20);
      trace.events.push_back({0, lane, "e", start, end, 0, 0, 0});
      for (std::int64_t t = start; t < end; ++t) {
        (lane == Lane::compute ? compute : transfer)[static_cast<std::size_t>(t)] = 1;
      }
    }
    std::int64_t hidden = 0, moved = 0;
    for (std::size_t t = 0; t < compute.size(); ++t) {
      moved += transfer[t];
      hidden += transfer[t] * compute[t];
    }
    const Overlap got = overlap_by_rank(trace).at(0);
    CHECK(got.hidden_nanoseconds == hidden);
    CHECK(got.exposed_nanoseconds == moved - hidden);
  }
}

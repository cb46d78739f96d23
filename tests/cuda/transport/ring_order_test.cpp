#include "ringlab/cuda/transport/ring_order.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::cuda;

namespace {

DistanceMatrix filled(int n, int distance) {
  DistanceMatrix d(static_cast<std::size_t>(n), std::vector<int>(static_cast<std::size_t>(n)));
  for (std::size_t a = 0; a < d.size(); ++a) {
    for (std::size_t b = 0; b < d.size(); ++b) d[a][b] = a == b ? 0 : distance;
  }
  return d;
}
void link(DistanceMatrix& d, std::size_t a, std::size_t b, int distance) {
  d[a][b] = d[b][a] = distance;
}

// The best of all rings, by trying them.
RingCost best_cost(const DistanceMatrix& d) {
  std::vector<int> order(d.size());
  std::iota(order.begin(), order.end(), 0);
  RingCost best = ring_cost(d, order);
  while (std::next_permutation(order.begin() + 1, order.end())) {
    best = std::min(best, ring_cost(d, order));
  }
  return best;
}

}  // namespace

TEST_CASE("where all links are alike GPUs stay as they are numbered") {
  for (int n = 0; n <= 20; ++n) {
    const std::vector<int> order = ring_order(filled(n, 1));
    REQUIRE(static_cast<int>(order.size()) == n);
    CHECK(std::is_sorted(order.begin(), order.end()));
  }
}

TEST_CASE("a ring of NVLink bridges is found") {
  // Pairs 0-2, 2-1, 1-3, 3-0 have bridges; the numbered ring would cross the socket twice.
  DistanceMatrix d = filled(4, 40);
  link(d, 0, 2, 1);
  link(d, 2, 1, 1);
  link(d, 1, 3, 1);
  link(d, 3, 0, 1);
  const std::vector<int> order = ring_order(d);
  CHECK(ring_cost(d, order) == RingCost{1, 4});
  CHECK((order == std::vector<int>{0, 2, 1, 3} || order == std::vector<int>{0, 3, 1, 2}));
}

TEST_CASE("two sockets are crossed twice and no more") {
  DistanceMatrix d = filled(8, 50);
  for (std::size_t a = 0; a < 8; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (a % 2 == b % 2) link(d, a, b, 10);  // even GPUs on one socket, odd ones on the other
    }
  }
  CHECK(ring_cost(d, ring_order(d)) == RingCost{50, 6 * 10 + 2 * 50});
}

TEST_CASE("random matrices: as good as the best of all rings") {
  std::mt19937 engine(7);
  for (int round = 0; round < 40; ++round) {
    const int n = 4 + round % 5;
    DistanceMatrix d = filled(n, 0);
    for (std::size_t a = 0; a < d.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) link(d, a, b, 1 + static_cast<int>(engine() % 6) * 10);
    }
    CHECK(ring_cost(d, ring_order(d)) == best_cost(d));
  }
}

TEST_CASE("sixteen GPUs in four boxes that are numbered across") {
  DistanceMatrix d = filled(16, 50);
  for (std::size_t a = 0; a < 16; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (a % 4 == b % 4) link(d, a, b, 1);
    }
  }
  const std::vector<int> order = ring_order(d);
  CHECK(ring_cost(d, order) == RingCost{50, 12 * 1 + 4 * 50});
}

TEST_CASE("matrices that are none, and orders that leave GPUs out, are refused") {
  CHECK_THROWS_AS(ring_order({{0, 1}, {1}}), InputError);
  CHECK_THROWS_AS(ring_order({{0, 1}, {2, 0}}), InputError);
  CHECK(parse_gpu_order("0,2,1,3", 4) == std::vector<int>{0, 2, 1, 3});
  for (const char* text : {"", "0,1,2", "0,1,2,2", "0,1,2,4", "0,1,2,x", "0,,1,2", "0,1,2,3,"}) {
    INFO(text);
    CHECK_THROWS_WITH(parse_gpu_order(text, 4), Catch::Contains("gpu_order"));
  }
}

TEST_CASE("without NVML there are no distances") {
  const auto distances = gpu_distances({"0000:01:00.0"});
  CHECK((!distances || distances->size() == 1));
}

// The closed forms are held against counting pair by pair.
#include "ringlab/reference/sequence/visible.hpp"

#include <random>

#include "tests/cases.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

Index count_pairs(const Mask& mask, const Positions& queries, const Positions& keys) {
  Index pairs = 0;
  for (const Place& q : queries.expand()) {
    for (const Place& k : keys.expand()) pairs += mask.visible(q, k);
  }
  return pairs;
}

}  // namespace

TEST_CASE("floor_sum equals the sum of floors") {
  std::mt19937_64 engine(11);
  for (int round = 0; round < 20000; ++round) {
    const Index n = static_cast<Index>(engine() % 20), m = 1 + static_cast<Index>(engine() % 15);
    const Index a = static_cast<Index>(engine() % 61) - 30,
                b = static_cast<Index>(engine() % 201) - 100;
    Index sum = 0;
    for (Index i = 0; i < n; ++i) {
      const Index x = a * i + b;
      sum += (x - ((x % m + m) % m)) / m;
    }
    REQUIRE(floor_sum(n, m, a, b) == sum);
  }
}

TEST_CASE("pairs between random runs under random masks") {
  std::mt19937_64 engine(3);
  const auto below = [&](Index n) {
    return static_cast<Index>(engine() % static_cast<std::uint64_t>(n));
  };
  const auto random_positions = [&] {
    std::vector<Run> runs;
    const Index count = below(4);
    for (Index r = 0; r < count; ++r) {
      runs.push_back({below(60), 1 + below(5), below(12), static_cast<std::int32_t>(below(3))});
    }
    return Positions(runs);
  };
  for (int round = 0; round < 20000; ++round) {
    Mask mask;
    mask.causal = below(2);
    if (below(2)) mask.window_left = below(30);
    if (below(2)) mask.window_right = below(30);
    mask.documents = below(2);
    mask.prefix = below(3) ? 0 : below(40);
    const Positions queries = random_positions(), keys = random_positions();
    const Index pairs = count_pairs(mask, queries, keys);
    REQUIRE(visible_pairs(mask, queries, keys) == pairs);
    const TileClass tile = classify_tile(mask, queries, keys);
    REQUIRE((tile == TileClass::empty) == (pairs == 0));
    REQUIRE((tile == TileClass::full) == (pairs > 0 && pairs == queries.size() * keys.size()));
  }
}

TEST_CASE("pairs of every generated case add up over its shards") {
  for (int id = 0; id < 300; ++id) {
    const test::Case c = test::make_case(id);
    INFO(c.text());
    const Layout keys = c.key_layout(), queries = c.query_layout();
    Index sum = 0;
    for (const Positions& q : queries) {
      for (const Positions& k : keys) sum += visible_pairs(c.rule.mask, q, k);
    }
    REQUIRE(sum == count_pairs(c.rule.mask, c.queries(), c.sequence()));
  }
}

TEST_CASE("a window of W tokens, the query among them, is window_left = W - 1") {
  Mask mask;
  mask.causal = true;
  mask.window_left = 3;  // W = 4: token 5 sees 2..5 (known mistake C13)
  std::vector<Index> seen;
  for (Index k = 0; k < 8; ++k) {
    if (mask.visible({5, 0}, {k, 0})) seen.push_back(k);
  }
  CHECK(seen == std::vector<Index>{2, 3, 4, 5});
}

TEST_CASE("fewer queries than keys are aligned by position, not by shape") {
  Mask mask;
  mask.causal = true;
  // Two queries at positions 3 and 4 of five keys: row 0 sees four keys (known mistake C4).
  CHECK(visible_pairs(mask, Positions::contiguous(3, 1), Positions::contiguous(0, 5)) == 4);
  CHECK(visible_pairs(mask, Positions::contiguous(4, 1), Positions::contiguous(0, 5)) == 5);
}

TEST_CASE("a sequence of ten million tokens is counted at once") {
  Mask mask;
  mask.causal = true;
  const Index n = 10'000'000;
  const Layout layout = make_layout(LayoutKind::striped, whole_sequence(n), 64);
  Index sum = 0;
  for (const Positions& q : layout) {
    for (const Positions& k : layout) sum += visible_pairs(mask, q, k);
  }
  CHECK(sum == n * (n + 1) / 2);
}

#include "ringlab/reference/sequence/layout.hpp"

#include "ringlab/reference/sequence/visible.hpp"
#include "tests/cases.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

std::vector<Index> positions_of(const Positions& shard) {
  std::vector<Index> out;
  for (const Place& place : shard.expand()) out.push_back(place.position);
  return out;
}

std::vector<Index> pairs_per_rank(LayoutKind kind, Index tokens, int ranks) {
  Mask causal;
  causal.causal = true;
  const Positions sequence = whole_sequence(tokens);
  std::vector<Index> pairs;
  for (const Positions& shard : make_layout(kind, sequence, ranks)) {
    pairs.push_back(visible_pairs(causal, shard, sequence));
  }
  return pairs;
}

using Numbers = std::vector<Index>;

}  // namespace

TEST_CASE("the layouts of eight tokens over two ranks") {
  const Positions sequence = whole_sequence(8);
  const auto rank = [&](LayoutKind kind, int r) {
    return positions_of(make_layout(kind, sequence, 2)[static_cast<std::size_t>(r)]);
  };
  CHECK(rank(LayoutKind::contiguous, 0) == Numbers{0, 1, 2, 3});
  CHECK(rank(LayoutKind::striped, 1) == Numbers{1, 3, 5, 7});
  CHECK(rank(LayoutKind::zigzag, 0) == Numbers{0, 1, 6, 7});
  CHECK(rank(LayoutKind::zigzag, 1) == Numbers{2, 3, 4, 5});
}

TEST_CASE("zigzag over the whole sequence and zigzag per document are two layouts") {
  // Documents of four and four on two ranks (known mistake C5, number 30).
  const Positions sequence = whole_sequence(8, {4, 4});
  CHECK(positions_of(make_layout(LayoutKind::zigzag, sequence, 2)[0]) == Numbers{0, 1, 6, 7});
  CHECK(positions_of(make_layout(LayoutKind::zigzag_per_document, sequence, 2)[0]) ==
        Numbers{0, 3, 4, 7});
}

TEST_CASE("causal balance counts as published") {
  // n = 64, N = 4: visible pairs of each rank, the diagonal included.
  CHECK(pairs_per_rank(LayoutKind::contiguous, 64, 4) == Numbers{136, 392, 648, 904});
  CHECK(pairs_per_rank(LayoutKind::striped, 64, 4) == Numbers{496, 512, 528, 544});
  CHECK(pairs_per_rank(LayoutKind::zigzag, 64, 4) == Numbers{520, 520, 520, 520});
}

TEST_CASE("every layout is a partition, whatever the length") {
  for (int id = 0; id < 400; ++id) {
    const test::Case c = test::make_case(id);
    INFO(c.text());
    REQUIRE_NOTHROW(check_partition(c.key_layout(), c.sequence()));
    if (c.layout_kind == LayoutKind::custom) continue;
    // Chunks differ by at most one token, so shards differ by at most one (per document: each).
    Index smallest = c.tokens, largest = 0;
    for (const Positions& shard : c.key_layout()) {
      smallest = std::min(smallest, shard.size());
      largest = std::max(largest, shard.size());
    }
    const Index slack = c.layout_kind == LayoutKind::zigzag_per_document
                            ? 2 * static_cast<Index>(c.documents.size())
                            : 2;
    REQUIRE(largest - smallest <= slack);
  }
}

TEST_CASE("a layout that is none is refused by name") {
  const Positions sequence = whole_sequence(4);
  CHECK_THROWS_AS(make_layout(LayoutKind::zigzag, sequence, 0), InputError);
  CHECK_THROWS_AS(custom_layout(sequence, {0, 1, 0}, 2), InputError);
  CHECK_THROWS_AS(custom_layout(sequence, {0, 1, 0, 2}, 2), InputError);
  CHECK_THROWS_AS(layout_kind_from("zig-zag"), InputError);
  CHECK_THROWS_AS(whole_sequence(8, {5, 4}), InputError);
  CHECK_THROWS_AS(whole_sequence(8, {5, 2}), InputError);
  CHECK_THROWS_AS(whole_sequence(8, {5, 0, 3}), InputError);
  CHECK_THROWS_AS(check_partition({sequence, sequence}, sequence), InputError);
  CHECK_THROWS_AS(check_partition({sequence.slice(0, 3)}, sequence), InputError);
}

#include "ringlab/reference/sequence/shard.hpp"

#include "tests/cases.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

TEST_CASE("unsharding is the inverse of sharding, checked with index-coded values") {
  for (int id = 0; id < 200; ++id) {
    const test::Case c = test::make_case(id);
    INFO(c.text());
    Tensor<float> whole(c.tokens, 2, 3);
    for (Index i = 0; i < whole.size(); ++i) whole.data()[i] = static_cast<float>(i);
    const std::vector<Tensor<float>> parts = shard(whole, c.sequence(), c.key_layout());
    REQUIRE(unshard(parts, c.sequence(), c.key_layout()) == whole);
    for (std::size_t r = 0; r < parts.size(); ++r) {
      const Positions shard_of_rank = c.key_layout()[r];
      for (Index i = 0; i < parts[r].tokens(); ++i) {
        REQUIRE(parts[r](i, 0, 0) == static_cast<float>(shard_of_rank.at(i).position * 6));
      }
    }
  }
}

TEST_CASE("labels are shifted before they are sharded") {
  // Eight tokens over two ranks (known mistake C12): the last token of a shard has its target
  // elsewhere.
  const auto targets = [](LayoutKind kind) {
    const Positions sequence = whole_sequence(8);
    const std::vector<Index> next = next_positions(sequence);
    std::vector<std::vector<Index>> out;
    for (const Positions& part : make_layout(kind, sequence, 2)) {
      out.emplace_back();
      for (const Index row : rows_of(sequence, part)) {
        out.back().push_back(next[static_cast<std::size_t>(row)]);
      }
    }
    return out;
  };
  using Targets = std::vector<std::vector<Index>>;
  CHECK(targets(LayoutKind::contiguous) == Targets{{1, 2, 3, 4}, {5, 6, 7, -1}});
  CHECK(targets(LayoutKind::zigzag) == Targets{{1, 2, 7, -1}, {3, 4, 5, 6}});
  // A document's last token has no target.
  CHECK(next_positions(whole_sequence(5, {2, 3})) == std::vector<Index>{1, -1, 3, 4, -1});
}

TEST_CASE("a token of another sequence is refused") {
  CHECK_THROWS_AS(rows_of(whole_sequence(4), Positions::contiguous(2, 3)), InputError);
}

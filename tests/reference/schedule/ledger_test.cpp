#include "ringlab/reference/schedule/ledger.hpp"

#include "ringlab/reference/schedule/ring.hpp"
#include "tests/catch.hpp"
#include "tests/reference/schedule/problems.hpp"

using namespace ringlab;

namespace {

Ledger causal_ledger(LayoutKind kind, Index tokens, int ranks) {
  return make_ledger(ring_forward(test::plain_problem(kind, tokens, ranks)), test::causal_mask());
}

std::vector<Index> pairs(const Ledger& ledger) {
  std::vector<Index> out;
  for (const RankLedger& rank : ledger.ranks) out.push_back(rank.pair_heads);
  return out;
}

}  // namespace

TEST_CASE("balance is as published for 64 tokens on 4 ranks") {
  const Ledger contiguous = causal_ledger(LayoutKind::contiguous, 64, 4);
  CHECK(pairs(contiguous) == std::vector<Index>{136, 392, 648, 904});
  CHECK(contiguous.worst_per_hop_pair_heads == 904);
  CHECK(contiguous.efficiency() == Approx(0.5752).margin(5e-5));
  const Ledger striped = causal_ledger(LayoutKind::striped, 64, 4);
  CHECK(pairs(striped) == std::vector<Index>{496, 512, 528, 544});
  CHECK(striped.worst_per_hop_pair_heads == 544);
  CHECK(striped.efficiency() == Approx(0.9559).margin(5e-5));
  const Ledger zigzag = causal_ledger(LayoutKind::zigzag, 64, 4);
  CHECK(pairs(zigzag) == std::vector<Index>{520, 520, 520, 520});
  CHECK(zigzag.worst_per_hop_pair_heads == 520);
  CHECK(zigzag.efficiency() == 1.0);
}

TEST_CASE("contiguous efficiency tends to (N/2) / (N - 1/2)") {
  CHECK(causal_ledger(LayoutKind::contiguous, 1 << 20, 8).efficiency() ==
        Approx(0.5333).margin(1e-4));
}

TEST_CASE("bytes and messages are the closed forms") {
  for (const int ranks : {1, 2, 3, 5, 8, 16}) {
    const Index n = 24;
    for (const int kv_heads : {1, 2, 8}) {
      const ScheduleProblem problem =
          test::plain_problem(LayoutKind::zigzag, n * ranks, ranks, 8, kv_heads, 16);
      const ElementBytes mixed{2, 4};
      const Index block = n * 2 * kv_heads * 16;
      const Ledger forward = make_ledger(ring_forward(problem), Mask{}, mixed);
      const Ledger backward = make_ledger(ring_backward(problem), Mask{}, mixed);
      const Index home = ranks == 1 ? 0 : ranks;  // moves of a gradient until it is home
      for (int r = 0; r < ranks; ++r) {
        const RankLedger& f = forward.ranks[static_cast<std::size_t>(r)];
        const RankLedger& b = backward.ranks[static_cast<std::size_t>(r)];
        CHECK(f.messages_sent == ranks - 1);
        CHECK(f.bytes_sent == (ranks - 1) * block * 2);
        CHECK(f.bytes_received == f.bytes_sent);
        CHECK(b.messages_sent == ranks - 1 + home);
        CHECK(b.bytes_sent == (ranks - 1) * block * 2 + home * block * 4);
        CHECK(f.peak_key_value_bytes == std::min(ranks, 3) * block * 2);
      }
      CHECK(forward.ranks[0].flops == 4.0 * 16 * 8 * static_cast<double>(n * n * ranks));
      CHECK(backward.ranks[0].flops == 10.0 * 16 * 8 * static_cast<double>(n * n * ranks));
    }
  }
}

TEST_CASE("tiles of a causal contiguous ring are full, triangular or empty") {
  const Ledger ledger = causal_ledger(LayoutKind::contiguous, 32, 4);
  for (int r = 0; r < 4; ++r) {
    for (const TileWork& tile : ledger.ranks[static_cast<std::size_t>(r)].tiles) {
      const int origin = tile.key_value.pieces[0].shard;
      CHECK(tile.tile() == (origin < r    ? TileClass::full
                            : origin == r ? TileClass::partial
                                          : TileClass::empty));
    }
  }
}

// Generators about causal work: how much of it each rank has, and who waits for whom.
#include "ringlab/quiz/bank/generators/problem.hpp"

namespace ringlab::quiz {
namespace {

// Ranks, tokens a rank, and the ledger of a causal ring.
struct Causal {
  Index ranks, shard, rank;
  Ledger contiguous, striped, zigzag;
};

Causal pick_causal(Random& random) {
  Causal c;
  c.ranks = random.between(3, 8);
  c.shard = 2 * random.between(2, 16);
  c.rank = random.between(1, c.ranks - 1);
  const auto of = [&c](LayoutKind kind) {
    return ledger_of(thin_ring(c.ranks, c.ranks * c.shard, kind));
  };
  c.contiguous = of(LayoutKind::contiguous);
  c.striped = of(LayoutKind::striped);
  c.zigzag = of(LayoutKind::zigzag);
  return c;
}

// Visible pairs of one rank, by layout; `right` is the one that is asked for.
Values rank_pairs(Random& random, Ledger Causal::*right) {
  const Causal c = pick_causal(random);
  const Index tokens = c.ranks * c.shard;
  const auto pairs = [&c](const Ledger& of) { return rank_of(of, c.rank).pair_heads; };
  return {{"ranks", whole(c.ranks)},
          {"tokens", whole(tokens)},
          {"shard", whole(c.shard)},
          {"rank", whole(c.rank)},
          {"total", whole(c.zigzag.pair_heads)},
          {"answer", whole(pairs(c.*right))},
          {"contiguous", whole(pairs(c.contiguous))},
          {"striped", whole(pairs(c.striped))},
          {"zigzag", whole(pairs(c.zigzag))},
          {"own_block", whole(c.shard * (c.shard + 1) / 2)},
          {"half_square", whole(c.shard * tokens / 2)},
          {"square", whole(c.shard * tokens)}};
}

Values contiguous_pairs(Random& random) {
  return rank_pairs(random, &Causal::contiguous);
}
Values striped_pairs(Random& random) {
  return rank_pairs(random, &Causal::striped);
}
Values zigzag_pairs(Random& random) {
  return rank_pairs(random, &Causal::zigzag);
}

// The useful share of a contiguous causal ring in lock step, in percent.
Values contiguous_efficiency(Random& random) {
  const Index ranks = random.between(3, 12), shard = 4 * random.between(1, 16);
  const Ledger ledger = ledger_of(thin_ring(ranks, ranks * shard, LayoutKind::contiguous));
  return {{"ranks", whole(ranks)},
          {"tokens", whole(ranks * shard)},
          {"shard", whole(shard)},
          {"mean", ratio(ledger.pair_heads, ranks, 0)},
          {"slowest", whole(ledger.worst_per_hop_pair_heads)},
          {"answer", ratio(100 * ledger.pair_heads, ranks * ledger.worst_per_hop_pair_heads, 1)},
          {"one_rank", ratio(100, ranks, 1)},
          {"all", ratio(100, 1, 1)},
          {"ring_minus_one", ratio(100 * (ranks - 1), ranks, 1)}};
}

// Tiles of a contiguous causal ring in which nothing is visible.
Values empty_tiles(Random& random) {
  const Index ranks = random.between(4, 16);
  const Index shard = random.pick<Index>({8, 16, 32});
  const Ledger ledger = ledger_of(thin_ring(ranks, ranks * shard, LayoutKind::contiguous));
  Index with_work = 0;
  for (const RankLedger& rank : ledger.ranks) {
    for (const TileWork& tile : rank.tiles) with_work += tile.tile() != TileClass::empty;
  }
  const Index all = ranks * ranks;
  return {{"ranks", whole(ranks)},
          {"tokens", whole(ranks * shard)},
          {"all", whole(all)},
          {"with_work", whole(with_work)},
          {"answer", whole(all - with_work)},
          {"one_a_rank", whole(ranks - 1)},
          {"half", ratio(all, 2, 0)},
          {"diagonal_too", whole(with_work)}};
}

// The busiest rank of a contiguous causal ring over the mean.
Values contiguous_slowest(Random& random) {
  const Index ranks = random.between(3, 16), shard = 16 * random.between(1, 8);
  const Ledger ledger = ledger_of(thin_ring(ranks, ranks * shard, LayoutKind::contiguous));
  return {{"ranks", whole(ranks)},
          {"tokens", whole(ranks * shard)},
          {"answer", ratio(ledger.worst_rank_pair_heads * ranks, ledger.pair_heads, 2)},
          {"balanced", ratio(1, 1, 2)},
          {"half_again", ratio(3, 2, 2)},
          {"all_of_it", ratio(ranks, 1, 2)}};
}

}  // namespace

std::vector<Generator> balance_generators() {
  return {{"contiguous_pairs", 1, contiguous_pairs},
          {"striped_pairs", 1, striped_pairs},
          {"zigzag_pairs", 1, zigzag_pairs},
          {"contiguous_efficiency", 1, contiguous_efficiency},
          {"empty_tiles", 1, empty_tiles},
          {"contiguous_slowest", 1, contiguous_slowest}};
}

}  // namespace ringlab::quiz

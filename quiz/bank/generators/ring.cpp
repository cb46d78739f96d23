// Generators about the ring: what travels, how much, who holds it.
#include "ringlab/quiz/bank/generators/problem.hpp"

namespace ringlab::quiz {
namespace {

// Bytes that one rank sends in a forward pass of the key/value ring, 16-bit inputs.
Values ring_bytes_sent(Random& random) {
  const Index ranks = random.pick<Index>({2, 4, 8, 16});
  const Index shard = random.pick<Index>({1024, 2048, 4096, 8192});
  const int kv_heads = random.pick<int>({2, 4, 8});
  const int heads = kv_heads * random.pick<int>({2, 4, 8});
  const int head_dim = random.pick<int>({64, 128});
  Scenario scenario;
  scenario.ranks = static_cast<int>(ranks);
  scenario.tokens = ranks * shard;
  scenario.heads = heads;
  scenario.kv_heads = kv_heads;
  scenario.head_dim = head_dim;
  scenario.layout = LayoutKind::contiguous;
  const Index sent = largest(ledger_of(scenario, {2, 4}), &RankLedger::bytes_sent);
  const Index block = 2 * shard * kv_heads * head_dim * 2;
  return {{"ranks", whole(ranks)},
          {"tokens", whole(ranks * shard)},
          {"shard", whole(shard)},
          {"heads", whole(heads)},
          {"kv_heads", whole(kv_heads)},
          {"head_dim", whole(head_dim)},
          {"answer", ratio(sent, kMega, 1)},
          {"block", ratio(block, kMega, 1)},
          {"hops_sent", whole(ranks - 1)},
          {"own_block_too", ratio(ranks * block, kMega, 1)},
          {"keys_only", ratio(sent / 2, kMega, 1)},
          {"all_heads", ratio(sent / kv_heads * heads, kMega, 1)}};
}

// Whose block a rank holds at a hop.
Values ring_block_at_hop(Random& random) {
  const int ranks = random.pick<int>({5, 6, 7, 8, 9});
  const int rank = static_cast<int>(random.between(0, ranks - 1));
  const int hop = static_cast<int>(random.between(1, ranks - 1));
  Scenario scenario;
  scenario.ranks = ranks;
  scenario.tokens = 8 * ranks;
  scenario.heads = 1;
  scenario.head_dim = 1;
  scenario.mask = Mask{};
  const Ledger ledger = ledger_of(scenario);
  const RankLedger& of_rank = ledger.ranks[static_cast<std::size_t>(rank)];
  int held = -1;
  for (const TileWork& tile : of_rank.tiles) {
    if (tile.hop == hop) held = tile.key_value.pieces.at(0).shard;
  }
  RINGLAB_ENSURE(held >= 0, "a rank computes with a block at every hop");
  return {{"ranks", whole(ranks)},
          {"tokens", whole(8 * ranks)},
          {"rank", whole(rank)},
          {"hop", whole(hop)},
          {"answer", whole(held)},
          {"other_way", whole((rank + hop) % ranks)},
          {"one_late", whole((rank - hop + 1 + ranks) % ranks)},
          {"own", whole(rank)}};
}

// The hop at which a rank holds a given block.
Values ring_hop_of_block(Random& random) {
  const Index ranks = random.between(5, 12);
  const Index rank = random.between(0, ranks - 1), block = random.between(0, ranks - 1);
  Scenario scenario = thin_ring(ranks, 2 * ranks, LayoutKind::contiguous);
  scenario.mask = Mask{};
  Index hop = -1;
  const Ledger ledger = ledger_of(scenario);
  for (const TileWork& tile : rank_of(ledger, rank).tiles) {
    if (tile.key_value.pieces.at(0).shard == block) hop = tile.hop;
  }
  RINGLAB_ENSURE(hop >= 0, "every rank meets every block");
  return {{"ranks", whole(ranks)},      {"tokens", whole(2 * ranks)},
          {"rank", whole(rank)},        {"block", whole(block)},
          {"answer", whole(hop)},       {"other_way", whole((block - rank + ranks) % ranks)},
          {"one_late", whole(hop + 1)}, {"last", whole(ranks - 1)}};
}

// Most bytes of keys and values on a rank.
Values ring_peak_kv(Random& random) {
  const Heads heads = pick_heads(random);
  const Index ranks = random.between(5, 16), shard = random.pick<Index>({1024, 4096, 16384});
  const Scenario scenario = ring_of(ranks, shard, heads, LayoutKind::contiguous);
  const Index peak = largest(ledger_of(scenario, {2, 4}), &RankLedger::peak_key_value_bytes);
  const Index block = 2 * shard * heads.kv * heads.dim * 2;
  return {{"ranks", whole(ranks)},
          {"tokens", whole(ranks * shard)},
          {"shard", whole(shard)},
          {"heads", whole(heads.query)},
          {"kv_heads", whole(heads.kv)},
          {"head_dim", whole(heads.dim)},
          {"answer", ratio(peak, kMega, 1)},
          {"block", ratio(block, kMega, 1)},
          {"own_only", ratio(block, kMega, 1)},
          {"two", ratio(2 * block, kMega, 1)},
          {"everything", ratio(ranks * block, kMega, 1)}};
}

// Rows of the output that are wrong when one hop's tile is never folded in.
Values ring_missing_hop(Random& random) {
  const Index ranks = random.between(4, 9), shard = random.pick<Index>({16, 32, 64, 128});
  const Index hop = random.between(1, ranks - 1);
  const Ledger ledger = ledger_of(thin_ring(ranks, ranks * shard, LayoutKind::contiguous));
  Index rows = 0;
  for (const RankLedger& rank : ledger.ranks) {
    for (const TileWork& tile : rank.tiles) {
      if (tile.hop == hop && tile.pairs > 0) rows += tile.query.pieces.at(0).count;
    }
  }
  return {{"ranks", whole(ranks)},       {"tokens", whole(ranks * shard)},
          {"shard", whole(shard)},       {"hop", whole(hop)},
          {"last", whole(ranks - 1)},    {"answer", whole(rows)},
          {"all", whole(ranks * shard)}, {"one_rank", whole(shard)},
          {"turned", whole(hop * shard)}};
}

}  // namespace

std::vector<Generator> ring_generators() {
  return {{"ring_bytes_sent", 1, ring_bytes_sent},
          {"ring_block_at_hop", 1, ring_block_at_hop},
          {"ring_hop_of_block", 1, ring_hop_of_block},
          {"ring_peak_kv", 1, ring_peak_kv},
          {"ring_missing_hop", 1, ring_missing_hop}};
}

}  // namespace ringlab::quiz

// Generators about time: what a hop computes against what it moves, and what is left to see.
#include "ringlab/quiz/bank/generators/problem.hpp"
#include "ringlab/sim/run/simulate.hpp"

namespace ringlab::quiz {
namespace {

// FLOPs of a full tile over the bytes of the block that arrives meanwhile.
Values ring_intensity(Random& random) {
  const Heads heads = pick_heads(random);
  const Index ranks = random.pick<Index>({4, 8}), shard = 256 * random.between(1, 32);
  Scenario scenario = ring_of(ranks, shard, heads, LayoutKind::contiguous);
  scenario.mask = Mask{};
  const Ledger ledger = ledger_of(scenario, {2, 4});
  const Index flops = rounded(rank_of(ledger, 0).tiles.at(0).flops);
  const Index bytes = rank_of(ledger, 0).bytes_sent_per_hop.at(0);
  return {{"ranks", whole(ranks)},
          {"tokens", whole(ranks * shard)},
          {"shard", whole(shard)},
          {"heads", whole(heads.query)},
          {"kv_heads", whole(heads.kv)},
          {"head_dim", whole(heads.dim)},
          {"group", whole(heads.query / heads.kv)},
          {"answer", ratio(flops, bytes, 0)},
          {"expanded", whole(shard)},
          {"keys_only", ratio(2 * flops, bytes, 0)},
          {"whole_sequence", ratio(flops * ranks, bytes, 0)}};
}

// A part's speed and its link, for questions about the smallest block.
struct Speeds {
  Index teraflops, gigabytes;
};

Speeds pick_speeds(Random& random) {
  return {random.pick<Index>({150, 200, 300, 400, 500, 600, 750}),
          random.pick<Index>({10, 25, 50, 100, 200, 300, 450})};
}

// Tokens a rank from which on a hop's transfer hides behind its tile, with full tiles or with the
// half-visible ones of a balanced causal mask. A tile of n tokens takes flops(1) n^2 and its block
// bytes(1) n, so that the smallest n follows from the ledger of a ring with a token or two a rank.
Values smallest_block(Random& random, bool causal) {
  const Heads heads = pick_heads(random);
  const Speeds speeds = pick_speeds(random);
  const Index n = causal ? 2 : 1;
  Scenario scenario = ring_of(4, n, heads, LayoutKind::zigzag);
  if (!causal) scenario.mask = Mask{};
  const Ledger ledger = ledger_of(scenario, {2, 4});
  const RankLedger& rank = rank_of(ledger, 0);
  const Index flops = rounded(rank.tiles.at(1).flops);  // flops(1) n^2
  const Index bytes = rank.bytes_sent_per_hop.at(0);    // bytes(1) n
  // n such that flops(1) n^2 / F = bytes(1) n / B, times `part`.
  const auto least = [&](Index times, Index over) {
    return whole(
        ceiling(bytes * n * speeds.teraflops * 1000 * times, flops * speeds.gigabytes * over));
  };
  // Four ranks with so many tokens each, and with too few; halves of a zigzag tile are equal where
  // the length is even.
  const Index answer = static_cast<Index>(least(1, 1).order);
  const Index enough = causal ? (answer + 1) / 2 * 2 : answer;
  const Index too_few = causal ? (answer - 1) / 2 * 2 : answer - 1;
  return {{"teraflops", whole(speeds.teraflops)},
          {"gigabytes", whole(speeds.gigabytes)},
          {"heads", whole(heads.query)},
          {"kv_heads", whole(heads.kv)},
          {"head_dim", whole(heads.dim)},
          {"group", whole(heads.query / heads.kv)},
          {"enough", whole(4 * enough)},
          {"too_few", whole(4 * too_few)},
          {"answer", whole(answer)},
          {"keys_only", least(1, 2)},
          {"quarter", least(1, 4)},
          {"expanded", least(heads.query, heads.kv)},
          {"bits", least(8, 1)}};
}

Values smallest_block_full(Random& random) {
  return smallest_block(random, false);
}
Values smallest_block_causal(Random& random) {
  return smallest_block(random, true);
}

// A simulated ring whose full tile takes `tile` and whose block takes `transfer` microseconds.
SimResult simulated_ring(Index ranks, Index tile, Index transfer) {
  Scenario scenario = ring_of(ranks, 64, {1, 1, 64}, LayoutKind::contiguous);
  scenario.mask = Mask{};
  const Ledger ledger = ledger_of(scenario, {2, 4});
  const RankLedger& rank = rank_of(ledger, 0);
  const auto per_second = [](double amount, Index microseconds) {
    return amount / (static_cast<double>(microseconds) * 1e-6);
  };
  SimOptions options;
  options.cluster.levels = {
      Level{.name = "node",
            .size = static_cast<int>(ranks),
            .link = {per_second(static_cast<double>(rank.bytes_sent_per_hop.at(0)), transfer), 0}}};
  options.attention = AttentionCost::constant(per_second(rank.tiles.at(0).flops, tile));
  options.free_folds = true;
  options.longest_chain = false;
  return simulate(schedule_of(scenario), options);
}

Index microseconds(Picoseconds time) {
  return rounded(static_cast<double>(time) * 1e-6);
}

// How long a ring takes whose transfers are longer than its tiles.
Values ring_time(Random& random) {
  const Index ranks = random.between(3, 8);
  const Index tile = 20 * random.between(2, 20), transfer = tile + 20 * random.between(1, 20);
  return {{"ranks", whole(ranks)},
          {"hops", whole(ranks - 1)},
          {"tokens", whole(64 * ranks)},
          {"tile", whole(tile)},
          {"transfer", whole(transfer)},
          {"answer", whole(microseconds(simulated_ring(ranks, tile, transfer).total))},
          {"compute_only", whole(ranks * tile)},
          {"one_more", whole(ranks * transfer)},
          {"serial", whole(ranks * tile + (ranks - 1) * transfer)}};
}

// How much of the transfers shows.
Values ring_exposed(Random& random) {
  const Index ranks = random.between(3, 8);
  const Index tile = 20 * random.between(2, 20), transfer = tile + 20 * random.between(1, 20);
  const SimResult result = simulated_ring(ranks, tile, transfer);
  Picoseconds exposed = 0;
  for (const RankResult& rank : result.ranks) exposed = std::max(exposed, rank.exposed);
  return {{"ranks", whole(ranks)},
          {"hops", whole(ranks - 1)},
          {"tokens", whole(64 * ranks)},
          {"tile", whole(tile)},
          {"transfer", whole(transfer)},
          {"gap", whole(transfer - tile)},
          {"answer", whole(microseconds(exposed))},
          {"one_hop", whole(transfer - tile)},
          {"one_more", whole(ranks * (transfer - tile))},
          {"everything", whole((ranks - 1) * transfer)}};
}

}  // namespace

std::vector<Generator> time_generators() {
  return {{"ring_intensity", 1, ring_intensity},
          {"smallest_block_full", 1, smallest_block_full},
          {"smallest_block_causal", 1, smallest_block_causal},
          {"ring_time", 1, ring_time},
          {"ring_exposed", 1, ring_exposed}};
}

}  // namespace ringlab::quiz

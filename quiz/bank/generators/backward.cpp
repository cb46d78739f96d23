// Generators about the way back: what gradients add to the traffic and to the work.
#include "ringlab/quiz/bank/generators/problem.hpp"

namespace ringlab::quiz {
namespace {

// Bytes that one rank sends in a backward pass, 16-bit inputs and float32 gradients.
Values backward_bytes(Random& random) {
  const Heads heads = pick_heads(random);
  const Index ranks = random.between(3, 16), shard = random.pick<Index>({1024, 2048, 4096});
  Scenario scenario = ring_of(ranks, shard, heads, LayoutKind::contiguous);
  scenario.backward = true;
  const Index sent = largest(ledger_of(scenario, {2, 4}), &RankLedger::bytes_sent);
  const Index block = 2 * shard * heads.kv * heads.dim * 2, gradient = 2 * block;
  return {{"ranks", whole(ranks)},
          {"hops", whole(ranks - 1)},
          {"tokens", whole(ranks * shard)},
          {"shard", whole(shard)},
          {"heads", whole(heads.query)},
          {"kv_heads", whole(heads.kv)},
          {"head_dim", whole(heads.dim)},
          {"block", ratio(block, kMega, 1)},
          {"gradient", ratio(gradient, kMega, 1)},
          {"answer", ratio(sent, kMega, 1)},
          {"not_home", ratio((ranks - 1) * (block + gradient), kMega, 1)},
          {"narrow", ratio((ranks - 1) * block + ranks * block, kMega, 1)},
          {"own_too", ratio(ranks * (block + gradient), kMega, 1)}};
}

// Work of a backward tile, from that of the forward tile.
Values backward_flops(Random& random) {
  const Heads heads = pick_heads(random);
  const Index ranks = random.pick<Index>({4, 8}), shard = 512 * random.between(2, 16);
  Scenario scenario = ring_of(ranks, shard, heads, LayoutKind::contiguous);
  scenario.mask = Mask{};
  const Index forward = rounded(rank_of(ledger_of(scenario), 0).tiles.at(0).flops);
  scenario.backward = true;
  const Index backward = rounded(rank_of(ledger_of(scenario), 0).tiles.at(0).flops);
  return {{"ranks", whole(ranks)},
          {"tokens", whole(ranks * shard)},
          {"shard", whole(shard)},
          {"heads", whole(heads.query)},
          {"kv_heads", whole(heads.kv)},
          {"head_dim", whole(heads.dim)},
          {"forward", ratio(forward, kGiga, 1)},
          {"answer", ratio(backward, kGiga, 1)},
          {"same", ratio(forward, kGiga, 1)},
          {"twice", ratio(2 * forward, kGiga, 1)},
          {"with_forward", ratio(forward + backward, kGiga, 1)}};
}

// Messages that one rank sends in a backward pass.
Values backward_messages(Random& random) {
  const Index ranks = random.between(3, 24);
  Scenario scenario = thin_ring(ranks, 4 * ranks, LayoutKind::zigzag);
  scenario.backward = true;
  const Index sent = largest(ledger_of(scenario), &RankLedger::messages_sent);
  return {{"ranks", whole(ranks)},           {"tokens", whole(4 * ranks)},
          {"hops", whole(ranks - 1)},        {"answer", whole(sent)},
          {"blocks_only", whole(ranks - 1)}, {"not_home", whole(2 * (ranks - 1))},
          {"own_too", whole(2 * ranks)}};
}

}  // namespace

std::vector<Generator> backward_generators() {
  return {{"backward_bytes", 1, backward_bytes},
          {"backward_flops", 1, backward_flops},
          {"backward_messages", 1, backward_messages}};
}

}  // namespace ringlab::quiz

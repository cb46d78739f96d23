// Generators about the family: collectives, meshes, and rings of rings.
#include <fmt/format.h>

#include "ringlab/quiz/bank/generators/problem.hpp"

namespace ringlab::quiz {
namespace {

// Bytes that one rank sends in a Ulysses forward pass.
Values ulysses_bytes(Random& random) {
  const Index ranks = random.pick<Index>({2, 4, 8});
  const Index kv = ranks * random.pick<Index>({1, 2});
  const Heads heads{kv * random.pick<Index>({1, 2, 4}), kv, random.pick<Index>({64, 128})};
  const Index shard = random.pick<Index>({1024, 2048, 4096, 8192});
  Scenario scenario = ring_of(ranks, shard, heads, LayoutKind::contiguous);
  const Index ring = largest(ledger_of(scenario, {2, 4}), &RankLedger::bytes_sent);
  scenario.schedule = "ulysses";
  const Index sent = largest(ledger_of(scenario, {2, 4}), &RankLedger::bytes_sent);
  const Index there = shard * (heads.query + 2 * heads.kv) * heads.dim * 2;
  const Index back = shard * heads.query * (heads.dim + 1) * 4;
  return {{"ranks", whole(ranks)},
          {"others", whole(ranks - 1)},
          {"tokens", whole(ranks * shard)},
          {"shard", whole(shard)},
          {"heads", whole(heads.query)},
          {"kv_heads", whole(heads.kv)},
          {"head_dim", whole(heads.dim)},
          {"there", ratio(there, kMega, 1)},
          {"back", ratio(back, kMega, 1)},
          {"answer", ratio(sent, kMega, 1)},
          {"there_only", ratio(there * (ranks - 1), ranks * kMega, 1)},
          {"own_too", ratio(there + back, kMega, 1)},
          {"ring", ratio(ring, kMega, 1)}};
}

std::string listed(const std::vector<int>& ranks) {
  return fmt::format("{}", fmt::join(ranks, ", "));
}

// The ring through a rank of a mesh whose inner axis is Ulysses.
Values mesh_group(Random& random) {
  const int inner = random.pick<int>({2, 4}), outer = random.pick<int>({2, 3, 4, 5, 6});
  const int ranks = inner * outer;
  const int rank = static_cast<int>(random.between(0, ranks - 1));
  const Mesh mesh({{"U", inner}, {"R", outer}}, {"U", "R"}, ranks);
  const Mesh turned({{"R", outer}, {"U", inner}}, {"U", "R"}, ranks);
  return {{"u", whole(inner)},
          {"r", whole(outer)},
          {"ranks", whole(ranks)},
          {"tokens", whole(ranks * 16)},
          {"heads", whole(inner)},
          {"rank", whole(rank)},
          {"first", whole(rank % inner)},
          {"next", whole((rank + inner) % ranks)},
          {"answer", word(listed(mesh.group("R", rank)))},
          {"other_axis", word(listed(mesh.group("U", rank)))},
          {"neighbours", word(listed(turned.group("R", rank)))}};
}

// Sends of a rank that leave its inner ring.
Values double_ring_outer(Random& random) {
  const Index inner = random.between(2, 8), outer = random.between(2, 6);
  Scenario scenario = thin_ring(inner * outer, 2 * inner * outer, LayoutKind::contiguous);
  scenario.schedule = "double_ring";
  scenario.degree = fmt::format("I={},O={}", inner, outer);
  const Schedule schedule = schedule_of(scenario);
  Index leaving = 0;
  for (const Step& step : schedule.rank(0).steps) {
    const auto* exchange = std::get_if<Exchange>(&step.action);
    if (exchange == nullptr) continue;
    for (const Move& send : exchange->sends) leaving += send.peer >= inner;
  }
  return {{"inner", whole(inner)},
          {"outer", whole(outer)},
          {"ranks", whole(inner * outer)},
          {"tokens", whole(2 * inner * outer)},
          {"all", whole(inner * outer - 1)},
          {"answer", whole(leaving)},
          {"plain", whole(inner * outer - 1)},
          {"turned", whole(inner - 1)},
          {"home", whole(outer)}};
}

// Most bytes of keys and values in all-gather context parallelism.
Values all_gather_peak(Random& random) {
  const Heads heads = pick_heads(random);
  const Index ranks = random.between(4, 16), shard = random.pick<Index>({1024, 2048, 4096, 8192});
  Scenario scenario = ring_of(ranks, shard, heads, LayoutKind::contiguous);
  scenario.schedule = "all_gather";
  const Index peak = largest(ledger_of(scenario, {2, 4}), &RankLedger::peak_key_value_bytes);
  const Index block = 2 * shard * heads.kv * heads.dim * 2;
  return {{"ranks", whole(ranks)},
          {"blocks", whole(ranks + 1)},
          {"tokens", whole(ranks * shard)},
          {"heads", whole(heads.query)},
          {"kv_heads", whole(heads.kv)},
          {"head_dim", whole(heads.dim)},
          {"block", ratio(block, kMega, 1)},
          {"answer", ratio(peak, kMega, 1)},
          {"ring", ratio(3 * block, kMega, 1)},
          {"two", ratio(2 * block, kMega, 1)},
          {"double", ratio(2 * ranks * block, kMega, 1)}};
}

// Bytes that a rank sends in an all-reduce: a reduce-scatter and an all-gather, each like the
// gather of the keys and values in all-gather context parallelism.
Values all_reduce_bytes(Random& random) {
  const Index ranks = random.pick<Index>({2, 4, 8, 16});
  const Index shard = 15625 * random.between(1, 4);  // whole megabytes
  const Heads heads = pick_heads(random);
  Scenario scenario = ring_of(ranks, shard, heads, LayoutKind::contiguous);
  scenario.schedule = "all_gather";
  const Index gather = largest(ledger_of(scenario, {2, 2}), &RankLedger::bytes_sent);
  const Index data = ranks * shard * 2 * heads.kv * heads.dim * 2;
  return {{"ranks", whole(ranks)},
          {"others", whole(ranks - 1)},
          {"tokens", whole(ranks * shard)},
          {"heads", whole(heads.query)},
          {"kv_heads", whole(heads.kv)},
          {"head_dim", whole(heads.dim)},
          {"data", whole(data / kMega)},
          {"answer", ratio(2 * gather, kMega, 1)},
          {"one_way", ratio(gather, kMega, 1)},
          {"own_too", ratio(2 * data, kMega, 1)},
          {"to_everyone", ratio((ranks - 1) * data, kMega, 1)}};
}

}  // namespace

std::vector<Generator> family_generators() {
  return {{"ulysses_bytes", 1, ulysses_bytes},
          {"mesh_group", 1, mesh_group},
          {"double_ring_outer", 1, double_ring_outer},
          {"all_gather_peak", 1, all_gather_peak},
          {"all_reduce_bytes", 1, all_reduce_bytes}};
}

}  // namespace ringlab::quiz

// Generators about inference: the cache, what travels when few queries meet many keys, the host.
#include "ringlab/quiz/bank/generators/problem.hpp"
#include "ringlab/sim/memory/memory.hpp"

namespace ringlab::quiz {
namespace {

// Cache of one GPU, the sequence split over context ranks and the heads over tensor ranks.
Values cache_of_gpu(Random& random) {
  Model model;
  const Heads heads = pick_heads(random);
  model.layers = random.pick<int>({28, 32, 40, 48, 64, 80});
  model.heads = static_cast<int>(heads.query);
  model.kv_heads = static_cast<int>(heads.kv);
  model.head_dim = static_cast<int>(heads.dim);
  Parallel parallel;
  parallel.tensor = model.kv_heads > 2 ? random.pick<int>({2, 4}) : 2;
  parallel.context = random.pick<int>({2, 4, 8});
  Workload work;
  work.purpose = Purpose::decode;
  work.tokens = 1024 * random.pick<Index>({128, 256, 512, 1024});
  const Index bytes = rounded(cache_bytes(model, work, parallel));
  Index column = 1;  // of `plan --question memory`, one for each doubling of the context ranks
  while (Index{1} << (column - 1) < parallel.context) ++column;
  return {{"tokens", whole(work.tokens)},
          {"layers", whole(model.layers)},
          {"heads", whole(model.heads)},
          {"kv_heads", whole(model.kv_heads)},
          {"head_dim", whole(model.head_dim)},
          {"tensor", whole(parallel.tensor)},
          {"context", whole(parallel.context)},
          {"column", whole(column)},
          {"answer", ratio(bytes, kGiga, 2)},
          {"keys_only", ratio(bytes, 2 * kGiga, 2)},
          {"context_only", ratio(bytes * parallel.tensor, kGiga, 2)},
          {"expanded", ratio(bytes / model.kv_heads * model.heads, kGiga, 2)}};
}

// Bytes that a rank sends in a hop when queries travel.
Values query_hop_bytes(Random& random) {
  const Heads heads = pick_heads(random);
  const Index ranks = random.pick<Index>({2, 4, 8});
  const Index fresh = 64 * random.pick<Index>({1, 2, 4, 8}), cached = 1024 * random.between(8, 128);
  Scenario scenario = ring_of(ranks, 1, heads, LayoutKind::contiguous);
  scenario.tokens = ranks * (fresh + cached);
  scenario.query_tokens = ranks * fresh;
  scenario.schedule = "query_ring";
  const Index sent = rank_of(ledger_of(scenario, {2, 4}), 0).bytes_sent_per_hop.at(0);
  return {{"ranks", whole(ranks)},
          {"tokens", whole(scenario.tokens)},
          {"fresh", whole(ranks * fresh)},
          {"fresh_shard", whole(fresh)},
          {"cached", whole(ranks * cached)},
          {"heads", whole(heads.query)},
          {"kv_heads", whole(heads.kv)},
          {"head_dim", whole(heads.dim)},
          {"answer", ratio(sent, kMega, 2)},
          {"blocks", ratio((fresh + cached) * 2 * heads.kv * heads.dim * 2, kMega, 2)},
          {"kv_width", ratio(sent / heads.query * heads.kv, kMega, 2)},
          {"all_queries", ratio(sent * ranks, kMega, 2)}};
}

// Steps of a tree over the ranks.
Values tree_steps(Random& random) {
  const int ranks = static_cast<int>(random.between(5, 40));
  Scenario scenario = thin_ring(ranks, ranks, LayoutKind::contiguous);
  scenario.query_tokens = 1;
  scenario.schedule = "decode_tree";
  // Down, one hop of attention, and up again.
  const Index steps = (schedule_of(scenario).hops - 1) / 2;
  return {{"ranks", whole(ranks)},
          {"hops", whole(2 * steps + 1)},
          {"reached", whole(Index{1} << (steps - 1))},
          {"answer", whole(steps)},
          {"one_short", whole(steps - 1)},
          {"both_ways_round", whole(ranks / 2)},
          {"ring", whole(ranks - 1)}};
}

// Seconds to bring a rank's keys and values from the host's memory.
Values offload_seconds(Random& random) {
  const Index gigabytes = random.between(20, 60);                        // per second
  const Index kilobytes = random.pick<Index>({64, 128, 160, 320, 512});  // of a token
  const Index gpus = random.pick<Index>({2, 4, 8, 16});
  const Index millions = random.between(1, 8);
  const int layers = random.pick<int>({32, 40, 80});
  Gpu gpu;
  gpu.host.bytes_per_second = static_cast<double>(gigabytes) * 1e9;
  const double bytes = static_cast<double>(millions * kilobytes) * 1e9 / double(gpus);
  const double seconds = offload_time(gpu, bytes, layers, 0).transfer_seconds;
  return {{"gigabytes", whole(gigabytes)},
          {"kilobytes", whole(kilobytes)},
          {"gpus", whole(gpus)},
          {"millions", whole(millions)},
          {"layers", whole(layers)},
          {"each", decimal(bytes / 1e9, 1)},
          {"answer", decimal(seconds, 2)},
          {"one_layer", decimal(seconds / layers, 2)},
          {"bits", decimal(8 * seconds, 2)},
          {"not_split", decimal(seconds * double(gpus), 2)}};
}

}  // namespace

std::vector<Generator> inference_generators() {
  return {{"cache_of_gpu", 1, cache_of_gpu},
          {"query_hop_bytes", 1, query_hop_bytes},
          {"tree_steps", 1, tree_steps},
          {"offload_seconds", 1, offload_seconds}};
}

}  // namespace ringlab::quiz

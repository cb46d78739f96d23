// Generators about layouts of many GPUs: what each axis divides, and what is reached.
#include "ringlab/quiz/bank/generators/problem.hpp"
#include "ringlab/sim/memory/memory.hpp"

namespace ringlab::quiz {
namespace {

// The row of `plan --question batch` that has this many context ranks: one for each doubling.
Index row_of(int context) {
  Index row = 0;
  while (Index{1} << row < context) ++row;
  return row;
}

// Axes without the data axis.
Parallel pick_parallel(Random& random) {
  Parallel parallel;
  parallel.tensor = random.pick<int>({2, 4, 8});
  parallel.pipeline = random.pick<int>({2, 4, 8});
  parallel.context = random.pick<int>({2, 4, 8, 16});
  return parallel;
}

// Sequences that one optimizer step sees.
Values sequences_per_step(Random& random) {
  Parallel parallel = pick_parallel(random);
  const int inside = parallel.gpus(), gpus = inside * random.pick<int>({2, 4, 8});
  const int steps = random.pick<int>({1, 2, 3, 4, 6, 8});
  while (parallel.gpus() < gpus) ++parallel.data;
  RINGLAB_ENSURE(parallel.gpus() == gpus, "the axes multiply up to all GPUs");
  const auto sequences = [&](int ranks) { return whole(Index{gpus} / ranks * steps); };
  return {{"gpus", whole(gpus)},
          {"tensor", whole(parallel.tensor)},
          {"pipeline", whole(parallel.pipeline)},
          {"context", whole(parallel.context)},
          {"data", whole(parallel.data)},
          {"steps", whole(steps)},
          {"row", whole(row_of(parallel.context))},
          {"answer", whole(Index{parallel.data} * steps)},
          {"context_too", sequences(parallel.tensor * parallel.pipeline)},
          {"pipeline_too", sequences(parallel.tensor * parallel.context)},
          {"every_gpu", sequences(1)}};
}

// Tokens of one sequence that a GPU holds in attention.
Values tokens_of_gpu(Random& random) {
  Parallel parallel = pick_parallel(random);
  parallel.data = random.pick<int>({1, 2, 4});
  Workload work;
  work.tokens = 1024 * random.pick<Index>({128, 256, 512, 1024});
  return {{"tokens", whole(work.tokens)},
          {"gpus", whole(parallel.gpus())},
          {"data", whole(parallel.data)},
          {"tensor", whole(parallel.tensor)},
          {"pipeline", whole(parallel.pipeline)},
          {"context", whole(parallel.context)},
          {"row", whole(row_of(parallel.context))},
          {"answer", whole(rounded(tokens_of_rank(work, parallel)))},
          {"tensor_too", whole(work.tokens / parallel.context / parallel.tensor)},
          {"every_gpu", whole(work.tokens / parallel.gpus())},
          {"nothing", whole(work.tokens)}};
}

// Model state of a rank under ZeRO 1 or 2, whose replicas are data times context ranks.
Values zero_bytes(Random& random) {
  Parallel parallel;
  parallel.data = random.pick<int>({2, 4, 8, 16});
  parallel.context = random.pick<int>({2, 4, 8});
  const int stage = static_cast<int>(random.between(1, 2));
  const Index billions = random.between(1, 13);
  const auto gigabytes = [&](int zero, int replicas) {
    const ModelState state = model_state(static_cast<double>(billions) * 1e9, zero, replicas);
    return decimal((state.weights + state.gradients + state.optimizer) / 1e9, 1);
  };
  return {{"billions", whole(billions)},
          {"data", whole(parallel.data)},
          {"context", whole(parallel.context)},
          {"replicas", whole(parallel.replicas())},
          {"stage", whole(stage)},
          {"sharded", word(stage == 1 ? "the optimizer state" : "optimizer state and gradients")},
          {"answer", gigabytes(stage, parallel.replicas())},
          {"data_only", gigabytes(stage, parallel.data)},
          {"nothing", gigabytes(0, parallel.replicas())},
          {"everything", gigabytes(3, parallel.replicas())}};
}

// The rate that one rank of a causal ring has reached.
Values achieved_rate(Random& random) {
  const Index ranks = random.pick<Index>({4, 8}), shard = 2048 * random.between(1, 8);
  const Heads heads = pick_heads(random);
  const Scenario scenario = ring_of(ranks, shard, heads, LayoutKind::zigzag);
  const Index flops = rounded(rank_of(ledger_of(scenario), 0).flops);
  // About 300 TFLOP/s, in microseconds.
  const Index time = flops / 300 / kMega * random.between(60, 150) / 100;
  const auto rate = [&](Index times, Index over) {
    return ratio(flops / over * times, time * kMega, 0);
  };
  return {{"ranks", whole(ranks)},
          {"tokens", whole(ranks * shard)},
          {"heads", whole(heads.query)},
          {"kv_heads", whole(heads.kv)},
          {"head_dim", whole(heads.dim)},
          {"microseconds", whole(time)},
          {"flops", ratio(flops, kGiga, 0)},
          {"flops_per_teraflop", whole(time * kMega)},  // FLOP/s in all for one TFLOP/s
          {"answer", rate(1, 1)},
          {"square", rate(2, 1)},
          {"one_product", rate(1, 2)},
          {"all_ranks", rate(ranks, 1)}};
}

// How long a message takes.
Values message_time(Random& random) {
  const Index megabytes = random.between(1, 64);
  const Index latency = 5 * random.between(1, 10);
  const Index gigabytes = random.pick<Index>({20, 25, 50, 100, 200});
  const LinkSpec link{static_cast<double>(gigabytes) * 1e9, static_cast<double>(latency) * 1e-6};
  const auto micro = [](double seconds) { return decimal(seconds * 1e6, 0); };
  const double bytes = static_cast<double>(megabytes) * 1e6;
  return {{"megabytes", whole(megabytes)},
          {"heads", whole(10 * megabytes)},  // of 250, for 100 tokens a rank: so many megabytes
          {"latency", whole(latency)},
          {"gigabytes", whole(gigabytes)},
          {"answer", micro(link.seconds(bytes))},
          {"no_latency", micro(bytes / link.bytes_per_second)},
          {"latency_only", micro(link.latency_seconds)},
          {"bits", micro(link.seconds(8 * bytes))}};
}

}  // namespace

std::vector<Generator> planning_generators() {
  return {{"sequences_per_step", 1, sequences_per_step},
          {"tokens_of_gpu", 1, tokens_of_gpu},
          {"zero_bytes", 1, zero_bytes},
          {"achieved_rate", 1, achieved_rate},
          {"message_time", 1, message_time}};
}

}  // namespace ringlab::quiz

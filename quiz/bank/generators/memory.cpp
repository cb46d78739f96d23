// Generators about memory: which part of it grows with what.
#include "ringlab/sim/memory/memory.hpp"
#include "ringlab/quiz/bank/generators/problem.hpp"
#include "ringlab/sim/memory/activations.hpp"
#include "ringlab/sim/model/flops.hpp"

namespace ringlab::quiz {
namespace {

// The column of `plan --question memory` that has this many context ranks: after the part's name
// one for each doubling.
Value column_of(Index context) {
  Index column = 1;
  while (Index{1} << (column - 1) < context) ++column;
  return whole(column);
}

// Bytes of the whole score matrix of one layer, 16 bits a score.
Values score_matrix(Random& random) {
  const Index tokens = 1024 * random.pick<Index>({4, 8, 16, 32, 64, 128});
  const Index heads = random.pick<Index>({8, 16, 32, 64});
  const Positions all = whole_sequence(tokens);
  const Index bytes = 2 * heads * visible_pairs(Mask{}, all, all);
  return {{"tokens", whole(tokens)},
          {"heads", whole(heads)},
          {"answer", ratio(bytes, kGiga, 2)},
          {"one_head", ratio(bytes, heads * kGiga, 2)},
          {"linear", ratio(bytes / tokens * 128, kGiga, 2)},
          {"for_values", ratio(2 * bytes, kGiga, 2)}};
}

// A model with grouped heads, as far as memory needs it.
Model pick_model(Random& random) {
  Model model;
  model.layers = random.pick<int>({24, 28, 32, 40, 48, 64, 80});
  const Heads heads = pick_heads(random);
  model.heads = static_cast<int>(heads.query);
  model.kv_heads = static_cast<int>(heads.kv);
  model.head_dim = static_cast<int>(heads.dim);
  model.hidden = model.heads * model.head_dim;
  return model;
}

// Bytes of keys and values of a token.
Values kv_bytes_per_token(Random& random) {
  const Model model = pick_model(random);
  const Index bytes = model.kv_bytes_per_token(2);
  return {{"layers", whole(model.layers)},
          {"heads", whole(model.heads)},
          {"kv_heads", whole(model.kv_heads)},
          {"head_dim", whole(model.head_dim)},
          {"answer", ratio(bytes, 1000, 1)},
          {"one_layer", ratio(bytes / model.layers, 1000, 1)},
          {"keys_only", ratio(bytes / 2, 1000, 1)},
          {"expanded", ratio(bytes / model.kv_heads * model.heads, 1000, 1)}};
}

// What full recomputation keeps: the input of each layer.
Values checkpoint_bytes(Random& random) {
  const Model model = pick_model(random);
  const Index ranks = random.pick<Index>({2, 4, 8, 16});
  const Index shard = 1024 * random.pick<Index>({8, 16, 32, 64});
  const double token = layer_activations(model, {}).kept(Recompute::full);
  const Index bytes = rounded(token) * shard * model.layers;
  return {{"layers", whole(model.layers)},
          {"hidden", whole(model.hidden)},
          {"heads", whole(model.heads)},
          {"head_dim", whole(model.head_dim)},
          {"column", column_of(ranks)},
          {"ranks", whole(ranks)},
          {"tokens", whole(ranks * shard)},
          {"shard", whole(shard)},
          {"answer", ratio(bytes, kGiga, 2)},
          {"one_layer", ratio(bytes / model.layers, kGiga, 2)},
          {"elements", ratio(bytes / 2, kGiga, 2)},
          {"whole_sequence", ratio(bytes * ranks, kGiga, 2)}};
}

// Weights, gradients and optimizer state.
Values model_state_bytes(Random& random) {
  const Index tenths = random.between(5, 400);  // of a billion parameters
  const ModelState state = model_state(static_cast<double>(tenths) * 1e8, 0, 1);
  const auto gigabytes = [](double bytes) { return decimal(bytes / 1e9, 1); };
  return {{"billions", ratio(tenths, 10, 1)},
          {"answer", gigabytes(state.weights + state.gradients + state.optimizer)},
          {"weights_only", gigabytes(state.weights)},
          {"no_optimizer", gigabytes(state.weights + state.gradients)},
          {"no_gradients", gigabytes(state.weights + state.optimizer)}};
}

// How much dearer a token becomes with the length of its sequence.
Values cost_ratio(Random& random) {
  Model model;
  model.heads = random.pick<int>({16, 32, 40, 64, 128});
  model.kv_heads = model.heads;
  model.head_dim = 128;
  model.hidden = model.heads * model.head_dim;
  model.ffn = 4 * model.hidden;
  model.mlp = MlpKind::plain;
  const Index from = random.pick<Index>({4096, 8192});
  const Index factor = random.pick<Index>({4, 8, 16, 32, 64, 128});
  const auto of_a_token = [&model](Index tokens) {
    const double s = static_cast<double>(tokens);
    return forward_flops(model, s, s * s, 0) / s;
  };
  return {{"hidden", whole(model.hidden)},
          {"from", whole(from)},
          {"to", whole(factor * from)},
          {"answer", decimal(of_a_token(factor * from) / of_a_token(from), 1)},
          {"unchanged", ratio(1, 1, 1)},
          {"linear", ratio(factor, 1, 1)},
          {"quadratic", ratio(factor * factor, 1, 1)}};
}

// float32 logits and their gradient.
Values logits_bytes(Random& random) {
  Model model;
  model.hidden = random.pick<int>({2048, 4096, 5120, 8192});
  model.vocabulary = random.pick<int>({32000, 50257, 128256, 152064, 256000});
  Workload work;
  work.whole_logits = true;
  Parallel parallel;
  parallel.context = random.pick<int>({2, 4, 8, 16});
  const Index shard = 1024 * random.pick<Index>({4, 8, 16, 32});
  work.tokens = shard * parallel.context;
  const Index bytes = rounded(memory_of(model, work, parallel, Gpu{}).logits);
  return {{"tokens", whole(work.tokens)},
          {"shard", whole(shard)},
          {"ranks", whole(parallel.context)},
          {"column", column_of(parallel.context)},
          {"vocabulary", whole(model.vocabulary)},
          {"hidden", whole(model.hidden)},
          {"answer", ratio(bytes, kGiga, 1)},
          {"no_gradient", ratio(bytes, 2 * kGiga, 1)},
          {"hidden_width", ratio(bytes / model.vocabulary * model.hidden, kGiga, 1)},
          {"not_sharded", ratio(bytes * parallel.context, kGiga, 1)}};
}

// Korthikanti's transformer layer on `tensor` ranks: kilobytes a token, scores left out.
Values tensor_activations(Random& random, bool sequence_parallel) {
  Model model;
  model.heads = 16 * random.pick<int>({2, 3, 4, 5, 6, 8, 10});
  model.kv_heads = model.heads;
  model.head_dim = random.pick<int>({64, 96, 128});
  model.hidden = model.heads * model.head_dim;
  model.ffn = 4 * model.hidden;
  model.mlp = MlpKind::plain;
  const Index tensor = random.pick<Index>({2, 4, 8});
  const auto bytes = [&](Index ranks, bool sequence) {
    ActivationRule rule;
    rule.tensor = static_cast<int>(ranks);
    rule.sequence_parallel = sequence;
    rule.dropout = true;
    rule.stored_scores = 1;  // their attention, so no log-sum-exps; selective leaves scores out
    return layer_activations(model, rule).kept(Recompute::selective);
  };
  const auto kilobytes = [](double number) { return decimal(number / 1000, 1); };
  return {{"hidden", whole(model.hidden)},
          {"tensor", whole(tensor)},
          {"answer", kilobytes(bytes(tensor, sequence_parallel))},
          {"tensor_only", kilobytes(bytes(tensor, false))},
          {"all_divided", kilobytes(bytes(tensor, true))},
          {"undivided", kilobytes(bytes(1, false))},
          {"norms_gone", kilobytes(bytes(tensor, true) - 10.0 * model.hidden / double(tensor))}};
}

Values tensor_parallel_activations(Random& random) {
  return tensor_activations(random, false);
}
Values sequence_parallel_activations(Random& random) {
  return tensor_activations(random, true);
}

}  // namespace

std::vector<Generator> memory_generators() {
  return {{"score_matrix", 1, score_matrix},
          {"kv_bytes_per_token", 1, kv_bytes_per_token},
          {"checkpoint_bytes", 1, checkpoint_bytes},
          {"model_state_bytes", 1, model_state_bytes},
          {"cost_ratio", 1, cost_ratio},
          {"logits_bytes", 1, logits_bytes},
          {"tensor_parallel_activations", 1, tensor_parallel_activations},
          {"sequence_parallel_activations", 1, sequence_parallel_activations}};
}

}  // namespace ringlab::quiz

#include "ringlab/sim/memory/memory.hpp"

#include <algorithm>
#include <cmath>

#include "ringlab/sim/memory/activations.hpp"
#include "ringlab/sim/memory/attention_buffers.hpp"

namespace ringlab {
namespace {

constexpr double kReservedShare = 0.05;
// Tokens whose logits, or whose MLP in a forward pass, are worked on at a time.
constexpr double kChunkTokens = 4096;

// Weights of the layers that are experts', and of all others.
struct LayerWeights {
  double experts = 0, others = 0;
};
LayerWeights layer_weights(const Model& model) {
  LayerWeights w;
  const auto all = static_cast<double>(model.matrix_weights());
  if (model.experts) {
    const double one = static_cast<double>(model.mlp_weights(model.layers - 1));
    const double whole = model.experts->count + model.experts->shared;
    w.experts = (model.layers - model.experts->dense_layers) * one * model.experts->count / whole;
  }
  w.others = all - w.experts;
  return w;
}

// Of one layer: gathered for ZeRO 3, on one rank of the tensor axis.
double one_layer_weights(const Model& model, const Parallel& p) {
  const LayerWeights w = layer_weights(model);
  return (w.others + w.experts / p.expert) / model.layers / p.tensor;
}

double logits_bytes(const Model& model, double tokens, const Workload& work, const Parallel& p) {
  const double rows = work.whole_logits ? tokens : std::min(tokens, kChunkTokens);
  if (work.purpose != Purpose::train) return p.micro_batch * 4.0 * model.vocabulary / p.tensor;
  // Logits and their gradient in float32.
  return rows * 8.0 * model.vocabulary / p.tensor;
}

}  // namespace

const char* name(Purpose purpose) {
  switch (purpose) {
    case Purpose::train:
      return "train";
    case Purpose::prefill:
      return "prefill";
    case Purpose::decode:
      return "decode";
  }
  return "?";
}

ModelState model_state(double parameters, int zero, int replicas, bool training) {
  const auto shared_from = [&](int stage) { return zero >= stage ? replicas : 1; };
  ModelState state;
  state.weights = 2 * parameters / shared_from(3);
  if (!training) return state;
  state.gradients = 4 * parameters / shared_from(2);
  state.optimizer = 12 * parameters / shared_from(1);
  return state;
}

int layers_of_stage(const Model& model, const Parallel& p) {
  return (model.layers + p.pipeline - 1) / p.pipeline;
}

double tokens_of_rank(const Workload& work, const Parallel& p) {
  return std::ceil(static_cast<double>(work.tokens) / p.context);
}

double parameters_of_rank(const Model& model, const Parallel& p) {
  const double table = static_cast<double>(model.vocabulary) * model.hidden / p.tensor;
  // One stage has the embedding, the last the head; with a single stage it has both.
  const int tables = p.pipeline > 1 || model.tied_embedding ? 1 : 2;
  return layers_of_stage(model, p) * one_layer_weights(model, p) + tables * table;
}

double cache_bytes(const Model& model, const Workload& work, const Parallel& p) {
  const double share = model.latent ? 1 : std::min(p.tensor, model.kv_heads);
  const double sequences = std::ceil(static_cast<double>(work.batch) / p.data);
  const double layers = static_cast<double>(layers_of_stage(model, p)) / model.layers;
  double tokens = tokens_of_rank(work, p);
  // A window's cache forgets what no query will see again; a rank holds what is left of its part.
  if (model.window && work.purpose != Purpose::train) {
    tokens = std::min(tokens, std::ceil(static_cast<double>(*model.window) / p.context));
  }
  return sequences * tokens * static_cast<double>(model.kv_bytes_per_token()) * layers / share;
}

Memory memory_of(const Model& model, const Workload& work, const Parallel& p, const Gpu& gpu) {
  const bool training = work.purpose == Purpose::train;
  const double tokens =
      work.purpose == Purpose::decode ? p.micro_batch : tokens_of_rank(work, p) * p.micro_batch;
  const int layers = layers_of_stage(model, p);
  Memory m;
  const ModelState state =
      model_state(parameters_of_rank(model, p), p.zero, p.replicas(), training);
  m.weights = state.weights;
  m.gradients = state.gradients;
  m.optimizer = state.optimizer;
  if (p.zero >= 3 && p.replicas() > 1) m.weights += 2 * 2 * one_layer_weights(model, p);

  ActivationRule rule{.tensor = p.tensor,
                      .sequence_parallel = p.sequence_parallel && p.tensor > 1,
                      .recompute = p.recompute};
  const LayerActivations layer = layer_activations(model, rule);
  const AttentionShape shape{tokens, static_cast<double>(model.heads) / p.tensor,
                             std::max(1.0, static_cast<double>(model.moved_kv_heads()) / p.tensor),
                             static_cast<double>(model.moved_head_dim())};
  if (training) {
    // 1F1B: the first stage has as many micro batches in flight as there are stages.
    const double stages_full = std::min<double>(
        p.pipeline, std::ceil(static_cast<double>(work.batch) / p.data / p.micro_batch));
    const double held = stages_full * layers * interleave_factor(p.pipeline, p.interleave);
    const bool full = p.recompute == Recompute::full;
    m.activations = held * tokens * (layer.kept(p.recompute) - (full ? 0 : layer.log_sum_exp));
    m.log_sum_exp = full ? 0 : held * tokens * layer.log_sum_exp;
    // While a layer's backward pass runs, all it needs is there, and as much again in gradients of
    // its widest tensors.
    m.working = (full ? tokens * layer.kept(Recompute::selective) : 0) + tokens * layer.mlp;
    m.blocks = std::max(attention_buffers(shape, p.family, p.context, p.ulysses, false).in_flight(),
                        attention_buffers(shape, p.family, p.context, p.ulysses, true).in_flight());
  } else {
    // Nothing is kept. One layer: residual, attention's tensors for all tokens, and the MLP for
    // some at a time.
    m.working =
        tokens * (layer.input + layer.attention) + std::min(tokens, kChunkTokens) * layer.mlp;
    // One rank alone keeps its running result in registers; parts that other ranks add to are there
    // in float32.
    if (work.purpose == Purpose::prefill && p.context > 1) {
      m.blocks = attention_buffers(shape, p.family, p.context, p.ulysses, false).in_flight();
    }
    m.cache = cache_bytes(model, work, p);
    // Two layers of it are on the GPU: the one at work and the next one.
    if (work.offload_cache) m.cache *= std::min(1.0, 2.0 / layers);
  }
  m.logits = logits_bytes(model, tokens, work, p);
  m.reserved = kReservedShare * gpu.memory_bytes;
  return m;
}

const std::array<Memory::Part, 10>& Memory::parts() {
  static const std::array<Part, 10> parts = {{
      {"weights", &Memory::weights},
      {"gradients", &Memory::gradients},
      {"optimizer", &Memory::optimizer},
      {"activations kept", &Memory::activations},
      {"one layer at work", &Memory::working},
      {"attention in flight", &Memory::blocks},
      {"log-sum-exp", &Memory::log_sum_exp},
      {"logits", &Memory::logits},
      {"key/value cache", &Memory::cache},
      {"reserved", &Memory::reserved},
  }};
  return parts;
}

double Memory::total() const {
  return weights + gradients + optimizer + activations + working + blocks + log_sum_exp + logits +
         cache + reserved;
}

const char* Memory::largest() const {
  const Part* most = &parts()[0];
  for (const Part& part : parts()) {
    if (this->*part.bytes > this->*most->bytes) most = &part;
  }
  return most->name;
}

OffloadTime offload_time(const Gpu& gpu, double bytes, int layers, double layer_compute_seconds) {
  OffloadTime time;
  const double each = gpu.host.seconds(bytes / layers);
  time.transfer_seconds = layers * each;
  // The first layer's part hides behind nothing, the others behind the layer before.
  time.exposed_seconds = each + (layers - 1) * std::max(0.0, each - layer_compute_seconds);
  return time;
}

}  // namespace ringlab

#include "ringlab/sim/layer/step.hpp"

#include <algorithm>
#include <cmath>

#include "ringlab/sim/cost/collective_cost.hpp"
#include "ringlab/sim/cost/compute_cost.hpp"
#include "ringlab/sim/model/flops.hpp"

namespace ringlab {
namespace {

// A library runs a collective as a ring over all rails, or directly: whichever is faster.
double gather_seconds(const GroupPath& path, double bytes) {
  if (path.alone()) return 0;
  return std::min(all_gather_seconds(path.collective, path.group.size, bytes),
                  direct_exchange_seconds(path, bytes / path.group.size));
}

// Width of the MLP that one token passes.
double active_width(const Model& model) {
  if (!model.experts) return model.ffn;
  return static_cast<double>(model.experts->ffn) * (model.experts->active + model.experts->shared);
}

class Layer {
 public:
  Layer(const Machine& machine, const Model& model, const Workload& work, const Parallel& p)
      : machine_(machine), gpu_(machine.gpu()), model_(model), work_(work), p_(p) {
    tokens_ =
        work.purpose == Purpose::decode ? p.micro_batch : tokens_of_rank(work, p) * p.micro_batch;
  }

  // Products, memory-bound operations and collectives of one pass, without attention itself.
  Shares pass() const {
    const double h = model_.hidden, t = p_.tensor;
    Shares s;
    // Attention's projections: all its matrices, as products of one input.
    const auto attention = static_cast<double>(model_.attention_weights());
    add_product(s, 1, tokens_, h, attention / h / t);
    double mlp_experts = 0, dense = 1;
    if (model_.experts) {
      dense = static_cast<double>(model_.experts->dense_layers) / model_.layers;
      mlp_experts = 1 - dense;
    }
    const double matrices = model_.mlp == MlpKind::gated ? 3 : 2;
    add_product(s, dense, tokens_, h, matrices * model_.ffn / t);
    if (mlp_experts > 0) add_expert_products(s, mlp_experts, matrices);
    s.memory += elementwise();
    // Two all-gathers and two reduce-scatters of the micro batch; two all-reduces are the same.
    const GroupPath& tensor = machine_.path({p_.tensor, 1});
    s.tensor += 4 * gather_seconds(tensor, tokens_ * h * 2);
    if (model_.experts && p_.expert > 1) {
      const GroupPath& path = machine_.path({p_.expert, p_.tensor});
      const double sent = tokens_ / t * model_.experts->active * h * 2;  // each token, each expert
      s.expert += mlp_experts * 2 * direct_exchange_seconds(path, sent / p_.expert);
    }
    return s;
  }

  Shares head() const {
    Shares s;
    const double rows = work_.purpose == Purpose::train ? tokens_ : p_.micro_batch;
    add_product(s, 1, rows, model_.hidden, static_cast<double>(model_.vocabulary) / p_.tensor);
    return s;
  }

  // Attention that keeps its scores: the whole square, and the scores through memory.
  Shares stored_attention() const {
    const double s = static_cast<double>(work_.tokens);
    const double scores = p_.micro_batch * s * s * model_.heads / p_.tensor;
    Shares out;
    out.attention = 4 * scores * model_.moved_head_dim() / gpu_.reached_flops_per_second;
    out.memory = memory_seconds(gpu_, 13 * scores);
    return out;
  }

  // One new token a sequence against the cache: every key is read once, on every rank of the
  // context axis its part; then partial results are merged up a tree and handed down.
  Shares decode_attention() const {
    const double keys = std::min<double>(
        static_cast<double>(work_.tokens),
        model_.window ? static_cast<double>(*model_.window) : static_cast<double>(work_.tokens));
    const double heads = static_cast<double>(model_.heads) / p_.tensor, d = model_.moved_head_dim();
    Workload one = work_;
    one.batch = p_.micro_batch;
    Parallel replica = p_;
    replica.data = 1;
    const double bytes = cache_bytes(model_, one, replica) / layers_of_stage(model_, p_);
    // Latents are attended to as they are, without unfolding keys and values.
    const double width =
        model_.latent ? 2 * (2.0 * model_.latent->key_value + model_.latent->rope) : 4 * d;
    const double flops = p_.micro_batch * heads * width * keys / p_.context;
    Shares s;
    const double read = memory_seconds(gpu_, bytes);
    const double compute = flops / gpu_.reached_flops_per_second;
    (read > compute ? s.memory : s.attention) += std::max(read, compute);
    if (p_.context > 1) {
      const LinkSpec& hop = machine_.path({p_.context, p_.tensor}).ring_hop;
      const double steps = std::ceil(std::log2(p_.context));
      s.context += steps * (hop.seconds(p_.micro_batch * heads * d * 2) +
                            hop.seconds(p_.micro_batch * heads * (d + 1) * 4));
    }
    return s;
  }

  double tokens() const { return tokens_; }

 private:
  // `times` products. What waits for its weights to be read is memory traffic, not computation.
  void add_product(Shares& s, double times, double rows, double inner, double columns) const {
    const double seconds = matrix_seconds(gpu_, rows, inner, columns);
    const double computing = 2 * rows * inner * columns / gpu_.reached_flops_per_second;
    (seconds > computing ? s.memory : s.matrix) += times * seconds;
  }

  // Each expert at work reads its weights; tokens spread over them evenly.
  void add_expert_products(Shares& s, double times, double matrices) const {
    const Experts& e = *model_.experts;
    const double local = static_cast<double>(e.count) / p_.expert;
    const double sent = tokens_ * e.active;  // (token, expert) pairs; as many come as go
    const double busy = std::min(local, sent);
    if (busy > 0) {
      add_product(s, times * busy, sent / busy, model_.hidden, matrices * e.ffn / p_.tensor);
    }
    if (e.shared > 0) {
      add_product(s, times, tokens_, model_.hidden, matrices * e.ffn * e.shared / p_.tensor);
    }
  }

  double elementwise() const {
    const double h = model_.hidden, t = p_.tensor;
    const double whole = p_.sequence_parallel && p_.tensor > 1 ? t : 1;
    const double q = static_cast<double>(model_.heads) * model_.moved_head_dim();
    const double kv = static_cast<double>(model_.moved_kv_heads()) * model_.moved_head_dim();
    const double width = active_width(model_);
    // Twice: residual in and out, norm in and out (8 h a norm). Rotary reads and writes q and k.
    const double bytes =
        16 * h / whole + 4 * (q + kv) / t + (model_.mlp == MlpKind::gated ? 6 : 4) * width / t;
    return memory_seconds(gpu_, tokens_ * bytes);
  }

  const Machine& machine_;
  const Gpu& gpu_;
  const Model& model_;
  const Workload& work_;
  const Parallel& p_;
  double tokens_;
};

Shares of_attention(const AttentionTime& time) {
  Shares s;
  s.attention = time.compute;
  s.context = time.exposed();
  return s;
}

// Reducing gradients and gathering weights: the whole, and what of it is exposed.
struct Reduction {
  double whole = 0, exposed = 0;
};

Reduction reduction(const Machine& machine, const Model& model, const Workload& work,
                    const Parallel& p, const LayerTime& layer, double micro_batches) {
  Reduction r;
  const int replicas = p.replicas();
  if (work.purpose != Purpose::train || replicas == 1) return r;
  const GroupPath& path = machine.path({replicas, p.tensor});
  const double parameters = parameters_of_rank(model, p);
  const int layers = layers_of_stage(model, p);
  const double scatter = gather_seconds(path, 4 * parameters);  // float32 gradients
  const double gather = gather_seconds(path, (p.zero == 0 ? 4 : 2) * parameters);
  const double backward = layers * layer.backward.total();
  const double forward = layers * layer.forward.total();
  const double times = p.zero >= 2 ? micro_batches : 1;
  // The last layer's part has nothing left to hide behind.
  const auto exposed = [&](double seconds, double behind) {
    return std::max(seconds / layers, seconds - behind);
  };
  r.whole = times * scatter;
  r.exposed = times * exposed(scatter, backward);
  if (p.zero >= 3) {
    // Weights twice a micro batch, each layer's behind the one before.
    r.whole += micro_batches * 2 * gather;
    r.exposed += micro_batches * (exposed(gather, forward) + exposed(gather, backward - scatter));
  } else {
    // Gathered after the optimizer, behind the next step's forward pass; without ZeRO it is the
    // second half of an all-reduce, behind the same backward pass.
    r.whole += gather;
    r.exposed += p.zero == 0 ? exposed(scatter + gather, backward) - exposed(scatter, backward)
                             : exposed(gather, forward);
  }
  return r;
}

}  // namespace

const std::array<Shares::Part, 9>& Shares::parts() {
  static const std::array<Part, 9> parts = {{
      {"matrix products", &Shares::matrix},
      {"attention", &Shares::attention},
      {"memory traffic", &Shares::memory},
      {"tensor collectives", &Shares::tensor},
      {"context transfers", &Shares::context},
      {"expert exchange", &Shares::expert},
      {"weights and gradients", &Shares::weights},
      {"pipeline", &Shares::pipeline},
      {"host transfers", &Shares::host},
  }};
  return parts;
}

Shares& Shares::operator+=(const Shares& other) {
  for (const Part& part : parts()) this->*part.seconds += other.*part.seconds;
  return *this;
}

Shares Shares::operator*(double factor) const {
  Shares scaled = *this;
  for (const Part& part : parts()) scaled.*part.seconds *= factor;
  return scaled;
}

const char* Shares::largest() const {
  const Part* most = &parts()[0];
  for (const Part& part : parts()) {
    if (this->*part.seconds > this->*most->seconds) most = &part;
  }
  return most->name;
}

AttentionProblem attention_problem(const Model& model, const Workload& work, const Parallel& p,
                                   bool backward) {
  AttentionProblem problem;
  const double sequences = p.micro_batch;
  problem.shape.tokens = tokens_of_rank(work, p);
  problem.shape.query_heads = sequences * model.heads / p.tensor;
  problem.shape.kv_heads =
      sequences * std::max(1.0, static_cast<double>(model.moved_kv_heads()) / p.tensor);
  problem.shape.head_dim = model.moved_head_dim();
  problem.pairs = causal_pairs(model, problem.shape.tokens * p.context);
  problem.window = model.window ? static_cast<int>(*model.window) : 0;
  problem.family = p.family;
  problem.context = p.context;
  problem.ulysses = p.family == Family::ulysses ? p.context : p.ulysses;
  problem.ulysses_inside = p.ulysses_inside;
  problem.stride = p.tensor;
  problem.backward = backward;
  return problem;
}

LayerTime layer_time(const Machine& machine, const Model& model, const Workload& work,
                     const Parallel& p, const StepOptions& options) {
  const Layer layer(machine, model, work, p);
  LayerTime time;
  Shares attention;
  if (work.purpose == Purpose::decode) {
    attention = layer.decode_attention();
  } else if (options.stored_scores) {
    attention = layer.stored_attention();
  } else {
    attention = of_attention(
        options.forward ? *options.forward
                        : attention_closed_form(machine, attention_problem(model, work, p, false)));
  }
  time.forward = layer.pass();
  time.forward += attention;
  if (work.purpose != Purpose::train) return time;

  Shares pass = layer.pass();
  const double tensor = pass.tensor, expert = pass.expert;
  time.backward = pass * 2;  // gradients of inputs and of weights
  time.backward.tensor = tensor;
  time.backward.expert = expert;
  if (options.stored_scores) {
    time.backward += attention * 2;
    // Selective recomputation multiplies and normalises the scores once more.
    if (p.recompute == Recompute::selective) time.backward += attention;
  } else {
    time.backward += of_attention(
        options.backward ? *options.backward
                         : attention_closed_form(machine, attention_problem(model, work, p, true)));
  }
  if (p.recompute == Recompute::full) time.backward += time.forward;
  return time;
}

StepTime step_time(const Machine& machine, const Model& model, const Workload& work,
                   const Parallel& p, const StepOptions& options) {
  StepTime step;
  const bool training = work.purpose == Purpose::train;
  const Layer layer(machine, model, work, p);
  step.layer = layer_time(machine, model, work, p, options);
  const int layers = layers_of_stage(model, p);
  const double micro_batches = std::ceil(static_cast<double>(work.batch) / p.data / p.micro_batch);

  // The slowest stage is the last one, which has the head as well.
  Shares stage = step.layer.forward;
  stage += step.layer.backward;
  stage = stage * layers;
  stage += layer.head() * (training ? 3 : 1);
  step.shares = stage * micro_batches;
  if (work.offload_cache && !training) {
    const double per_layer = step.layer.forward.total();
    const OffloadTime host =
        offload_time(machine.gpu(), cache_bytes(model, work, p), layers, per_layer * micro_batches);
    step.shares.host += host.exposed_seconds;
  }
  if (p.pipeline > 1) {
    const double whole = p.sequence_parallel ? p.tensor : 1;
    const int stride = p.tensor * p.context * p.data;
    const LinkSpec& hop = machine.path({p.pipeline, stride}).ring_hop;
    const double transfer = hop.seconds(layer.tokens() * model.hidden * 2 / whole);
    const double idle = stage.total() * (p.pipeline - 1) / p.interleave;
    step.shares.pipeline += idle + (training ? 2 : 1) * (p.pipeline - 1) * transfer;
    step.bubble_share = idle / (idle + stage.total() * micro_batches);
  }
  const Reduction reduced = reduction(machine, model, work, p, step.layer, micro_batches);
  step.gradient_seconds = reduced.whole;
  step.shares.weights += reduced.exposed;
  if (training) {
    const double owned = parameters_of_rank(model, p) / (p.zero >= 1 ? p.replicas() : 1);
    step.shares.memory += memory_seconds(machine.gpu(), 30 * owned);
  }
  step.total = step.shares.total();

  const double s = static_cast<double>(work.tokens), batch = work.batch;
  if (work.purpose == Purpose::decode) {
    step.tokens = batch;
    step.model_flops = batch * forward_flops(model, 1, causal_pairs(model, 1, s), 1);
  } else {
    step.tokens = batch * s;
    step.model_flops = (training ? 3 : 1) * batch *
                       forward_flops(model, s, causal_pairs(model, s), training ? s : 1);
  }
  step.utilisation = step.model_flops / step.total / machine.gpu().flops_per_second / p.gpus();
  return step;
}

}  // namespace ringlab

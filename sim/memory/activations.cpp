#include "ringlab/sim/memory/activations.hpp"

namespace ringlab {

double LayerActivations::kept(Recompute recompute) const {
  if (recompute == Recompute::full) return input;
  const double all = attention + mlp + norms + log_sum_exp;
  return recompute == Recompute::selective ? all : all + scores;
}

LayerActivations layer_activations(const Model& model, const ActivationRule& rule) {
  const double h = model.hidden, t = rule.tensor;
  const double q = static_cast<double>(model.heads) * model.moved_head_dim();
  const double kv = 2.0 * model.moved_kv_heads() * model.moved_head_dim();  // keys and values
  // Width of the MLP that one token passes; with experts, of those that it is sent to.
  const bool experts = model.experts.has_value();
  const double width = experts ? static_cast<double>(model.experts->ffn) *
                                     (model.experts->active + model.experts->shared)
                               : model.ffn;
  const double copies = experts ? model.experts->active : 0;  // of a token, sent to experts

  const double whole =
      rule.sequence_parallel ? t : 1;  // what tensor parallelism alone leaves whole
  const double mask = rule.dropout ? h : 0;
  LayerActivations bytes;
  bytes.input = 2 * h / whole;
  bytes.attention = (2 * h + mask) / whole + (2 * q + 2 * kv + 2 * q) / t;
  bytes.scores = 5 * model.heads * rule.stored_scores / t;
  // Plain: before and after the non-linearity. Gated: gate, up and their product.
  const double wide = model.mlp == MlpKind::gated ? 6 : 4;
  bytes.mlp = (2 * h * (1 + copies) + mask) / whole + wide * width / t;
  bytes.norms = 4 * h / whole;
  bytes.log_sum_exp = rule.stored_scores > 0 ? 0 : 4 * model.heads / t;
  return bytes;
}

double interleave_factor(int pipeline, int interleave) {
  if (pipeline < 2 || interleave < 2) return 1;
  return 1 + (pipeline - 1.0) / (static_cast<double>(pipeline) * interleave);
}

}  // namespace ringlab

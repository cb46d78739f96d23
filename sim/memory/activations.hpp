// What a layer keeps of a forward pass until its backward pass, per token and rank.
//
// Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models", arXiv
// 2205.05198, equations 1 to 6, written out by what is kept, so that grouped heads, gated MLPs and
// experts come from the same lines: for their model the sum is s b h (34 + 5 a s / h).
#pragma once

#include "ringlab/sim/memory/parallel.hpp"
#include "ringlab/sim/model/model.hpp"

namespace ringlab {

/// How attention and dropout keep things; 16-bit elements, masks of one byte.
struct ActivationRule {
  int tensor = 1;
  bool sequence_parallel = false;  // norms, residuals and dropout masks sharded as well
  Recompute recompute = Recompute::selective;
  bool dropout = false;  // one-byte masks after attention and MLP
  /// Keys whose scores attention keeps (softmax, mask, dropped-out softmax: 5 bytes each); 0:
  /// blockwise attention, which keeps log-sum-exps instead.
  double stored_scores = 0;
};

/// Bytes of one token in one layer of one rank.
struct LayerActivations {
  double attention = 0, scores = 0, mlp = 0, norms = 0;
  double log_sum_exp = 0;
  double input = 0;  // the layer's input alone: what full recomputation keeps
  double kept(Recompute recompute) const;
};

LayerActivations layer_activations(const Model& model, const ActivationRule& rule);

/// Micro batches' worth of layers that the first pipeline stage holds at once: all layers once,
/// p stages of L / p; interleaved v-fold, 1 + (p - 1) / (p v) times that.
double interleave_factor(int pipeline, int interleave);

}  // namespace ringlab

// The time of one layer and of a whole step under a layout, and what each part of it waits for.
//
// What is simulated: the attention of one context group, hop by hop, if the caller passes its times
// in; else its closed form. Everything else is composed of closed forms:
//   products           roofline at the rate that large products reach
//   norms, residuals, rotary, activations   bytes at the memory's peak
//   tensor parallelism 2 all-gathers and 2 reduce-scatters of the micro batch a layer and pass,
//                      exposed (without sequence parallelism 2 all-reduces: the same time)
//   experts            2 all-to-alls a layer and pass, exposed
//   pipeline           1F1B: (p - 1) / v stages of idle time at both ends together, and one
//                      transfer between stages for each of them
//   gradients          hidden behind the backward pass of the last micro batch (ZeRO 2 and 3: of
//                      each one) as far as that is long enough
//   ZeRO 3             the next layer's weights gathered behind this layer
//   optimizer          30 bytes a parameter through memory
#pragma once

#include <optional>

#include "ringlab/sim/layer/attention_time.hpp"
#include "ringlab/sim/memory/memory.hpp"

namespace ringlab {

/// Seconds by what they are spent on.
struct Shares {
  double matrix = 0;     // projections, MLP, head, where FLOPs bind them
  double attention = 0;  // tiles of attention
  double memory = 0;     // what is bound by the GPU's memory, products of few rows among it
  double tensor = 0;     // collectives of the tensor axis
  double context = 0;    // attention's transfers that nothing hides
  double expert = 0;     // all-to-alls to experts
  double weights = 0;    // exposed gathers and reductions of weights and gradients
  double pipeline = 0;   // bubble, and transfers between stages
  double host = 0;       // exposed transfers of the key/value cache

  double total() const {
    return matrix + attention + memory + tensor + context + expert + weights + pipeline + host;
  }
  Shares& operator+=(const Shares& other);
  Shares operator*(double factor) const;
  struct Part {
    const char* name;
    double Shares::*seconds;
  };
  static const std::array<Part, 9>& parts();
  const char* largest() const;
};

/// One layer, one micro batch.
struct LayerTime {
  Shares forward, backward;  // backward with what is computed again
};

struct StepOptions {
  /// Attention of one layer, forward and backward, from a simulation; unset: closed form.
  std::optional<AttentionTime> forward, backward;
  /// Attention that keeps its scores and multiplies the full square (before blockwise attention);
  /// 13 bytes a score through memory.
  bool stored_scores = false;
};

struct StepTime {
  Shares shares;  // of the whole step; they add up to `total`
  double total = 0;
  LayerTime layer;
  double bubble_share = 0;      // idle part of the pipeline's time
  double gradient_seconds = 0;  // reduction of gradients, hidden or not
  double model_flops = 0;  // of the step: matrices, head and visible pairs, nothing computed again
  double tokens = 0;       // trained on, read or written
  double utilisation = 0;  // model FLOPs over time and the matrix peak of all GPUs
};

/// The attention of one layer as a problem of the context group. `sequences` pass at once.
AttentionProblem attention_problem(const Model& model, const Workload& work, const Parallel& p,
                                   bool backward);

LayerTime layer_time(const Machine& machine, const Model& model, const Workload& work,
                     const Parallel& p, const StepOptions& options = {});

StepTime step_time(const Machine& machine, const Model& model, const Workload& work,
                   const Parallel& p, const StepOptions& options = {});

}  // namespace ringlab

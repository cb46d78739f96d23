// Bytes of the fullest rank, part by part: what fits is decided by parts, and so is what to change.
#pragma once

#include <array>
#include <string>

#include "ringlab/sim/cluster/gpu.hpp"
#include "ringlab/sim/memory/parallel.hpp"
#include "ringlab/sim/model/model.hpp"

namespace ringlab {

enum class Purpose { train, prefill, decode };
const char* name(Purpose purpose);

/// What is asked of the model in one step.
struct Workload {
  Purpose purpose = Purpose::train;
  Index tokens = 4096;         // of one sequence; decode: already in the cache
  int batch = 1;               // sequences of all data ranks together
  bool whole_logits = false;   // keep float32 logits of all tokens; else some at a time
  bool offload_cache = false;  // keys and values wait in the host's memory
};

/// Weights, gradients and optimizer state of one rank. 2 bytes a weight, float32 gradients, 12
/// bytes of master weight and two moments (Adam): the 18 bytes of arXiv 2205.05198. Each part is
/// divided by `replicas` from the ZeRO stage on that shards it (arXiv 1910.02054).
struct ModelState {
  double weights = 0, gradients = 0, optimizer = 0;
};
ModelState model_state(double parameters, int zero, int replicas, bool training = true);

/// Parameters on the fullest stage's rank, after tensor, pipeline and expert parallelism.
double parameters_of_rank(const Model& model, const Parallel& parallel);

/// Layers of the longest pipeline stage.
int layers_of_stage(const Model& model, const Parallel& parallel);
/// Tokens of one sequence that a rank holds, rounded up.
double tokens_of_rank(const Workload& work, const Parallel& parallel);

struct Memory {
  double weights = 0;      // 16-bit; with ZeRO 3 the shard and two layers gathered
  double gradients = 0;    // float32
  double optimizer = 0;    // master weights and moments
  double activations = 0;  // kept for the backward pass, over all micro batches in flight
  double working = 0;      // one layer at work, gone after it
  double blocks = 0;       // keys, values and results on their way through attention
  double log_sum_exp = 0;  // kept with the activations, in float32
  double logits = 0;
  double cache = 0;     // keys and values of all layers
  double reserved = 0;  // driver, communication buffers, fragments: 5 %, assumed

  double total() const;
  struct Part {
    const char* name;
    double Memory::*bytes;
  };
  static const std::array<Part, 10>& parts();
  /// The largest part, by name.
  const char* largest() const;
};

/// The fullest rank. Activations are those of blockwise attention without dropout.
Memory memory_of(const Model& model, const Workload& work, const Parallel& parallel,
                 const Gpu& gpu);

/// Bytes of keys and values of a rank, all its layers and sequences: shared by the tensor axis as
/// far as there are heads; latents are not shared.
double cache_bytes(const Model& model, const Workload& work, const Parallel& parallel);

/// Seconds to bring a rank's keys and values from the host's memory, and how much of it a step that
/// computes for so long per layer hides: layer i + 1 travels while layer i computes.
struct OffloadTime {
  double transfer_seconds = 0, exposed_seconds = 0;
};
OffloadTime offload_time(const Gpu& gpu, double bytes, int layers, double layer_compute_seconds);

}  // namespace ringlab

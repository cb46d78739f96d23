// How a model and its sequence are split over GPUs: the axes, and what may be chosen about each.
//
// Ranks of the tensor axis are neighbours, then those of the context axis, then data, then the
// pipeline's stages (Megatron's order): what talks most stands closest.
#pragma once

#include <string>
#include <vector>

namespace ringlab {

/// Which schedule moves the sequence inside attention.
enum class Family { ring, ulysses, ulysses_ring, all_gather };
const char* name(Family family);

/// What the forward pass throws away and the backward pass computes again.
enum class Recompute {
  none,
  selective,  // the attention scores (arXiv 2205.05198): what blockwise attention does anyway
  full,       // all but the input of each layer
};
const char* name(Recompute recompute);

struct Parallel {
  int data = 1, tensor = 1, pipeline = 1, context = 1;
  int expert = 1;                // experts spread over so many of the data and context ranks
  Family family = Family::ring;  // of the context axis
  int ulysses = 1;               // ranks of it that exchange heads, for ulysses_ring
  bool ulysses_inside = true;    // those are neighbours, the rings go across them; or the other way
  bool sequence_parallel = true;  // norms and residuals sharded over the tensor axis
  int zero = 1;                   // 0 nothing, 1 optimizer, 2 gradients too, 3 weights too
  Recompute recompute = Recompute::selective;
  int micro_batch = 1;  // sequences of a data rank that pass the layers at once
  int interleave = 1;   // layer groups a stage holds, for the interleaved schedule

  int gpus() const { return data * tensor * pipeline * context; }
  /// Ranks that hold the same weights: gradients are summed over them, ZeRO shards over them.
  int replicas() const { return data * context; }
  bool operator==(const Parallel&) const = default;
};

/// "dp=2,tp=8,pp=1,cp=4 (ring), zero 1, selective recompute, micro batch 1".
std::string to_text(const Parallel& parallel);
/// "dp=2,tp=8,pp=1,cp=4".
std::string axes_text(const Parallel& parallel);

/// Axes given by a person: "dp=2,tp=8"; unnamed ones are unset (0). Throws InputError (field
/// `layout`) for anything else.
Parallel axes_from(const std::string& text);

}  // namespace ringlab

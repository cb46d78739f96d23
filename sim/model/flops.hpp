// The work of a model in floating-point operations, and what each count leaves out.
//
// Papers count differently: Megatron and this project's `_square` functions take the full attention
// square, FlashAttention and Meta half of it under a causal mask. Here pairs are an argument.
#pragma once

#include <vector>

#include "ringlab/sim/model/model.hpp"

namespace ringlab {

/// Training FLOPs of packed sequences as trackers of utilisation count them, exact:
/// 6 N T + 12 L heads head_dim sum(s^2), with N the matrices and both embedding tables, attention
/// as the full square, no recomputation. Throws InputError (field `tokens`) beyond 2^63.
Index training_flops_square(const Model& model, const std::vector<Index>& lengths);

/// FLOPs of one forward pass over `tokens` tokens with `pairs` (query, key) pairs of one head and
/// layer: 2 a weight that the token meets, the head for `head_tokens` of them, and attention.
/// The embedding look-up costs nothing.
double forward_flops(const Model& model, double tokens, double pairs, double head_tokens);

/// FLOPs of attention alone, of one layer, forward: 4 moved_head_dim a pair and query head.
double attention_flops(const Model& model, double pairs);

/// Visible pairs of one head over a causal sequence, the model's window minded, with `cached`
/// tokens before: each of `tokens` queries sees itself and all before it.
double causal_pairs(const Model& model, double tokens, double cached = 0);

}  // namespace ringlab

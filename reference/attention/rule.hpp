// The mathematics of one attention, apart from the numbers: what every tile, hop and reader agrees
// on.
//
//   s_ij = cap(scale * q_i . k_j) - slope_h * |i - j|          visible (i, j) only
//   O_i  = sum_j drop_ij exp(s_ij - lse_i) v_j,   lse_i = log(sum_j exp(s_ij) + exp(sink_h))
//
// with i, j global positions, cap(x) = c tanh(x / c) if a soft cap c is set, and natural
// logarithms. A row that sees nothing has O = 0 and lse = -inf (with a sink: lse = sink).
#pragma once

#include <cstdint>
#include <vector>

#include "ringlab/reference/sequence/mask.hpp"

namespace ringlab {

/// Inverted dropout of attention weights; the draw depends on seed, head and global positions only.
struct Dropout {
  double probability = 0;  // in [0, 1)
  std::uint64_t seed = 0;
  bool operator==(const Dropout&) const = default;
};

struct AttentionRule {
  int query_heads = 1;
  int kv_heads = 1;  // divides query_heads; query head h reads kv head h / (query_heads / kv_heads)
  int head_dim = 64;
  double scale = 0.125;
  Mask mask;
  double soft_cap = 0;               // 0: none (Gemma 2, arXiv 2408.00118)
  std::vector<double> sinks;         // [query_heads] logits, or empty
  std::vector<double> alibi_slopes;  // [query_heads] (ALiBi, arXiv 2108.12409), or empty
  Dropout dropout;

  int group() const { return query_heads / kv_heads; }
  int kv_head_of(int query_head) const { return query_head / group(); }

  /// Throws InputError that names the field that does not fit.
  void check() const;

  bool operator==(const AttentionRule&) const = default;
};

/// 1 / sqrt(head_dim).
double default_scale(int head_dim);

/// The slopes of the ALiBi paper, section 3: 2^(-8 (h+1) / heads) for a power of two, and the
/// paper's interleaving otherwise.
std::vector<double> default_alibi_slopes(int query_heads);

}  // namespace ringlab

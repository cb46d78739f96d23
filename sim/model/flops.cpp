#include "ringlab/sim/model/flops.hpp"

#include <algorithm>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {
namespace {

// a * b + c, or a refusal.
Index multiply_add(Index a, Index b, Index c) {
  Index product = 0, sum = 0;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(product, c, &sum)) {
    throw InputError("tokens", "more FLOPs than 2^63", "count fewer tokens at a time");
  }
  return sum;
}

}  // namespace

Index training_flops_square(const Model& model, const std::vector<Index>& lengths) {
  Index tokens = 0, squares = 0;
  for (const Index s : lengths) {
    tokens = multiply_add(1, s, tokens);
    squares = multiply_add(s, s, squares);
  }
  const Index weights = model.active_matrix_weights() + 2 * Index{model.vocabulary} * model.hidden;
  const Index attention =
      multiply_add(12 * Index{model.layers} * model.heads * model.moved_head_dim(), squares, 0);
  return multiply_add(6 * weights, tokens, attention);
}

double attention_flops(const Model& model, double pairs) {
  return 4.0 * model.heads * model.moved_head_dim() * pairs;
}

double forward_flops(const Model& model, double tokens, double pairs, double head_tokens) {
  return 2.0 * static_cast<double>(model.active_matrix_weights()) * tokens +
         2.0 * model.vocabulary * model.hidden * head_tokens +
         model.layers * attention_flops(model, pairs);
}

double causal_pairs(const Model& model, double tokens, double cached) {
  const double all = tokens * cached + tokens * (tokens + 1) / 2;
  if (!model.window) return all;
  // Query i (from 1) of the whole sequence sees min(i, window) keys.
  const double window = static_cast<double>(*model.window);
  const double growing = std::clamp(window - cached, 0.0, tokens);
  return growing * cached + growing * (growing + 1) / 2 + (tokens - growing) * window;
}

}  // namespace ringlab

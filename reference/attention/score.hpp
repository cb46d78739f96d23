// One score, one weight: the scalar form of the rule, shared by the plain rungs of the ladder.
#pragma once

#include <cmath>

#include "ringlab/reference/attention/rule.hpp"

namespace ringlab {

/// 1 / (1 - p) if the weight of (head, query, key) is kept, else 0; 1 without dropout.
/// Philox4x32-10 (Salmon et al., SC'11) with key = seed and counter = (query, key / 4, head), so
/// the draw does not know of ranks, layouts or tiles.
double dropout_factor(const Dropout& dropout, int head, Index query_position, Index key_position);

/// A score and its derivative with respect to the raw dot product q . k.
template <class T>
struct Score {
  T value;
  T slope;
};

template <class T>
Score<T> score(const AttentionRule& rule, int head, T dot, Index query_position,
               Index key_position) {
  T value = static_cast<T>(rule.scale) * dot;
  T slope = static_cast<T>(rule.scale);
  if (rule.soft_cap > 0) {
    const T cap = static_cast<T>(rule.soft_cap);
    const T t = std::tanh(value / cap);
    value = cap * t;
    slope *= 1 - t * t;
  }
  if (!rule.alibi_slopes.empty()) {
    const auto distance = static_cast<T>(std::abs(query_position - key_position));
    value -= static_cast<T>(rule.alibi_slopes[static_cast<std::size_t>(head)]) * distance;
  }
  return {value, slope};
}

}  // namespace ringlab

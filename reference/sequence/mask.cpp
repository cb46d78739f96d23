#include "ringlab/reference/sequence/mask.hpp"

#include <algorithm>

namespace ringlab {

Index Mask::reach_right() const {
  const Index right = window_right.value_or(kUnbounded);
  return causal ? std::min<Index>(right, 0) : right;
}

Index Mask::reach_left() const {
  return window_left.value_or(kUnbounded);
}

KeyRange Mask::keys_of(Index query_position) const {
  return {query_position - reach_left(), query_position + reach_right(), prefix};
}

bool Mask::visible(Place query, Place key) const {
  if (documents && query.document != key.document) return false;
  const KeyRange keys = keys_of(query.position);
  return key.position < keys.prefix || (keys.first <= key.position && key.position <= keys.last);
}

}  // namespace ringlab

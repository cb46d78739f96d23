// Who may see whom, as a function of global positions alone.
//
// A key k is visible to a query q when
//   same document (if `documents`)  and  ( k < prefix  or  -left <= k - q <= right ),
// where `causal` bounds right by 0. For one query that is at most two intervals of keys, which is
// why pairs can be counted in closed form (visible.hpp) and tiles need no mask tensor.
#pragma once

#include <optional>

#include "ringlab/reference/sequence/positions.hpp"

namespace ringlab {

/// The keys that one query sees: positions in [first, last] or below `prefix`.
struct KeyRange {
  Index first = 0;
  Index last = 0;  // inclusive
  Index prefix = 0;
};

struct Mask {
  bool causal = false;
  /// Keys more than this many positions before the query are hidden; a window of W tokens with the
  /// query itself among them is W - 1. Unset: no bound.
  std::optional<Index> window_left;
  /// Keys more than this many positions after the query are hidden. Unset: no bound.
  std::optional<Index> window_right;
  /// Tokens see only tokens of their own document.
  bool documents = false;
  /// Keys at positions below this are visible whatever causality and window say (prefix LM).
  Index prefix = 0;

  /// Largest allowed k - q, and the largest allowed q - k; kUnbounded where nothing binds.
  Index reach_right() const;
  Index reach_left() const;
  KeyRange keys_of(Index query_position) const;
  bool visible(Place query, Place key) const;

  bool operator==(const Mask&) const = default;

  /// Larger than any distance between positions, small enough to add to one without overflow.
  static constexpr Index kUnbounded = Index{1} << 61;
};

}  // namespace ringlab

// Counts the (query, key) pairs that a mask lets through between two shards, in closed form.
//
// Between two arithmetic runs the number of pairs with k - q <= c is a sum of floors, which the
// Euclid-like algorithm evaluates in O(log). So the count costs O(runs_q * runs_k * log), never
// O(tokens), and from it a tile is known to be empty, full or partial.
#pragma once

#include "ringlab/reference/sequence/mask.hpp"

namespace ringlab {

/// sum over i in [0, n) of floor((a*i + b) / m), for n >= 0, m >= 1 and any a, b; O(log).
Index floor_sum(Index n, Index m, Index a, Index b);

/// Number of pairs (q, k) that `mask` lets through.
Index visible_pairs(const Mask& mask, const Positions& queries, const Positions& keys);

enum class TileClass { empty, partial, full };

/// Empty: no pair is visible. Full: every pair is, and there is at least one.
TileClass classify_tile(const Mask& mask, const Positions& queries, const Positions& keys);

const char* name(TileClass tile);

}  // namespace ringlab

// Rotary position embedding by global position (RoFormer, arXiv 2104.09864, in the half-split form
// of Llama: dimension d turns together with d + head_dim / 2).
//
// Rotation is applied to a shard's queries and keys once, at home, before anything travels; keys
// then carry their angle with them. It reads positions, never local indices (known mistake C6).
#pragma once

#include "ringlab/reference/sequence/positions.hpp"

namespace ringlab {

/// Turns each token's heads by angle position * base^(-2 d / head_dim). `inverse` turns back, which
/// is also the way of gradients. base <= 0 does nothing. Throws InputError for an odd head_dim.
template <class T>
void rotate(Tensor<T>& values, const Positions& positions, double base, bool inverse = false);

}  // namespace ringlab

// Normal random numbers that do not know who holds them.
//
// The value at (seed, stream, position, head, d) comes from a counter-based generator
// (Philox4x32-10, Salmon et al., SC'11), so the shard of any layout is a slice of the whole tensor,
// bit for bit, and no rank has to draw another's numbers. Normal by Box and Muller, in double; a
// float tensor is the double tensor, rounded.
#pragma once

#include "ringlab/reference/sequence/positions.hpp"

namespace ringlab {

/// [positions, heads, head_dim] normal numbers of mean 0. `stream` (0 or more) tells apart tensors
/// of one seed: q, k, v, output gradient, ... Throws InputError for heads, head_dim above 65536.
template <class T>
Tensor<T> gaussian_tensor(std::uint64_t seed, int stream, const Positions& positions, Index heads,
                          Index head_dim, double deviation = 1);

}  // namespace ringlab

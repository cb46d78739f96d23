// A real text as input of attention: an induction head that needs no trained weights.
//
// The code of a context is sum over n = 1..8 of sqrt(n) * s_n, where s_n is a fixed random vector
// of
// +-1/sqrt(head_dim) chosen by the last n bytes. Two contexts that end in the same m bytes have
// codes with a product near 1 + 2 + ... + m, others near 0. The query at i is the code of the bytes
// up to and with i, the key at j the code of the bytes before j, the value at j stands for byte j.
// So causal attention with scale 1 finds every earlier place where the same words stood and
// predicts byte i + 1 from what followed there; the longer the context it may see, the more often
// it is right. Source of the idea: Olsson et al., arXiv 2209.11895 (induction heads).
//
// Codes look back 8 bytes in the whole text, whichever rank holds those bytes and wherever
// documents end. One head; head_dim of 128 or more, since a byte b is the value +-1 at b mod 128.
#pragma once

#include <string_view>

#include "ringlab/reference/sequence/positions.hpp"

namespace ringlab {

template <class T>
struct InductionInput {
  Tensor<T> queries, keys, values;  // each [positions, 1, head_dim]
};

/// The rows of `positions` for a text whose byte at position p is text[p]. Throws InputError for
/// head_dim below 128 (field `head_dim`) and positions outside the text (field `tokens`).
template <class T>
InductionInput<T> induction_input(std::string_view text, const Positions& positions,
                                  Index head_dim);

/// The byte (0..255) for which a row of output speaks loudest; -1 for a row of zeros or with a NaN.
template <class T>
int decode_byte(const T* row, Index head_dim);

/// The share, 0 to 1, of rows of `output` [positions, 1, head_dim] whose byte is the next byte of
/// the text. The last position of the text has no next byte and is not counted; 0 where none is
/// left.
template <class T>
double next_byte_share(std::string_view text, const Positions& positions, const Tensor<T>& output);

}  // namespace ringlab

// A mask as one short word, for files and command lines.
//
//   none | part+part+...     part: causal | window=LEFT:RIGHT | prefix=N
//
// `*` stands for no bound: causal+window=127:*+prefix=16. Documents are no part of the word: a
// scenario says them as lengths.
#pragma once

#include <string>

#include "ringlab/reference/sequence/mask.hpp"

namespace ringlab {

/// Throws InputError (field `mask`) for an unknown, repeated or malformed part and numbers
/// outside 0 to 2^31 - 1.
Mask mask_from(const std::string& text);

/// The canonical word: causal, window, prefix in this order, and only what binds.
std::string to_text(const Mask& mask);

}  // namespace ringlab

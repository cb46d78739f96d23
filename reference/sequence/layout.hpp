// Who holds which tokens: a layout is one Positions per rank.
//
// contiguous           rank r holds one slice: simple, and unbalanced under a causal mask
// striped              rank r holds r, r + R, r + 2R, ... (Striped Attention, arXiv 2311.09431)
// zigzag               the sequence in 2R chunks, rank r holds chunks r and 2R - 1 - r
//                      (Llama 3, arXiv 2407.21783, section 3.3.2)
// zigzag_per_document  the same inside each packed document, so every document is balanced
// custom               the user's own, one owner a token
//
// Any length and rank count: chunks differ by at most one token, shards may be empty.
#pragma once

#include <string>
#include <vector>

#include "ringlab/reference/sequence/positions.hpp"

namespace ringlab {

/// shards[r] are the tokens of rank r.
using Layout = std::vector<Positions>;

enum class LayoutKind { contiguous, striped, zigzag, zigzag_per_document, custom };

const char* name(LayoutKind kind);
/// Throws InputError that lists the names.
LayoutKind layout_kind_from(const std::string& text);

/// The whole sequence of `tokens` tokens cut into documents of the given lengths (none: one
/// document). Throws InputError unless the lengths are positive and add up to `tokens`.
Positions whole_sequence(Index tokens, const std::vector<Index>& document_lengths = {});

/// Splits `sequence` over `ranks`. Local order within a shard is ascending position.
/// `kind` is not custom. Throws InputError for ranks < 1.
Layout make_layout(LayoutKind kind, const Positions& sequence, int ranks);

/// owners[i] is the rank of the i-th token of `sequence`; each token has exactly one.
/// Throws InputError for a rank outside [0, ranks) or a wrong number of owners.
Layout custom_layout(const Positions& sequence, const std::vector<int>& owners, int ranks);

/// Throws InputError unless the shards hold each token of `sequence` exactly once.
void check_partition(const Layout& layout, const Positions& sequence);

}  // namespace ringlab

// A credential as RDF in canonical N-Quads, for the signature eddsa-rdfc-2022.
//
// JSON-LD contexts say which address each word of a document stands for. The few words that our
// credentials (and the published test vectors) use stand in contexts.json; a word that is not there
// is refused, never skipped, so nothing of a document stays outside the signature. Nodes without an
// id are named by RDFC-1.0 (www.w3.org/TR/rdf-canon), as far as hashes of their own lines tell them
// apart; two that look alike are refused.
#pragma once

#include <string>

#include "ringlab/reference/io/json.hpp"

namespace ringlab::quiz::detail {

/// Sorted N-Quads of a document with an "@context" list. Throws InputError for an unknown context,
/// word or type, and for nodes that cannot be told apart.
std::string canonical_rdf(const nlohmann::json& document);

}  // namespace ringlab::quiz::detail

// Signatures of a JSON document: Data Integrity proofs eddsa-rdfc-2022 and eddsa-jcs-2022.
//
// www.w3.org/TR/vc-di-eddsa. Both sign SHA-256(canonical proof options) || SHA-256(canonical
// document) with Ed25519; the first canonicalizes as RDF, the second as JSON. In a proof set each
// covers the document without any proof.
#pragma once

#include <array>
#include <string>

#include "ringlab/quiz/credential/key.hpp"
#include "ringlab/reference/io/json.hpp"

namespace ringlab::quiz::detail {

inline constexpr const char* kRdfSuite = "eddsa-rdfc-2022";
inline constexpr const char* kJsonSuite = "eddsa-jcs-2022";

/// The 64 bytes that are signed: the hash of the proof's options, then that of the document.
/// `options` is the proof without proofValue; `document` has no proof.
std::array<std::uint8_t, 64> signed_bytes(const nlohmann::json& document,
                                          const nlohmann::json& options);

/// A proof of the document by this key, complete with proofValue.
nlohmann::json make_proof(const nlohmann::json& document, const std::string& suite,
                          const SigningKey& key, const std::string& created,
                          const std::string& verification_method);

/// Throws InputError (field `proof`) with the reason unless the proof is one of this suite, names
/// this key's method, and its signature is good.
void check_proof(const nlohmann::json& document, const nlohmann::json& proof,
                 const std::string& suite, const PublicKey& key,
                 const std::string& verification_method);

}  // namespace ringlab::quiz::detail

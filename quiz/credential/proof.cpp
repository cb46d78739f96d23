#include "ringlab/quiz/credential/proof.hpp"

#include <algorithm>
#include <set>

#include "ringlab/quiz/credential/encoding.hpp"
#include "ringlab/quiz/credential/jcs.hpp"
#include "ringlab/quiz/credential/rdf.hpp"

namespace ringlab::quiz::detail {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& value, const std::string& why) {
  throw InputError("proof", value, why);
}

std::string text_of(const Json& proof, const char* key) {
  if (!proof.contains(key) || !proof[key].is_string()) refuse(key, "missing, or not text");
  return proof[key];
}

}  // namespace

std::array<std::uint8_t, 64> signed_bytes(const Json& document, const Json& options) {
  const bool rdf = text_of(options, "cryptosuite") == kRdfSuite;
  Json with_context = options;
  // While it is hashed, a proof speaks the document's language; the JSON suite also keeps it.
  if (rdf) with_context["@context"] = document.at("@context");
  const auto canonical = rdf ? canonical_rdf : canonical_json;
  const Hash of_options = sha256(canonical(with_context));
  const Hash of_document = sha256(canonical(document));
  std::array<std::uint8_t, 64> bytes;
  std::copy(of_options.begin(), of_options.end(), bytes.begin());
  std::copy(of_document.begin(), of_document.end(), bytes.begin() + 32);
  return bytes;
}

Json make_proof(const Json& document, const std::string& suite, const SigningKey& key,
                const std::string& created, const std::string& verification_method) {
  Json proof = {{"type", "DataIntegrityProof"},
                {"cryptosuite", suite},
                {"created", created},
                {"verificationMethod", verification_method},
                {"proofPurpose", "assertionMethod"}};
  if (suite == kJsonSuite) proof["@context"] = document.at("@context");
  const auto signature = key.sign(signed_bytes(document, proof));
  proof["proofValue"] = to_multibase(Bytes(signature.begin(), signature.end()));
  return proof;
}

void check_proof(const Json& document, const Json& proof, const std::string& suite,
                 const PublicKey& key, const std::string& verification_method) {
  if (!proof.is_object()) refuse("not an object", "give a DataIntegrityProof");
  if (text_of(proof, "type") != "DataIntegrityProof") refuse("type", "not a DataIntegrityProof");
  if (text_of(proof, "cryptosuite") != suite) {
    refuse(text_of(proof, "cryptosuite"), "here stands a proof of " + suite);
  }
  if (text_of(proof, "proofPurpose") != "assertionMethod")
    refuse("proofPurpose", "not an assertion");
  if (text_of(proof, "verificationMethod") != verification_method) {
    refuse("verificationMethod", "another key than the issuer's");
  }
  text_of(proof, "created");
  // Nothing may stand in a proof that its signature does not cover.
  std::set<std::string> known = {"type",    "cryptosuite", "proofPurpose", "verificationMethod",
                                 "created", "proofValue"};
  if (suite == kJsonSuite) known.insert("@context");
  for (const auto& [name, value] : proof.items()) {
    if (known.count(name) == 0) refuse(name, "a member that does not belong there");
  }
  if (suite == kJsonSuite &&
      (!proof.contains("@context") || proof["@context"] != document.at("@context"))) {
    refuse("@context", "not that of the document");
  }
  Json options = proof;
  options.erase("proofValue");
  const Bytes value = from_multibase(text_of(proof, "proofValue"), "proof");
  if (value.size() != 64) refuse("proofValue", "not 64 bytes");
  std::array<std::uint8_t, 64> signature;
  std::copy(value.begin(), value.end(), signature.begin());
  if (!verify(key, signed_bytes(document, options), signature)) {
    refuse(suite, "the signature does not belong to this text: something was changed");
  }
}

}  // namespace ringlab::quiz::detail

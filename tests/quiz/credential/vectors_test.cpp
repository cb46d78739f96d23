// The published test vectors, bit for bit: W3C vc-di-eddsa for both suites, the example of Open
// Badges 3.0, a badge that was verified by the packages of Digital Bazaar, and RFC 8785's numbers.
#include "ringlab/quiz/credential/encoding.hpp"
#include "ringlab/quiz/credential/jcs.hpp"
#include "ringlab/quiz/credential/proof.hpp"
#include "ringlab/quiz/credential/rdf.hpp"
#include "ringlab/reference/core/file.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;
using namespace ringlab::quiz::detail;
using Json = nlohmann::json;

Json vectors(const std::string& name) {
  return Json::parse(read_file(std::string(RINGLAB_VECTORS "/") + name, "vectors", 1 << 20));
}

std::array<std::uint8_t, 32> seed_of(const std::string& text) {
  std::array<std::uint8_t, 32> seed;
  for (std::size_t i = 0; i < 32; ++i) {
    seed[i] = static_cast<std::uint8_t>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  }
  return seed;
}

template <class Array>
std::string hex_of(const Array& bytes) {
  return hex(bytes.data(), bytes.size());
}

TEST_CASE("W3C vc-di-eddsa: canonical forms, hashes and signatures of both suites") {
  const Json w3c = vectors("w3c.json");
  const SigningKey key = SigningKey::from_seed(seed_of(w3c["seed"]));
  CHECK(to_multibase(key.public_key()) == w3c["public"]);
  Bytes secret = {0x80, 0x26};
  for (const std::uint8_t byte : seed_of(w3c["seed"])) secret.push_back(byte);
  CHECK(to_multibase(secret) == w3c["secret"]);

  const Json document = w3c["unsigned"];
  for (const bool rdf : {true, false}) {
    const Json right = w3c[rdf ? "rdfc" : "jcs"];
    CAPTURE(rdf);
    Json options = w3c["options"];
    options["cryptosuite"] = rdf ? kRdfSuite : kJsonSuite;
    const auto canonical = rdf ? canonical_rdf : canonical_json;
    CHECK(canonical(document) == right["document"]);
    CHECK(canonical(options) == right["options"]);
    CHECK(hex_of(sha256(canonical(document))) == right["document_hash"]);
    CHECK(hex_of(sha256(canonical(options))) == right["options_hash"]);
    if (rdf) options.erase("@context");
    const auto bytes = signed_bytes(document, options);
    CHECK(hex_of(bytes) ==
          right["options_hash"].get<std::string>() + right["document_hash"].get<std::string>());
    CHECK(hex_of(key.sign(bytes)) == right["signature"]);

    const Json proof = make_proof(document, options["cryptosuite"], key, options["created"],
                                  options["verificationMethod"]);
    CHECK(proof["proofValue"] == right["multibase"]);
    if (!rdf) CHECK(proof == w3c["signed_jcs"]["proof"]);
    CHECK_NOTHROW(check_proof(document, proof, options["cryptosuite"], key.public_key(),
                              options["verificationMethod"]));
  }
}

TEST_CASE("Open Badges 3.0: its own example, with a node that has no id") {
  const Json right = vectors("open_badges.json");
  const Json document = Json::parse(R"({
    "@context": ["https://www.w3.org/ns/credentials/v2",
                 "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json"],
    "id": "http://example.com/credentials/3527",
    "type": ["VerifiableCredential", "OpenBadgeCredential"],
    "issuer": {"id": "https://example.edu/issuers/565049", "type": ["Profile"],
               "name": "Example Corp", "url": "https://www.imsglobal.org"},
    "validFrom": "2010-01-01T00:00:00Z",
    "name": "Teamwork Badge",
    "credentialSubject": {
      "id": "did:example:ebfeb1f712ebc6f1c276e12ec21", "type": ["AchievementSubject"],
      "achievement": {
        "id": "https://example.com/achievements/21st-century-skills/teamwork",
        "type": ["Achievement"], "name": "Teamwork",
        "description": "This badge recognizes the development of the capacity to collaborate within a group environment.",
        "criteria": {"narrative": "Team members are nominated for this badge by their peers and recognized upon review by Example Corp management."}}}})");
  CHECK(canonical_rdf(document) == right["document"]);
  CHECK(hex_of(sha256(canonical_rdf(document))) == right["docHash"]);
  const std::string method =
      "https://example.edu/issuers/565049#" + right["public"].get<std::string>();
  const Json proof = {{"type", "DataIntegrityProof"},      {"cryptosuite", kRdfSuite},
                      {"created", "2010-01-01T19:23:24Z"}, {"verificationMethod", method},
                      {"proofPurpose", "assertionMethod"}, {"proofValue", right["proofValue"]}};
  CHECK_NOTHROW(
      check_proof(document, proof, kRdfSuite, public_key_from(right["public"], "key"), method));
}

TEST_CASE(
    "a badge with Amharic text that other libraries verify, verifies here, and is made here") {
  const Json right = vectors("badge.json");
  const SigningKey key = SigningKey::from_seed(seed_of(right["seed"]));
  Json document = right["badge"];
  const Json proofs = document["proof"];
  document.erase("proof");
  CHECK(canonical_json(document) == right["jcs_document"]);
  CHECK(canonical_rdf(document) == right["rdfc_document"]);
  CHECK(hex_of(sha256(canonical_json(document))) == right["jcs_docHash"]);
  CHECK(hex_of(sha256(canonical_rdf(document))) == right["rdfc_docHash"]);
  const std::string method = verification_method_of(key.public_key());
  int i = 0;
  for (const char* suite : {kRdfSuite, kJsonSuite}) {
    const Json& proof = proofs[static_cast<std::size_t>(i++)];
    CHECK_NOTHROW(check_proof(document, proof, suite, key.public_key(), method));
    CHECK(make_proof(document, suite, key, "2026-01-15T09:30:00Z", method) == proof);
    Json changed = document;
    changed["name"] = "Another badge";
    CHECK_THROWS_AS(check_proof(changed, proof, suite, key.public_key(), method), InputError);
  }
}

TEST_CASE("RFC 8785: numbers as ECMAScript writes them, members by UTF-16, escapes") {
  // Appendix B of the RFC.
  const std::pair<std::uint64_t, const char*> numbers[] = {
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0xffefffffffffffff, "-1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0xc340000000000000, "-9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef4f, "999999999999999900000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0x41b3de4355555557, "333333333.33333343"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
      {0x43143ff3c1cb0959, "1424953923781206.2"}};
  for (const auto& [bits, text] : numbers) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    CHECK(canonical_json(Json(value)) == text);
  }
  CHECK_THROWS_AS(canonical_json(Json(INFINITY)), InputError);
  // Section 3.2.3: the order of members.
  const Json members = Json::parse(
      "{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\",\"\\ufb33\":\"Hebrew Letter Dalet "
      "With Dagesh\",\"1\":\"One\",\"\\ud83d\\ude00\":\"Emoji: Grinning "
      "Face\",\"\\u0080\":\"Control\",\"\\u00f6\":\"Latin Small Letter O With Diaeresis\"}");
  const std::string text = canonical_json(members);
  std::size_t last = 0;
  for (const char* word : {"Carriage", "One", "Control", "Latin", "Euro", "Emoji", "Hebrew"}) {
    CAPTURE(word);
    CHECK(text.find(word) > last);
    last = text.find(word);
  }
  CHECK(canonical_json(Json("\x01\b\t\n\f\r\"\\/\x7f")) ==
        "\"\\u0001\\b\\t\\n\\f\\r\\\"\\\\/\x7f\"");
}

TEST_CASE("what the contexts do not have is refused, never skipped") {
  const Json good = vectors("badge.json")["badge"];
  const auto refuses = [&](const std::string& pointer, const Json& value) {
    Json bad = good;
    bad.erase("proof");
    bad[Json::json_pointer(pointer)] = value;
    CAPTURE(pointer);
    CHECK_THROWS_AS(canonical_rdf(bad), InputError);
  };
  refuses("/extra", "word");
  refuses("/type/1", "UnknownCredential");
  refuses("/credentialSubject/achievement/extra", "word");
  refuses("/@context/1", "https://example.com/other");
  refuses("/id", "no address");
  refuses("/id", "urn:with space");
  refuses("/name", 5);
  refuses("/name", nullptr);
  refuses("/evidence", Json::array());
  // Two nodes without ids that say the same cannot be named.
  Json twins = good;
  twins.erase("proof");
  Json& identifiers = twins["credentialSubject"]["identifier"];
  identifiers.push_back(identifiers[0]);
  CHECK_THROWS_AS(canonical_rdf(twins), InputError);
  identifiers[1]["identityHash"] = "Another";
  CHECK(canonical_rdf(twins).find("_:c14n1") != std::string::npos);
}

}  // namespace

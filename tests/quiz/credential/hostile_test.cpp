// Certificates that somebody has tampered with: none verifies, none does harm.
#include <nlohmann/json.hpp>

#include "ringlab/quiz/bank/random.hpp"
#include "ringlab/quiz/credential/bake.hpp"
#include "ringlab/quiz/credential/proof.hpp"
#include "ringlab/quiz/credential/verify.hpp"
#include "ringlab/quiz/engine/json.hpp"
#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/quiz/credential/passed_run.hpp"
#include "tests/quiz/credential/tiny_png.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;
using namespace ringlab::quiz::test;
using Json = nlohmann::json;
namespace qd = ringlab::quiz::detail;

const SigningKey& key() {
  static const SigningKey made = SigningKey::generate();
  return made;
}

Verdict verdict(std::string_view file) {
  return verify_certificate(exam_bank(), file, {{}, {}, kNow});
}

// The name of the first check that failed; "" if none did.
std::string fails(std::string_view file) {
  const Verdict found = verdict(file);
  for (const Check& check : found.checks) {
    if (!check.good) return check.name;
  }
  CHECK(found.good());
  return "";
}

// The document signed again by `by`, as a forger with a key of their own would.
std::string resigned(Json document, const SigningKey& by, const std::string& created) {
  document.erase("proof");
  Json proofs = Json::array();
  for (const char* suite : {qd::kRdfSuite, qd::kJsonSuite}) {
    proofs.push_back(
        qd::make_proof(document, suite, by, created, verification_method_of(by.public_key())));
  }
  document["proof"] = proofs;
  return document.dump();
}

TEST_CASE("every one of 200 single-byte changes is refused, in JSON, PNG and SVG") {
  const std::string json = signed_certificate(key());
  const std::string png = bake_png(tiny_png(), json), svg = bake_svg(kTinySvg, json);
  REQUIRE(fails(json).empty());
  REQUIRE(fails(png).empty());
  REQUIRE(fails(svg).empty());
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    for (const std::string& whole : {json, png}) {
      std::string changed = whole;
      const std::size_t at = random.below(changed.size());
      changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(random.between(1, 255)));
      CAPTURE(i, at);
      CHECK_FALSE(fails(changed).empty());
    }
    // In an SVG the credential is what is signed; the drawing around it is not.
    std::string changed = svg;
    const std::size_t from = svg.find('{'), size = svg.rfind('}') - from + 1;
    const std::size_t at = from + random.below(size);
    changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(random.between(1, 255)));
    CAPTURE(i, at);
    CHECK_FALSE(fails(changed).empty());
  }
}

TEST_CASE("every byte of the JSON counts: each flipped in its lowest bit, each left out") {
  const std::string json = signed_certificate(key());
  for (std::size_t at = 0; at < json.size(); at += 3) {
    std::string changed = json;
    changed[at] ^= 1;
    CAPTURE(at);
    CHECK_FALSE(fails(changed).empty());
    CHECK_FALSE(fails(std::string(json).erase(at, 1)).empty());
  }
}

TEST_CASE("changed answers: found by the signature, and by regrading even if signed again") {
  Json document = Json::parse(signed_certificate(key()));
  Run run = finished_run();
  run.answers[0].choice = question_of(exam_bank(), run.tickets[0]).right();
  const std::string better = Json::parse(to_json(run)).dump();
  document["evidence"][0]["id"] = "data:application/json;base64," + to_base64url(better);
  CHECK(fails(document.dump()) == "id");
  bool signature_found = false;
  for (const Check& check : verdict(document.dump()).checks) {
    signature_found = signature_found || (check.name == "proof eddsa-jcs-2022" && !check.good);
  }
  CHECK(signature_found);
  // A forger who claims a better score and makes id and signatures anew is caught by the answers.
  Certificate forged =
      certificate_of(exam_bank(), finished_run(4), "Hodan", key().public_key(), "School", kNow);
  forged.score.right = 20;
  CHECK(fails(signed_json(forged, key())) == "result");
  // One who claims to have passed with a run that has not is caught as well.
  Certificate failed = forged;
  failed.run = finished_run(9);
  failed.score = {11, 20, {}};
  failed.id = uuid_urn(qd::content_hash(failed));
  CHECK(fails(signed_json(failed, key())) == "result");
}

TEST_CASE("swapped, foreign and missing proofs") {
  const Json good = Json::parse(signed_certificate(key()));
  Json bad = good;
  std::swap(bad["proof"][0], bad["proof"][1]);
  CHECK(fails(bad.dump()) == "proof eddsa-rdfc-2022");
  const Json another = Json::parse(signed_certificate(key(), "Somebody Else"));
  for (const int i : {0, 1}) {
    bad = good;
    bad["proof"][i] = another["proof"][i];
    CHECK(fails(bad.dump()) == (i == 0 ? "proof eddsa-rdfc-2022" : "proof eddsa-jcs-2022"));
    bad = good;
    bad["proof"][i] = good["proof"][1 - i];
    CHECK_FALSE(fails(bad.dump()).empty());
    bad = good;
    bad["proof"][i]["extra"] = "word";
    CHECK_FALSE(fails(bad.dump()).empty());
    bad = good;
    bad["proof"][i]["created"] = "2026-01-01T00:00:00Z";
    CHECK_FALSE(fails(bad.dump()).empty());
    bad = good;
    bad["proof"][i]["proofPurpose"] = "authentication";
    CHECK_FALSE(fails(bad.dump()).empty());
  }
  bad = good;
  bad["proof"].erase(1);
  CHECK(fails(bad.dump()) == "form");
  bad = good;
  bad["proof"] = good["proof"][0];
  CHECK(fails(bad.dump()) == "form");
  bad.erase("proof");
  CHECK(fails(bad.dump()) == "form");
}

TEST_CASE("another issuer") {
  const SigningKey thief = SigningKey::generate();
  Json bad = Json::parse(signed_certificate(key()));
  bad["issuer"]["id"] = did_of(thief.public_key());
  CHECK_FALSE(fails(bad.dump()).empty());
  // Signed by the thief in the name of the issuer: the proofs name another key than the issuer's.
  bad = Json::parse(signed_certificate(key()));
  CHECK(fails(resigned(bad, thief, bad["validFrom"])) == "proof eddsa-rdfc-2022");
  bad["issuer"]["id"] = "did:web:example.com";
  CHECK_FALSE(fails(resigned(bad, thief, bad["validFrom"])).empty());
}

TEST_CASE("dates from the future and dates that cross") {
  CHECK(
      fails(signed_certificate(key(), "Hodan", kNow + 200)).empty());  // two clocks, minutes apart
  CHECK(fails(signed_certificate(key(), "Hodan", kNow + 400)) == "dates");
  const Json good = Json::parse(signed_certificate(key()));
  CHECK(fails(resigned(good, key(), "2099-01-01T00:00:00Z")) == "dates");
  Certificate early =
      certificate_of(exam_bank(), finished_run(), "Hodan", key().public_key(), "School", kNow);
  early.issued_at = kNow - 5000;
  early.id = uuid_urn(qd::content_hash(early));
  CHECK(fails(signed_json(early, key())) == "dates");
}

TEST_CASE("words that the form does not have, even if signed") {
  const Json good = Json::parse(signed_certificate(key()));
  const auto refuses = [&](const std::string& pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    CAPTURE(pointer);
    CHECK(fails(bad.dump()) == "form");
  };
  refuses("/extra", "word");
  refuses("/name", "Doctor of Rings");
  refuses("/credentialSubject/achievement/name", "Everything");
  refuses("/credentialSubject/identifier/0/hashed", true);
  refuses("/credentialSubject/id", "urn:uuid:3f2504e0-4f89-41d3-9a0c-0305e82c3301");
  refuses("/evidence/0/narrative", "20 of 20 right");
  refuses("/evidence/0/id", "https://example.com/");
  refuses("/validFrom", "yesterday");
  refuses("/type", "OpenBadgeCredential");
  refuses("/@context/0", "https://example.com/");
}

TEST_CASE("names that would write to the terminal, even if signed") {
  for (const char* name : {"\x1b[2J", "a\x7f",
                           "\xc2\x9b"
                           "31m",
                           "\xe2\x80\xae"
                           "moc",
                           "\xe2\x81\xa6x", " "}) {
    Certificate forged =
        certificate_of(exam_bank(), finished_run(), "Hodan", key().public_key(), "School", kNow);
    forged.name = name;
    forged.id = uuid_urn(qd::content_hash(forged));
    CHECK(fails(signed_json(forged, key())) == "form");
    CHECK_THROWS_AS(
        certificate_of(exam_bank(), finished_run(), name, key().public_key(), "School", kNow),
        InputError);
    Json bad = Json::parse(signed_certificate(key()));
    bad["evidence"][0]["id"] = name;
    bad["id"] = name;
    for (const Check& check : verdict(bad.dump()).checks) CHECK_FALSE(has_controls(check.text));
  }
  CHECK_FALSE(has_controls("አበበ Cabdi — é ‘x’"));
}

TEST_CASE("files that are no certificates, are large, deep or cut off") {
  const std::string json = signed_certificate(key());
  CHECK(fails(std::string(100u << 20, ' ')) == "form");
  CHECK(fails(std::string(100u << 20, '{')) == "form");
  CHECK(fails(std::string(1u << 20, '[')) == "form");
  CHECK(fails("{" + std::string(1u << 20, '"')) == "form");
  std::string deep = "{\"a\":";
  for (int i = 0; i < 100000; ++i) deep += "[";
  CHECK(fails(deep) == "form");
  CHECK(fails("") == "form");
  CHECK(fails("{}") == "form");
  CHECK(fails("<svg>") == "form");
  CHECK(fails(std::string("\x89PNG\r\n\x1a\n", 8)) == "form");
  CHECK(fails("{\"id\":1," + json.substr(1)) == "form");  // a key that stands twice
  const std::string png = bake_png(tiny_png(), json);
  for (std::size_t size = 0; size < png.size(); size += 7) {
    CHECK(fails(std::string_view(png).substr(0, size)) == "form");
  }
  for (std::size_t size = 0; size < json.size(); size += 7) {
    CHECK(fails(std::string_view(json).substr(0, size)) == "form");
  }
}

}  // namespace

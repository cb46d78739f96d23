#include "ringlab/quiz/credential/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "ringlab/quiz/credential/badge.hpp"
#include "ringlab/quiz/credential/document.hpp"
#include "ringlab/quiz/credential/jcs.hpp"
#include "ringlab/quiz/credential/proof.hpp"
#include "ringlab/quiz/engine/draw.hpp"
#include "ringlab/quiz/engine/json.hpp"

namespace ringlab::quiz {
namespace {

using Json = nlohmann::json;

constexpr std::ptrdiff_t kLongestName = 100;  // characters

}  // namespace

namespace detail {

void check_name(const std::string& name, const std::string& field) {
  if (has_controls(name)) throw InputError(field, "control characters", "leave them out");
  const auto characters = std::count_if(name.begin(), name.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  });
  if (name.find_first_not_of(' ') == name.npos) {
    throw InputError(field, "empty", "say whom it names");
  }
  if (characters > kLongestName) throw InputError(field, name, "give at most 100 characters");
}

Hash content_hash(const Certificate& certificate) {
  const Json content = {{"issued", time_stamp(certificate.issued_at)},
                        {"issuer", certificate.issuer},
                        {"issuer_name", certificate.issuer_name},
                        {"name", certificate.name},
                        {"run", Json::parse(to_json(certificate.run))}};
  return sha256(canonical_json(content));
}

Json document_of(const Certificate& certificate) {
  const std::string run = canonical_json(Json::parse(to_json(certificate.run)));
  return {{"@context",
           {"https://www.w3.org/ns/credentials/v2",
            "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json"}},
          {"id", certificate.id},
          {"type", {"VerifiableCredential", "OpenBadgeCredential"}},
          {"name", kBadgeName},
          {"issuer",
           {{"id", certificate.issuer}, {"type", {"Profile"}}, {"name", certificate.issuer_name}}},
          {"validFrom", time_stamp(certificate.issued_at)},
          {"credentialSubject",
           {{"id", uuid_urn(sha256(certificate.id + " subject"))},
            {"type", {"AchievementSubject"}},
            {"identifier", Json::array({{{"type", "IdentityObject"},
                                         {"hashed", false},
                                         {"identityHash", certificate.name},
                                         {"identityType", "name"}}})},
            {"achievement",
             {{"id", kAchievementId},
              {"type", {"Achievement"}},
              {"name", kAchievementName},
              {"description", kAchievementText},
              {"criteria", {{"id", kCriteriaId}, {"narrative", kCriteriaText}}}}}}},
          {"evidence",
           Json::array({{{"id", kDataHead + to_base64url(run)},
                         {"type", {"Evidence"}},
                         {"name", kEvidenceName},
                         {"narrative", fmt::format("{} of {} right.", certificate.score.right,
                                                   certificate.score.asked)}}})}};
}

}  // namespace detail

std::string time_stamp(std::int64_t seconds) {
  const std::time_t time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::int64_t time_from(const std::string& text, const std::string& field) {
  std::tm parts{};
  const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  const std::int64_t seconds = end != nullptr && *end == '\0' ? timegm(&parts) : -1;
  // A date that comes out otherwise, like the 31st of June, is none.
  if (seconds < 0 || time_stamp(seconds) != text) {
    throw InputError(field, text, "give a time like 2026-01-15T09:30:00Z");
  }
  return seconds;
}

Certificate certificate_of(const Bank& bank, const Run& run, const std::string& learner,
                           const PublicKey& issuer, const std::string& issuer_name,
                           std::int64_t now) {
  detail::check_name(learner, "name");
  detail::check_name(issuer_name, "issuer name");
  Certificate certificate;
  certificate.run = run;
  certificate.score = regrade_exam(bank, run);
  if (!passes(certificate.score)) {
    throw InputError(
        "transcript",
        fmt::format("{} of {} right", certificate.score.right, certificate.score.asked),
        fmt::format("a certificate needs {} %", kPassPercent));
  }
  if (run.finished_at > now) {
    throw InputError("transcript", time_stamp(run.finished_at), "finished in the future");
  }
  certificate.name = learner;
  certificate.issuer = did_of(issuer);
  certificate.issuer_name = issuer_name;
  certificate.issued_at = now;
  const Hash hash = detail::content_hash(certificate);
  certificate.id = uuid_urn(hash);
  certificate.short_id = short_id(hash);
  return certificate;
}

std::string signed_json(const Certificate& certificate, const SigningKey& key) {
  RINGLAB_ENSURE(did_of(key.public_key()) == certificate.issuer, "the issuer's own key");
  Json document = detail::document_of(certificate);
  const std::string method = verification_method_of(key.public_key());
  const std::string created = time_stamp(certificate.issued_at);
  Json proofs = Json::array();
  for (const char* suite : {detail::kRdfSuite, detail::kJsonSuite}) {
    proofs.push_back(detail::make_proof(document, suite, key, created, method));
  }
  document["proof"] = proofs;
  return document.dump();
}

}  // namespace ringlab::quiz

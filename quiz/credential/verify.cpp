#include "ringlab/quiz/credential/verify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ringlab/quiz/credential/badge.hpp"
#include "ringlab/quiz/credential/bake.hpp"
#include "ringlab/quiz/credential/document.hpp"
#include "ringlab/quiz/credential/proof.hpp"
#include "ringlab/quiz/engine/draw.hpp"
#include "ringlab/quiz/engine/json.hpp"

namespace ringlab::quiz {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kClockSkew = 300;  // seconds that two honest clocks may differ

[[noreturn]] void refuse(const std::string& value, const std::string& why) {
  throw InputError("certificate", value, why);
}

const Json& member(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) refuse(key, "missing");
  return object[key];
}

std::string text(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_string()) refuse(key, "not text");
  return value;
}

const Json& only(const Json& object, const char* key) {
  const Json& list = member(object, key);
  if (!list.is_array() || list.size() != 1) refuse(key, "not a list of one");
  return list[0];
}

// Reads what can vary, makes the document again from it, and wants the same: so nothing else can
// stand in it, and no word of it can be another.
Certificate read_certificate(const Json& document) {
  Certificate certificate;
  certificate.id = text(document, "id");
  const Json& issuer = member(document, "issuer");
  certificate.issuer = text(issuer, "id");
  certificate.issuer_name = text(issuer, "name");
  certificate.issued_at = time_from(text(document, "validFrom"), "validFrom");
  certificate.name =
      text(only(member(document, "credentialSubject"), "identifier"), "identityHash");
  detail::check_name(certificate.name, "name");
  detail::check_name(certificate.issuer_name, "issuer name");
  const Json& evidence = only(document, "evidence");
  const std::string data = text(evidence, "id"), head = detail::kDataHead;
  if (data.rfind(head, 0) != 0) refuse("evidence", "not a transcript");
  certificate.run =
      parse_run(from_base64url(std::string_view(data).substr(head.size()), "evidence"), "evidence");
  // The score as it is claimed; the check of the result computes it again.
  const std::string claim = text(evidence, "narrative");
  if (std::sscanf(claim.c_str(), "%d of %d right.", &certificate.score.right,
                  &certificate.score.asked) != 2) {
    refuse("evidence", "does not say how many were right");
  }
  certificate.short_id = short_id(detail::content_hash(certificate));
  if (detail::document_of(certificate) != document) {
    refuse("document", "not of the form that this program writes");
  }
  return certificate;
}

class Checker {
 public:
  Checker(const Bank& bank, const VerifyOptions& options) : bank_(bank), options_(options) {}

  Verdict run(std::string_view file) {
    Json document, proofs;
    const bool formed = check("form", [&] {
      document = ringlab::detail::parse_json(unbake(file), "certificate");
      proofs = member(document, "proof");
      if (!proofs.is_array() || proofs.size() != 2) refuse("proof", "not a list of two proofs");
      document.erase("proof");
      verdict_.certificate = read_certificate(document);
      return std::string("an Open Badges 3.0 credential with two proofs");
    });
    if (!formed) return verdict_;
    const Certificate& certificate = *verdict_.certificate;
    check("id", [&] {
      if (certificate.id != uuid_urn(detail::content_hash(certificate))) {
        refuse(certificate.id, "is not made of this content");
      }
      return "made of this content: " + certificate.short_id;
    });
    for (const int i : {0, 1}) {
      const std::string suite = i == 0 ? detail::kRdfSuite : detail::kJsonSuite;
      check("proof " + suite, [&] {
        const PublicKey key = public_key_from(certificate.issuer, "issuer");
        if (did_of(key) != certificate.issuer) refuse("issuer", "not a plain did:key");
        detail::check_proof(document, proofs[static_cast<std::size_t>(i)], suite, key,
                            verification_method_of(key));
        return std::string("the signature is the issuer's, and nothing was changed since");
      });
    }
    check_dates(proofs);
    check_result();
    check_key();
    return verdict_;
  }

 private:
  template <class Work>
  bool check(const std::string& name, Work work) {
    try {
      verdict_.checks.push_back({name, true, work()});
    } catch (const InputError& error) {
      // What is quoted from a hostile file must not reach a terminal as it is.
      verdict_.checks.push_back(
          {name, false, without_controls(error.value().substr(0, 200) + ": " + error.remedy())});
    } catch (const std::exception& error) {
      verdict_.checks.push_back({name, false, without_controls(error.what())});
    }
    return verdict_.checks.back().good;
  }

  void check_dates(const Json& proofs) {
    const Certificate& certificate = *verdict_.certificate;
    check("dates", [&] {
      const std::int64_t latest = options_.now + kClockSkew;
      if (certificate.issued_at > latest) {
        refuse(time_stamp(certificate.issued_at), "issued in the future");
      }
      if (certificate.run.finished_at > certificate.issued_at) {
        refuse(time_stamp(certificate.run.finished_at), "the run ended after that");
      }
      if (certificate.run.started_at > certificate.run.finished_at) {
        refuse(time_stamp(certificate.run.started_at), "the run began after its end");
      }
      for (const Json& proof : proofs) {
        if (time_from(text(proof, "created"), "created") > latest) {
          refuse(text(proof, "created"), "signed in the future");
        }
      }
      return "issued " + time_stamp(certificate.issued_at) + ", the run ended " +
             time_stamp(certificate.run.finished_at);
    });
  }

  void check_result() {
    const Certificate& certificate = *verdict_.certificate;
    check("result", [&] {
      const Score score = regrade_exam(bank_, certificate.run);
      if (score.right != certificate.score.right || score.asked != certificate.score.asked) {
        refuse(fmt::format("{} of {}", certificate.score.right, certificate.score.asked),
               fmt::format("the answers come to {} of {}", score.right, score.asked));
      }
      if (!passes(score)) refuse(fmt::format("{} of {}", score.right, score.asked), "not passed");
      verdict_.certificate->score = score;
      return fmt::format("questions drawn again, answers graded again: {} of {} right", score.right,
                         score.asked);
    });
  }

  void check_key() {
    const Certificate& certificate = *verdict_.certificate;
    check("key", [&] {
      const PublicKey key = public_key_from(certificate.issuer, "issuer");
      const auto& trusted = options_.trusted;
      const bool listed = std::find(trusted.begin(), trusted.end(), key) != trusted.end();
      if (!trusted.empty() && !listed) refuse(certificate.issuer, "not a key that you trust");
      if (listed) {
        verdict_.trust = Trust::trusted;
        return std::string("one that you trust");
      }
      if (options_.own == key) {
        verdict_.trust = Trust::own;
        return std::string("this computer's own");
      }
      return std::string("known to nobody here; --trust KEY says whose you accept");
    });
  }

  const Bank& bank_;
  const VerifyOptions& options_;
  Verdict verdict_;
};

}  // namespace

bool Verdict::good() const {
  return certificate.has_value() && checks.size() == 7 &&
         std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.good; });
}

std::string Verdict::meaning() const {
  if (!good()) return "This is not a valid certificate.";
  const std::string whole =
      "Whoever holds the issuer's key issued this text, nothing was changed since, and the answers "
      "in it earn the result. ";
  switch (trust) {
    case Trust::trusted:
      return whole +
             "You trust that key; that the named person gave the answers is its holder's word.";
    case Trust::own:
      return whole +
             "The key is this computer's own: it proves integrity, not who sat there or with what "
             "help.";
    case Trust::unknown:
      return whole +
             "Nobody here vouches for that key, so it proves integrity, not identity: anyone can "
             "make a key and call it anything.";
  }
  return whole;
}

Verdict verify_certificate(const Bank& bank, std::string_view file, const VerifyOptions& options) {
  return Checker(bank, options).run(file);
}

}  // namespace ringlab::quiz

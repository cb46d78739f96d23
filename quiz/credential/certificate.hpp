// The certificate of a passed run: an Open Badges 3.0 credential (W3C Verifiable Credential 2.0).
//
// Its evidence is the run itself: bank hash, seed, answers and times. Who verifies it draws the
// questions again and grades the answers again; the signature then says only who vouches that this
// person gave them. The id is made from the content, so it can be recomputed.
#pragma once

#include <string>

#include "ringlab/quiz/credential/encoding.hpp"
#include "ringlab/quiz/credential/key.hpp"
#include "ringlab/quiz/engine/run.hpp"

namespace ringlab::quiz {

/// What a certificate says, without its proofs.
struct Certificate {
  std::string id;                   // urn:uuid
  std::string short_id;             // the same hash, for people
  std::string name;                 // of the learner, as they wrote it, in NFC
  std::string issuer, issuer_name;  // did:key, and what the issuer calls itself
  std::int64_t issued_at = 0;       // seconds since 1970, UTC
  Run run;
  Score score;
};

/// What belongs on a certificate of this run. Throws InputError: whatever regrade_exam refuses, a
/// run that has not passed, a name that is empty, longer than 100 characters or has control
/// characters.
Certificate certificate_of(const Bank& bank, const Run& run, const std::string& learner,
                           const PublicKey& issuer, const std::string& issuer_name,
                           std::int64_t now);

/// The signed credential as one line of JSON, both proofs in it.
std::string signed_json(const Certificate& certificate, const SigningKey& key);

/// "2026-01-15T09:30:00Z".
std::string time_stamp(std::int64_t seconds);
/// The inverse; takes only that form. Throws InputError (this field).
std::int64_t time_from(const std::string& text, const std::string& field);

namespace detail {
/// The hash that the id is made of: who, by whom, for which run, when.
Hash content_hash(const Certificate& certificate);
}  // namespace detail

}  // namespace ringlab::quiz

// What a certificate is worth: each thing that can be checked offline, one by one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ringlab/quiz/credential/certificate.hpp"

namespace ringlab::quiz {

/// One check: what was looked at, whether it held, and what that means.
struct Check {
  std::string name;  // form, id, proof eddsa-rdfc-2022, proof eddsa-jcs-2022, dates, result, key
  bool good = false;
  std::string text;
};

enum class Trust { trusted, own, unknown };

struct Verdict {
  std::vector<Check> checks;
  /// What the certificate says, if its form could be read.
  std::optional<Certificate> certificate;
  Trust trust = Trust::unknown;

  /// Every check held. A key that nobody vouches for is no failure unless trust was asked for.
  bool good() const;
  /// What the good checks do and do not prove, in whole sentences.
  std::string meaning() const;
};

struct VerifyOptions {
  std::vector<PublicKey> trusted;  // not empty: the issuer must be one of them
  std::optional<PublicKey> own;    // of this installation
  std::int64_t now = 0;
};

/// Checks a file's content: baked PNG, baked SVG or JSON. Never throws for what is in the file.
Verdict verify_certificate(const Bank& bank, std::string_view file, const VerifyOptions& options);

}  // namespace ringlab::quiz

// The certificate's words in each language, from words.json.
#pragma once

#include <string>

namespace ringlab::quiz::detail {

struct CertificateWords {
  std::string title, before_name, after_name, subject, score, date, issuer, meaning, verify;
};

/// The words for a result on a day. Throws InputError (field `language`) for one that is not there.
CertificateWords certificate_words(const std::string& language, bool self_issued, int right,
                                   int asked, std::int64_t issued_at);

}  // namespace ringlab::quiz::detail

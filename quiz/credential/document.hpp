// The credential's JSON, before it is signed.
#pragma once

#include "ringlab/quiz/credential/certificate.hpp"
#include "ringlab/reference/io/json.hpp"

namespace ringlab::quiz::detail {

nlohmann::json document_of(const Certificate& certificate);

/// Throws InputError (this field) for a name that is blank, longer than 100 characters, or has
/// characters that control a terminal or turn text round: what it shows would not be what it says.
void check_name(const std::string& name, const std::string& field);

}  // namespace ringlab::quiz::detail

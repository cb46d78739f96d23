// The one canonical text of a JSON value: JCS, RFC 8785.
#pragma once

#include <string>

#include "ringlab/reference/io/json.hpp"

namespace ringlab::quiz::detail {

/// Members sorted by UTF-16 code units, no white space, numbers as ECMAScript writes them. Throws
/// InputError for a number that is not finite.
std::string canonical_json(const nlohmann::json& value);

}  // namespace ringlab::quiz::detail

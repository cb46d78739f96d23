// JSON text as the house reads it: strictly, and with the place of a mistake.
//
// A key that stands twice is refused, since readers disagree on which one counts; so is nesting
// deeper than any of our files needs. Include this only from source files: users of the library do
// not need nlohmann/json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "ringlab/reference/core/tensor.hpp"

namespace ringlab::detail {

using Json = nlohmann::json;

/// The document in `text`. Throws InputError with field `source` and a value that holds line and
/// column for anything that is not one JSON value, has a key twice, or nests deeper than 32.
Json parse_json(std::string_view text, const std::string& source);

/// What a person calls the kind of a value: "text", "a number", "a list", ...
const char* kind_of(const Json& value);

/// The value as short text for a message.
std::string brief(const Json& value);

/// An integer in [least, most]; 1e3 and 4.0 are integers, 4.5 and "4" are not.
/// Throws InputError with this field.
Index integer_from(const Json& value, const std::string& field, Index least, Index most);

}  // namespace ringlab::detail

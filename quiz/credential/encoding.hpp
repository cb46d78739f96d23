// Bytes as text: hex, base58 (Bitcoin's alphabet), base64url, Crockford's base 32; and SHA-256.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringlab::quiz {

using Bytes = std::vector<std::uint8_t>;
using Hash = std::array<std::uint8_t, 32>;

Hash sha256(std::string_view data);

std::string hex(const std::uint8_t* data, std::size_t size);

/// Multibase base58btc: 'z' and the digits.
std::string to_multibase(const Bytes& bytes);
/// Throws InputError (this field) for anything else than 'z' and base-58 digits, or too long.
Bytes from_multibase(std::string_view text, const std::string& field);

/// Without padding.
std::string to_base64url(std::string_view data);
/// Throws InputError (this field). Takes only what to_base64url writes.
std::string from_base64url(std::string_view text, const std::string& field);

/// True for characters that control a terminal or the direction of text: C0, C1, U+202A to U+202E,
/// U+2066 to U+2069.
bool has_controls(std::string_view text);
/// The text with '?' for each of them.
std::string without_controls(std::string_view text);

/// The first 60 bits of a hash as 12 digits of Crockford's base 32 in groups of four, and a check
/// digit modulo 37: "7Z4K-0D2M-QX9B-T". People can read it aloud.
std::string short_id(const Hash& hash);

/// A UUID of version 8 (RFC 9562) of a hash's first bits: "urn:uuid:...".
std::string uuid_urn(const Hash& hash);

}  // namespace ringlab::quiz

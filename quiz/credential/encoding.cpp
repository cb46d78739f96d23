#include "ringlab/quiz/credential/encoding.hpp"

#include <sodium.h>

#include <algorithm>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::quiz {
namespace {

constexpr std::string_view kBase58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
constexpr std::string_view kBase32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U";
constexpr std::size_t kLongestMultibase = 200;

// Bytes of a control character at the start of UTF-8 text; 0 if there is none.
std::size_t control_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) <= 0x9f) return 2;
  if (byte(0) != 0xe2) return 0;
  const bool turns = byte(1) == 0x80 && byte(2) >= 0xaa && byte(2) <= 0xae;
  const bool isolates = byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9;
  return turns || isolates ? 3 : 0;
}

}  // namespace

bool has_controls(std::string_view text) {
  return without_controls(text) != text;
}

std::string without_controls(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t control = control_length(text);
    out += control > 0 ? '?' : text[0];
    text.remove_prefix(std::max<std::size_t>(control, 1));
  }
  return out;
}

Hash sha256(std::string_view data) {
  Hash hash;
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(data.data()), data.size());
  return hash;
}

std::string hex(const std::uint8_t* data, std::size_t size) {
  std::string out(2 * size + 1, '\0');
  sodium_bin2hex(out.data(), out.size(), data, size);
  out.pop_back();
  return out;
}

std::string to_multibase(const Bytes& bytes) {
  // Long division of the number in base 256 by 58, digit by digit.
  std::vector<int> digits;  // least significant first
  for (const std::uint8_t byte : bytes) {
    int carry = byte;
    for (int& digit : digits) {
      carry += digit * 256;
      digit = carry % 58;
      carry /= 58;
    }
    for (; carry > 0; carry /= 58) digits.push_back(carry % 58);
  }
  std::string out = "z";
  for (std::size_t i = 0; i < bytes.size() && bytes[i] == 0; ++i) out += kBase58[0];
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    out += kBase58[static_cast<std::size_t>(*digit)];
  }
  return out;
}

Bytes from_multibase(std::string_view text, const std::string& field) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(field, std::string(text.substr(0, 60)), why);
  };
  if (text.empty() || text[0] != 'z') refuse("a key or signature begins with 'z'");
  if (text.size() > kLongestMultibase) refuse("too long for a key or signature");
  Bytes bytes;  // least significant first
  for (const char c : text.substr(1)) {
    const std::size_t value = kBase58.find(c);
    if (value == std::string_view::npos) refuse("a character that base 58 does not have");
    int carry = static_cast<int>(value);
    for (std::uint8_t& byte : bytes) {
      carry += byte * 58;
      byte = static_cast<std::uint8_t>(carry & 0xff);
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) bytes.push_back(static_cast<std::uint8_t>(carry & 0xff));
  }
  for (std::size_t i = 1; i < text.size() && text[i] == kBase58[0]; ++i) bytes.push_back(0);
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

std::string to_base64url(std::string_view data) {
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  std::string out(sodium_base64_encoded_len(data.size(), kVariant), '\0');
  sodium_bin2base64(out.data(), out.size(), reinterpret_cast<const unsigned char*>(data.data()),
                    data.size(), kVariant);
  out.pop_back();
  return out;
}

std::string from_base64url(std::string_view text, const std::string& field) {
  std::string out(text.size() * 3 / 4 + 3, '\0');
  std::size_t size = 0;
  const char* end = nullptr;
  const int failed = sodium_base642bin(reinterpret_cast<unsigned char*>(out.data()), out.size(),
                                       text.data(), text.size(), nullptr, &size, &end,
                                       sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  if (failed != 0 || end != text.data() + text.size()) {
    throw InputError(field, std::string(text.substr(0, 40)), "not base 64 for addresses");
  }
  out.resize(size);
  return out;
}

std::string short_id(const Hash& hash) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i) bits = (bits << 8) | hash[i];
  bits >>= 4;
  std::string digits;
  for (int i = 0; i < 12; ++i) {
    digits += kBase32[static_cast<std::size_t>((bits >> (55 - 5 * i)) & 31)];
    if (i % 4 == 3) digits += '-';
  }
  return digits + kBase32[static_cast<std::size_t>(bits % 37)];
}

std::string uuid_urn(const Hash& hash) {
  std::array<std::uint8_t, 16> bytes;
  std::copy_n(hash.begin(), bytes.size(), bytes.begin());
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x80);  // version 8
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);  // variant of RFC 9562
  std::string text = hex(bytes.data(), bytes.size());
  for (const std::size_t at : {20u, 16u, 12u, 8u}) text.insert(at, "-");
  return "urn:uuid:" + text;
}

}  // namespace ringlab::quiz

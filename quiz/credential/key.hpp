// Ed25519 keys: made, stored with mode 600, named by did:key. A secret never leaves its file but to
// sign.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

namespace ringlab::quiz {

using PublicKey = std::array<std::uint8_t, 32>;

/// "z6Mk...": the public key as multibase, with its multicodec prefix ed 01.
std::string to_multibase(const PublicKey& key);
/// Reads "z6Mk...", "did:key:z6Mk..." or a verification method "did:key:z6Mk...#z6Mk...".
/// Throws InputError (this field).
PublicKey public_key_from(const std::string& text, const std::string& field);
/// "did:key:z6Mk..."
std::string did_of(const PublicKey& key);
/// "did:key:z6Mk...#z6Mk..."
std::string verification_method_of(const PublicKey& key);

/// A key pair whose secret is wiped when it goes. Move-only.
class SigningKey {
 public:
  /// From the operating system's randomness.
  static SigningKey generate();
  /// From a seed: for published test vectors.
  static SigningKey from_seed(const std::array<std::uint8_t, 32>& seed);
  /// Reads a file of `save`. Throws InputError (field `key`) if others may read it.
  static SigningKey load(const std::filesystem::path& path);

  ~SigningKey();
  SigningKey(SigningKey&& other) noexcept;
  SigningKey& operator=(SigningKey&& other) noexcept;
  SigningKey(const SigningKey&) = delete;
  SigningKey& operator=(const SigningKey&) = delete;

  const PublicKey& public_key() const { return public_; }
  std::array<std::uint8_t, 64> sign(const std::array<std::uint8_t, 64>& message) const;
  /// Writes a new file of mode 600. Throws InputError (field `key`) if one is there already.
  void save(const std::filesystem::path& path) const;

 private:
  SigningKey() = default;
  PublicKey public_{};
  std::array<std::uint8_t, 64> secret_{};
};

/// True if the key made this signature of the message.
bool verify(const PublicKey& key, const std::array<std::uint8_t, 64>& message,
            const std::array<std::uint8_t, 64>& signature);

}  // namespace ringlab::quiz

#include "ringlab/quiz/credential/key.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "ringlab/quiz/credential/encoding.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"

namespace ringlab::quiz {
namespace {

// Multicodec prefixes of Ed25519 keys.
constexpr std::uint8_t kPublicPrefix[] = {0xed, 0x01};
constexpr std::uint8_t kSecretPrefix[] = {0x80, 0x26};
constexpr std::string_view kHead = "ringlab secret key, Ed25519: keep it to yourself\n";

void need_sodium() {
  static const bool ready = sodium_init() >= 0;
  RINGLAB_ENSURE(ready, "libsodium starts");
}

Bytes prefixed(const std::uint8_t (&prefix)[2], const std::uint8_t* key) {
  Bytes bytes(34);
  std::copy_n(prefix, 2, bytes.begin());
  std::copy_n(key, 32, bytes.begin() + 2);
  return bytes;
}

}  // namespace

std::string to_multibase(const PublicKey& key) {
  return to_multibase(prefixed(kPublicPrefix, key.data()));
}

PublicKey public_key_from(const std::string& text, const std::string& field) {
  std::string encoded = text;
  if (encoded.rfind("did:key:", 0) == 0) {
    encoded = encoded.substr(8);
    const std::size_t hash = encoded.find('#');
    if (hash != std::string::npos) {
      if (encoded.substr(hash + 1) != encoded.substr(0, hash)) {
        throw InputError(field, text, "the parts before and after '#' differ");
      }
      encoded = encoded.substr(0, hash);
    }
  }
  const Bytes bytes = from_multibase(encoded, field);
  if (bytes.size() != 34 || !std::equal(kPublicPrefix, kPublicPrefix + 2, bytes.begin())) {
    throw InputError(field, text, "give an Ed25519 public key: did:key:z6Mk...");
  }
  PublicKey key;
  std::copy(bytes.begin() + 2, bytes.end(), key.begin());
  return key;
}

std::string did_of(const PublicKey& key) {
  return "did:key:" + to_multibase(key);
}

std::string verification_method_of(const PublicKey& key) {
  return did_of(key) + "#" + to_multibase(key);
}

SigningKey SigningKey::generate() {
  need_sodium();
  SigningKey key;
  crypto_sign_keypair(key.public_.data(), key.secret_.data());
  return key;
}

SigningKey SigningKey::from_seed(const std::array<std::uint8_t, 32>& seed) {
  need_sodium();
  SigningKey key;
  crypto_sign_seed_keypair(key.public_.data(), key.secret_.data(), seed.data());
  return key;
}

SigningKey SigningKey::load(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    throw InputError("key", path.string(), "no such file; make one with: ringlab quiz keygen");
  }
  if ((status.st_mode & 077) != 0) {
    throw InputError("key", path.string(), "others may read it; chmod 600 it, or make a new one");
  }
  std::string text = read_file(path, "key", 4096);
  const auto refuse = [&] {
    sodium_memzero(text.data(), text.size());
    throw InputError("key", path.string(), "not a key file of ringlab quiz keygen");
  };
  if (text.rfind(kHead, 0) != 0 || text.back() != '\n') refuse();
  Bytes bytes;
  try {
    bytes = from_multibase(
        std::string_view(text).substr(kHead.size(), text.size() - kHead.size() - 1), "key");
  } catch (const InputError&) {
    refuse();  // without the value: it may be most of a secret
  }
  if (bytes.size() != 34 || !std::equal(kSecretPrefix, kSecretPrefix + 2, bytes.begin())) refuse();
  std::array<std::uint8_t, 32> seed;
  std::copy(bytes.begin() + 2, bytes.end(), seed.begin());
  SigningKey key = from_seed(seed);
  sodium_memzero(seed.data(), seed.size());
  sodium_memzero(bytes.data(), bytes.size());
  sodium_memzero(text.data(), text.size());
  return key;
}

SigningKey::~SigningKey() {
  sodium_memzero(secret_.data(), secret_.size());
}

SigningKey::SigningKey(SigningKey&& other) noexcept
    : public_(other.public_), secret_(other.secret_) {
  sodium_memzero(other.secret_.data(), other.secret_.size());
}

SigningKey& SigningKey::operator=(SigningKey&& other) noexcept {
  if (this != &other) {
    public_ = other.public_;
    secret_ = other.secret_;
    sodium_memzero(other.secret_.data(), other.secret_.size());
  }
  return *this;
}

std::array<std::uint8_t, 64> SigningKey::sign(const std::array<std::uint8_t, 64>& message) const {
  std::array<std::uint8_t, 64> signature;
  crypto_sign_detached(signature.data(), nullptr, message.data(), message.size(), secret_.data());
  return signature;
}

void SigningKey::save(const std::filesystem::path& path) const {
  std::array<std::uint8_t, 32> seed;
  crypto_sign_ed25519_sk_to_seed(seed.data(), secret_.data());
  std::string text = std::string(kHead) + to_multibase(prefixed(kSecretPrefix, seed.data())) + "\n";
  sodium_memzero(seed.data(), seed.size());
  const auto refuse = [&](const std::string& why) {
    sodium_memzero(text.data(), text.size());
    throw InputError("key", path.string(), why);
  };
  // Never over another key, and never for a moment readable by others.
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0 && errno == EEXIST) refuse("a file is there; a key is never written over");
  if (file < 0) refuse(std::string("cannot be written (") + std::strerror(errno) + ")");
  const bool written =
      ::fchmod(file, 0600) == 0 &&
      ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::fsync(file) == 0;
  if (::close(file) != 0 || !written) {
    ::unlink(path.c_str());
    refuse("cannot be written");
  }
  sodium_memzero(text.data(), text.size());
}

bool verify(const PublicKey& key, const std::array<std::uint8_t, 64>& message,
            const std::array<std::uint8_t, 64>& signature) {
  need_sodium();
  return crypto_sign_verify_detached(signature.data(), message.data(), message.size(),
                                     key.data()) == 0;
}

}  // namespace ringlab::quiz

// Keys: the RFC's vector, names, and files that nobody else may read.
#include "ringlab/quiz/credential/key.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "ringlab/quiz/credential/encoding.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;
namespace fs = std::filesystem;

struct Scratch {
  fs::path path = fs::temp_directory_path() / "ringlab_quiz_key_test";
  Scratch() {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Scratch() { fs::remove_all(path); }
};

TEST_CASE("RFC 8032, test 1: the public key of the seed") {
  std::array<std::uint8_t, 32> seed;
  const std::string text = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
  for (std::size_t i = 0; i < 32; ++i) {
    seed[i] = static_cast<std::uint8_t>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  }
  const SigningKey key = SigningKey::from_seed(seed);
  CHECK(hex(key.public_key().data(), 32) ==
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  CHECK(did_of(key.public_key()) == "did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw");
}

TEST_CASE("public keys are read in their three spellings and refused in all others") {
  const SigningKey key = SigningKey::generate();
  const std::string z = to_multibase(key.public_key());
  CHECK(z.substr(0, 4) == "z6Mk");
  for (const std::string& text : {z, "did:key:" + z, "did:key:" + z + "#" + z}) {
    CHECK(public_key_from(text, "key") == key.public_key());
  }
  std::string other = z;
  std::swap(other[10], other[11] == other[10] ? other[12] : other[11]);
  for (const std::string& text :
       {std::string(), z.substr(1), z + "1", z.substr(0, z.size() - 1), "did:web:" + z,
        "did:key:" + z + "#", "did:key:" + z + "#" + other,
        std::string("z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc")}) {
    CAPTURE(text);
    CHECK_THROWS_AS(public_key_from(text, "key"), InputError);
  }
}

TEST_CASE("a secret key's file is for its owner only, and never written over") {
  const Scratch scratch;
  const fs::path file = scratch.path / "key";
  const SigningKey key = SigningKey::generate();
  key.save(file);
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CHECK_THROWS_AS(SigningKey::generate().save(file), InputError);

  const SigningKey read = SigningKey::load(file);
  CHECK(read.public_key() == key.public_key());
  std::array<std::uint8_t, 64> message{};
  CHECK(read.sign(message) == key.sign(message));
  CHECK(verify(key.public_key(), message, read.sign(message)));
  message[3] = 1;
  CHECK_FALSE(verify(key.public_key(), message, read.sign({})));

  fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
  CHECK_THROWS_AS(SigningKey::load(file), InputError);
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  CHECK_THROWS_AS(SigningKey::load(scratch.path / "none"), InputError);
}

TEST_CASE("a damaged key file is refused without saying what is in it") {
  const Scratch scratch;
  const fs::path file = scratch.path / "key";
  SigningKey::generate().save(file);
  const std::string text = read_file(file, "key", 4096);
  const std::string secret = text.substr(text.find("\nz") + 1);
  for (const std::string& bad :
       {text + "x\n", text.substr(0, text.size() - 8) + "\n", std::string("0") + text,
        std::string(text).replace(text.find("\nz") + 5, 1, "0"), std::string()}) {
    write_file(file, bad, "key");
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    try {
      SigningKey::load(file);
      FAIL("not refused");
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).find(secret.substr(2, 12)) == std::string::npos);
    }
  }
}

}  // namespace

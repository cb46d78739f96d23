// Bytes as text, against published pairs and there and back.
#include "ringlab/quiz/credential/encoding.hpp"

#include <set>

#include "ringlab/quiz/bank/random.hpp"
#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;

Bytes bytes_of(const std::string& text) {
  return Bytes(text.begin(), text.end());
}

TEST_CASE("base 58 gives the pairs of its draft, and comes back") {
  // draft-msporny-base58-03, section 5.
  CHECK(to_multibase(bytes_of("Hello World!")) == "z2NEpo7TZRRrLZSi2U");
  CHECK(to_multibase(bytes_of("The quick brown fox jumps over the lazy dog.")) ==
        "zUSm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z");
  CHECK(to_multibase({0, 0, 0x28, 0x7f, 0xb4, 0xcd}) == "z11233QC4");
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    Bytes bytes(random.below(40));
    for (auto& byte : bytes)
      byte = static_cast<std::uint8_t>(random.below(random.pick<int>({1, 256})));
    CHECK(from_multibase(to_multibase(bytes), "x") == bytes);
  }
  for (const char* bad : {"", "2NEpo", "z0", "zO", "zl", "z ", "z2NEpo7TZRRrLZSi2U\n"}) {
    CHECK_THROWS_AS(from_multibase(bad, "x"), InputError);
  }
  CHECK_THROWS_AS(from_multibase("z" + std::string(100000, '2'), "x"), InputError);
}

TEST_CASE("base 64 for addresses gives RFC 4648's pairs, and takes only one spelling") {
  CHECK(to_base64url("f") == "Zg");
  CHECK(to_base64url("foobar") == "Zm9vYmFy");
  CHECK(to_base64url("\xfb\xff") == "-_8");
  CHECK(from_base64url("Zm9vYg", "x") == "foob");
  CHECK(from_base64url("", "x").empty());
  for (const char* bad : {"Zg==", "Z", "Zm9v YmFy", "Zm9v+", "Zh"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(from_base64url(bad, "x"), InputError);
  }
}

TEST_CASE("SHA-256 of 'abc', and ids that are made of it") {
  const Hash hash = sha256("abc");
  CHECK(hex(hash.data(), hash.size()) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(uuid_urn(hash) == "urn:uuid:ba7816bf-8f01-8fea-8141-40de5dae2223");
  // 0xba7816bf8f01cfe, 60 bits, in fives: by hand 10111 01001 11100 00001 01101 01111 11100 01111
  // 00000 00111 00111 11110, and 60-bit number mod 37 by Python is 12.
  CHECK(short_id(hash) ==
        "Q9W1-DFWF-077Y-" +
            std::string(1, "0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U"[0xba7816bf8f01cfeull % 37]));
}

TEST_CASE("the short id's check digit finds every wrong digit") {
  const std::string digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const std::string id = short_id(sha256("x"));
  const auto check_of = [&](const std::string& text) {
    std::uint64_t value = 0;
    for (const char c : text.substr(0, 14)) {
      if (c != '-') value = value * 32 + digits.find(c);
    }
    return "0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U"[value % 37];
  };
  CHECK(check_of(id) == id.back());
  for (std::size_t at = 0; at < 14; ++at) {
    if (id[at] == '-') continue;
    for (const char c : digits) {
      std::string wrong = id;
      if (wrong[at] == c) continue;
      wrong[at] = c;
      CHECK(check_of(wrong) != id.back());
    }
  }
}

}  // namespace

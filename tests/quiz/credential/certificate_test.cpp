// A certificate from a passed run: what it says, what verifies, and what it is worth.
#include "ringlab/quiz/credential/bake.hpp"
#include "ringlab/quiz/credential/verify.hpp"
#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/quiz/credential/passed_run.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;
using namespace ringlab::quiz::test;

TEST_CASE("a certificate verifies offline, and says what it proves for each kind of key") {
  const SigningKey key = SigningKey::generate(), other = SigningKey::generate();
  const std::string text = signed_certificate(key);
  const Verdict unknown = verify_certificate(exam_bank(), text, {{}, {}, kNow});
  REQUIRE(unknown.checks.size() == 7);
  for (const Check& check : unknown.checks) {
    CAPTURE(check.name, check.text);
    CHECK(check.good);
  }
  CHECK(unknown.good());
  CHECK(unknown.trust == Trust::unknown);
  CHECK(unknown.meaning().find("not identity") != std::string::npos);
  REQUIRE(unknown.certificate);
  CHECK(unknown.certificate->name == "አበበ Cabdi");
  CHECK(unknown.certificate->score.right == 18);
  CHECK(unknown.certificate->run == finished_run());

  const Verdict own = verify_certificate(exam_bank(), text, {{}, key.public_key(), kNow});
  CHECK((own.good() && own.trust == Trust::own));
  const Verdict trusted =
      verify_certificate(exam_bank(), text, {{other.public_key(), key.public_key()}, {}, kNow});
  CHECK((trusted.good() && trusted.trust == Trust::trusted));
  const Verdict stranger = verify_certificate(exam_bank(), text, {{other.public_key()}, {}, kNow});
  CHECK_FALSE(stranger.good());
}

TEST_CASE("equal content has an equal id; any other name, run or issuer another") {
  const SigningKey key = SigningKey::generate(), other = SigningKey::generate();
  const auto id_of = [&](const Run& run, const std::string& name, const SigningKey& by) {
    return certificate_of(exam_bank(), run, name, by.public_key(), "School", kNow).id;
  };
  const std::string id = id_of(finished_run(), "Hodan", key);
  CHECK(id.rfind("urn:uuid:", 0) == 0);
  CHECK(id == id_of(finished_run(), "Hodan", key));
  CHECK(id != id_of(finished_run(), "Hodann", key));
  CHECK(id != id_of(finished_run(1), "Hodan", key));
  CHECK(id != id_of(finished_run(2, 78), "Hodan", key));
  CHECK(id != id_of(finished_run(), "Hodan", other));
}

TEST_CASE("no certificate for what was not passed, not finished, or not from this bank") {
  const SigningKey key = SigningKey::generate();
  const auto refuses = [&](const Run& run, const std::string& name) {
    CHECK_THROWS_AS(certificate_of(exam_bank(), run, name, key.public_key(), "School", kNow),
                    InputError);
  };
  refuses(finished_run(5), "Hodan");
  Run open = finished_run();
  open.answers.pop_back();
  refuses(open, "Hodan");
  Run foreign = finished_run();
  foreign.bank_hash = "another";
  refuses(foreign, "Hodan");
  Run later = finished_run();
  later.started_at = kNow + 10;
  later.finished_at = kNow + 5000;
  refuses(later, "Hodan");
  for (const std::string& name :
       {std::string(), std::string("  "), std::string("a\nb"), std::string(101, 'x')}) {
    refuses(finished_run(), name);
  }
}

TEST_CASE("times are written and read in one form") {
  CHECK(time_stamp(0) == "1970-01-01T00:00:00Z");
  CHECK(time_from("2026-01-15T09:30:00Z", "t") == 1768469400);
  for (const char* bad :
       {"2026-02-30T00:00:00Z", "2026-01-15T09:30:00", "2026-1-15T09:30:00Z",
        "2026-01-15T24:00:00Z", "2026-01-15T09:30:00+00:00", "", "2026-01-15T09:30:00Z "}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(time_from(bad, "t"), InputError);
  }
}

}  // namespace

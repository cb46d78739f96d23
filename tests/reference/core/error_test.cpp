#include "ringlab/reference/core/error.hpp"

#include "tests/catch.hpp"

using namespace ringlab;

TEST_CASE("an input error names field, value and remedy") {
  const InputError error("ranks", "-1", "give 1 or more");
  CHECK(error.field() == "ranks");
  CHECK(error.value() == "-1");
  CHECK(error.remedy() == "give 1 or more");
  CHECK(std::string(error.what()) == "ranks: -1: give 1 or more");
}

TEST_CASE("a broken invariant carries its condition") {
  try {
    RINGLAB_ENSURE(1 + 1 == 3, "sums are right");
    FAIL("nothing was thrown");
  } catch (const InvariantError& error) {
    CHECK(std::string(error.what()).find("1 + 1 == 3") != std::string::npos);
    CHECK(std::string(error.what()).find("sums are right") != std::string::npos);
  }
}

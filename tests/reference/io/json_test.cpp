#include "ringlab/reference/io/json.hpp"

#include "tests/catch.hpp"

namespace {

using namespace ringlab;

InputError refused(const std::string& text) {
  try {
    detail::parse_json(text, "s.json");
  } catch (const InputError& error) {
    return error;
  }
  FAIL("accepted: " << text);
  throw;
}

TEST_CASE("a mistake is named with its line and column") {
  const InputError error = refused("{\n  \"a\": 1,\n  \"b\": tru\n}");
  CHECK(error.field() == "s.json");
  CHECK(error.value() == "line 3, column 11");
  CHECK_FALSE(error.remedy().empty());
  CHECK(refused("").value() == "line 1, column 1");
  CHECK(refused("{} {}").value() == "line 1, column 4");
  CHECK(refused("{\"a\": 1e999}").remedy().find("overflow") != std::string::npos);
}

TEST_CASE("a key that stands twice is refused at its place, one in another object is not") {
  CHECK(refused("{\"a\": 1,\n \"a\": 2}").value() == "line 2, column 4: key \"a\"");
  CHECK(detail::parse_json("{\"a\": {\"a\": 1}, \"b\": {\"a\": 2}}", "s")["b"]["a"] == 2);
}

TEST_CASE("deep nesting is refused before it costs anything") {
  const std::string deep(100000, '[');
  CHECK(refused(deep).remedy().find("levels") != std::string::npos);
}

TEST_CASE("integers may be written with an exponent, and nothing else passes for one") {
  const auto read = [](const char* text) {
    return detail::integer_from(detail::parse_json(text, "s"), "n", 0, 100000);
  };
  CHECK(read("12") == 12);
  CHECK(read("1e3") == 1000);
  CHECK(read("4.0") == 4);
  for (const char* wrong : {"4.5", "-1", "100001", "\"4\"", "true", "null", "[]", "1e300",
                            "18446744073709551615", "99999999999999999999999"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(read(wrong), InputError);
  }
}

}  // namespace

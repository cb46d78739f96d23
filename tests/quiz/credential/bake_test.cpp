// Credentials inside pictures: one chunk, found again, and nothing else taken for one.
#include "ringlab/quiz/credential/bake.hpp"

#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/quiz/credential/tiny_png.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;
using namespace ringlab::quiz::test;

const std::string kText = "{\"name\":\"አበበ\"}";

TEST_CASE("what is baked comes out again") {
  CHECK(unbake(kText) == kText);
  CHECK(unbake(bake_png(tiny_png(), kText)) == kText);
  CHECK(unbake(bake_svg(kTinySvg, kText)) == kText);
  CHECK_THROWS_AS(bake_png("GIF89a", kText), InputError);
  CHECK_THROWS_AS(bake_svg("<html>", kText), InputError);
}

TEST_CASE("none, two, or a compressed credential is refused") {
  CHECK_THROWS_AS(unbake(tiny_png()), InputError);
  CHECK_THROWS_AS(unbake(kTinySvg), InputError);
  const std::string head("openbadgecredential\0\0\0\0\0", 24);
  CHECK(unbake(tiny_png(png_chunk("iTXt", head + kText))) == kText);
  CHECK_THROWS_AS(unbake(bake_png(bake_png(tiny_png(), kText), kText)), InputError);
  std::string packed = head;
  packed[20] = 1;
  CHECK_THROWS_AS(unbake(tiny_png(png_chunk("iTXt", packed + kText))), InputError);
  CHECK_THROWS_AS(
      unbake(tiny_png(png_chunk("tEXt", std::string("openbadgecredential\0", 20) + kText))),
      InputError);
  // A text of another name is no credential.
  CHECK_THROWS_AS(unbake(tiny_png(png_chunk("iTXt", "x" + head + kText))), InputError);
  CHECK_THROWS_AS(unbake(tiny_png() + "tail"), InputError);
  const std::string svg = bake_svg(kTinySvg, kText);
  CHECK_THROWS_AS(unbake(bake_svg(svg, kText)), InputError);
  CHECK_THROWS_AS(unbake("<!-- openbadges:credential -->" + svg + "openbadges:credential"),
                  InputError);
}

}  // namespace

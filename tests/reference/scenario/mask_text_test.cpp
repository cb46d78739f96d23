#include "ringlab/reference/scenario/mask_text.hpp"

#include "tests/catch.hpp"

namespace {

using namespace ringlab;

TEST_CASE("canonical words are read and printed as they stand") {
  for (const char* text : {"none", "causal", "window=3:4", "window=*:4", "window=3:*", "prefix=5",
                           "causal+window=127:0+prefix=16", "window=0:0+prefix=2147483647"}) {
    CAPTURE(text);
    CHECK(to_text(mask_from(text)) == text);
  }
}

TEST_CASE("other spellings print in the canonical one") {
  CHECK(to_text(mask_from("prefix=1+causal")) == "causal+prefix=1");
  CHECK(to_text(mask_from("causal+window=*:*")) == "causal");
  CHECK(to_text(mask_from("window=*:*+prefix=0")) == "none");
}

TEST_CASE("the word means the mask") {
  const Mask mask = mask_from("causal+window=2:0+prefix=1");
  CHECK(mask.causal);
  CHECK(mask.window_left == 2);
  CHECK(mask.window_right == 0);
  CHECK(mask.prefix == 1);
  CHECK(mask.visible({9, 0}, {7, 0}));
  CHECK_FALSE(mask.visible({9, 0}, {6, 0}));
  CHECK(mask.visible({9, 0}, {0, 0}));
}

}  // namespace

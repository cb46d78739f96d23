// The known answers that come with Random123 (kat_vectors, philox4x32 with 10 rounds).
#include "ringlab/reference/core/philox.hpp"

#include "tests/catch.hpp"

TEST_CASE("philox gives the published words") {
  using Words = std::array<std::uint32_t, 4>;
  CHECK(ringlab::detail::philox(0, {0, 0, 0, 0}) ==
        Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(ringlab::detail::philox(0x299f31d0a4093822,
                                {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

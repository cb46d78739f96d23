// Every 16-bit pattern, both ways, against the definition of the formats written with ldexp.
#include "ringlab/reference/io/half.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "tests/catch.hpp"

namespace {

using namespace ringlab;

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Format {
  int fraction_bits;
  int exponent_bits;
};
constexpr Format kFloat16{10, 5};
constexpr Format kBfloat16{7, 8};

// What the bits mean, from IEEE 754 section 3.4.
double meaning(Format format, unsigned bits) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> format.fraction_bits) & (2 * bias + 1);
  const double fraction = bits & ((1u << format.fraction_bits) - 1);
  const double one = std::ldexp(1.0, format.fraction_bits);
  double value = 0;
  if (exponent == 2 * bias + 1) {
    value = fraction == 0 ? kInf : std::nan("");
  } else if (exponent == 0) {
    value = std::ldexp(fraction / one, 1 - bias);
  } else {
    value = std::ldexp(1 + fraction / one, exponent - bias);
  }
  return bits >> 15 ? -value : value;
}

// The pattern nearest to a finite value of positive sign, ties to the even one, by search.
unsigned nearest(Format format, double value) {
  const unsigned infinity = ((1u << format.exponent_bits) - 1) << format.fraction_bits;
  unsigned low = 0, high = infinity;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (meaning(format, middle) <= value ? low : high) = middle;
  }
  // The step above the largest number is where infinity stands in for one more binade.
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const double above = high == infinity ? std::ldexp(1.0, bias + 1) : meaning(format, high);
  const double down = value - meaning(format, low), up = above - value;
  if (down == up) return low % 2 == 0 ? low : high;
  return down < up ? low : high;
}

TEST_CASE("every float16 and bfloat16 pattern goes to float and back") {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    const float half = float_from_float16(pattern);
    const float brain = float_from_bfloat16(pattern);
    if (std::isnan(meaning(kFloat16, bits))) {
      REQUIRE(std::isnan(half));
      REQUIRE(std::isnan(meaning(kFloat16, float16_from(half))));
    } else {
      REQUIRE(static_cast<double>(half) == meaning(kFloat16, bits));
      REQUIRE(std::signbit(half) == (bits >> 15 == 1));
      REQUIRE(float16_from(half) == pattern);
      REQUIRE(float16_from(static_cast<double>(half)) == pattern);
    }
    if (std::isnan(meaning(kBfloat16, bits))) {
      REQUIRE(std::isnan(brain));
      REQUIRE(std::isnan(meaning(kBfloat16, bfloat16_from(brain))));
    } else {
      REQUIRE(static_cast<double>(brain) == meaning(kBfloat16, bits));
      REQUIRE(std::signbit(brain) == (bits >> 15 == 1));
      REQUIRE(bfloat16_from(brain) == pattern);
      REQUIRE(bfloat16_from(static_cast<double>(brain)) == pattern);
    }
  }
}

TEST_CASE("the neighbourhood of every tie rounds to nearest even, from float and from double") {
  for (const Format format : {kFloat16, kBfloat16}) {
    const bool half = format.fraction_bits == kFloat16.fraction_bits;
    const auto from_double = [&](double v) { return half ? float16_from(v) : bfloat16_from(v); };
    const auto from_float = [&](float v) { return half ? float16_from(v) : bfloat16_from(v); };
    const unsigned infinity = ((1u << format.exponent_bits) - 1) << format.fraction_bits;
    for (unsigned bits = 0; bits < infinity; ++bits) {
      const double low = meaning(format, bits);
      const double high =
          bits + 1 == infinity ? std::ldexp(1.0, half ? 16 : 128) : meaning(format, bits + 1);
      const double tie = low + (high - low) / 2;
      for (const double v : {std::nextafter(tie, 0.0), tie, std::nextafter(tie, kInf)}) {
        REQUIRE(from_double(v) == nearest(format, v));
        REQUIRE(from_double(-v) == (nearest(format, v) | 0x8000));
      }
      const float near = static_cast<float>(tie);
      for (const float v : {std::nextafter(near, 0.0f), near,
                            std::nextafter(near, std::numeric_limits<float>::infinity())}) {
        if (std::isinf(v)) continue;
        REQUIRE(from_float(v) == nearest(format, static_cast<double>(v)));
      }
    }
  }
}

TEST_CASE("values outside the range become infinite or zero, with their sign") {
  CHECK(float16_from(65519.99) == 0x7bff);
  CHECK(float16_from(65520.0) == 0x7c00);
  CHECK(float16_from(-1e300) == 0xfc00);
  CHECK(float16_from(-1e-300) == 0x8000);
  CHECK(bfloat16_from(1e300) == 0x7f80);
  CHECK(bfloat16_from(-1e-300) == 0x8000);
  CHECK(bfloat16_from(kInf) == 0x7f80);
  CHECK(float16_from(-kInf) == 0xfc00);
}

}  // namespace

// The two 16-bit floats of the field, as bits: IEEE binary16 and bfloat16.
//
// Rounding is to nearest, ties to even, once: a double goes to 16 bits without the second rounding
// that a stop at float would add. Infinities, signed zeros and subnormals are kept; a NaN stays a
// NaN, but its payload may change.
#pragma once

#include <cstdint>

namespace ringlab {

float float_from_float16(std::uint16_t bits);
float float_from_bfloat16(std::uint16_t bits);

std::uint16_t float16_from(float value);
std::uint16_t float16_from(double value);
std::uint16_t bfloat16_from(float value);
std::uint16_t bfloat16_from(double value);

}  // namespace ringlab

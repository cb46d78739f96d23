#include "ringlab/reference/io/half.hpp"

#include <Eigen/Core>
#include <bit>
#include <cmath>

namespace ringlab {
namespace {

// Rounds to float such that a later rounding to fewer bits gives what one rounding would have
// given: an inexact result gets an odd last bit, so it can never look like a tie (Boldo &
// Melquiond, 2008).
float rounded_to_odd(double value) {
  float near = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(near) == value) return near;
  if (std::fabs(static_cast<double>(near)) > std::fabs(value)) near = std::nextafter(near, 0.0f);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(near) | 1u);
}

}  // namespace

float float_from_float16(std::uint16_t bits) {
  return Eigen::half_impl::half_to_float(Eigen::half_impl::raw_uint16_to_half(bits));
}

float float_from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint16_t float16_from(float value) {
  return Eigen::half_impl::float_to_half_rtne(value).x;
}
std::uint16_t float16_from(double value) {
  return float16_from(rounded_to_odd(value));
}

std::uint16_t bfloat16_from(float value) {
  return Eigen::bfloat16(value).value;
}
std::uint16_t bfloat16_from(double value) {
  return bfloat16_from(rounded_to_odd(value));
}

}  // namespace ringlab

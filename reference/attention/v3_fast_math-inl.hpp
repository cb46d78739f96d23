// exp and tanh of a vector of scores, per SIMD target (included once for each, see v3_fast.cpp).
//
// Highway's own Exp costs about 20 instructions and turns NaN into 0; here exp costs 13 and keeps
// NaN, because a NaN score must reach its row. tanh is Highway's: it is relatively accurate near 0,
// where soft-capped scores live.
#if defined(RINGLAB_V3_FAST_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef RINGLAB_V3_FAST_MATH_INL
#undef RINGLAB_V3_FAST_MATH_INL
#else
#define RINGLAB_V3_FAST_MATH_INL
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace ringlab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// exp(r) = 1 + r + r^2 q(r) on |r| <= ln(2)/2, q interpolated at Chebyshev nodes: relative error
// 1.0e-8 in float, 1.7e-17 in double. ln 2 is split so that n * ln2_high is exact without FMA too.
template <class T>
struct ExpConstants;
template <>
struct ExpConstants<float> {
  static constexpr int kMantissaBits = 23;
  static constexpr float kShift = 12582912.0f + 127;  // 1.5 * 2^23 + exponent bias
  static constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  static constexpr float kLowest = -87.3365f, kHighest = 88.3762f;
  static constexpr float q[] = {0.5f, 0.16666576989698776f, 0.041666554617204574f,
                                0.0083631790527225774f, 0.0013926183587713495f};
};
template <>
struct ExpConstants<double> {
  static constexpr int kMantissaBits = 52;
  static constexpr double kShift = 6755399441055744.0 + 1023;  // 1.5 * 2^52 + exponent bias
  static constexpr double kLn2High = 6.93147180369123816490e-01;
  static constexpr double kLn2Low = 1.90821492927058770002e-10;
  static constexpr double kLowest = -708.396, kHighest = 709.436;
  static constexpr double q[] = {0.50000000000000010221,     0.16666666666666667453,
                                 0.041666666666624127873,    0.0083333333333300618325,
                                 0.0013888888917213716901,   0.00019841269863053616878,
                                 0.000024801521295954375131, 2.7557268459997064772e-6,
                                 2.7620088445409748161e-7,   2.5100385495510319078e-8};
};

enum class Domain { any, not_positive };

/// exp(x); 0 below the smallest normal result, infinity above the largest, NaN for NaN. The forward
/// subtracts the maximum, so there the check from above is left out.
///
/// Adding kShift rounds x / ln 2 to an integer n and leaves n + bias in the low mantissa bits; one
/// shift makes that 2^n. Multiplying by it, instead of adding to the exponent, keeps every NaN.
template <Domain domain, class D, class V = hn::Vec<D>>
HWY_INLINE V exp_of(D d, V x) {
  using T = hn::TFromD<D>;
  using C = ExpConstants<T>;
  constexpr int kTerms = static_cast<int>(sizeof(C::q) / sizeof(T));
  const hn::RebindToUnsigned<D> bits;
  const V shift = hn::Set(d, C::kShift);
  const V shifted = hn::MulAdd(x, hn::Set(d, static_cast<T>(1.4426950408889634074)), shift);
  const V power = hn::BitCast(d, hn::ShiftLeft<C::kMantissaBits>(hn::BitCast(bits, shifted)));
  const V n = hn::Sub(shifted, shift);
  V r = hn::NegMulAdd(n, hn::Set(d, C::kLn2High), x);
  r = hn::NegMulAdd(n, hn::Set(d, C::kLn2Low), r);
  V y = hn::Set(d, C::q[kTerms - 1]);
#pragma GCC unroll 16
  for (int i = kTerms - 2; i >= 0; --i) y = hn::MulAdd(y, r, hn::Set(d, C::q[i]));
  const V one = hn::Set(d, T(1));
  y = hn::MulAdd(y, r, one);
  y = hn::MulAdd(y, r, one);
  y = hn::Mul(y, power);
  if constexpr (domain == Domain::any) {
    y = hn::IfThenElse(hn::Gt(x, hn::Set(d, C::kHighest)),
                       hn::Set(d, std::numeric_limits<T>::infinity()), y);
  }
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, C::kLowest)), y);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V tanh_of(D d, V x) {
  return hn::Tanh(d, x);
}

}  // namespace ringlab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#include "ringlab/reference/attention/fma_peak.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ringlab/reference/attention/fma_peak.cpp"
#ifndef HWY_DISABLED_TARGETS  // as in v3_fast.cpp
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <chrono>

HWY_BEFORE_NAMESPACE();
namespace ringlab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 12 independent chains cover a latency of 4 to 5 cycles at two FMAs a cycle and fit AVX2's 16
// registers. x -> 0.5 x + 0.5 stays finite for ever.
float fma_burst(long steps, double& flops) {
  constexpr int kChains = 12;
  const hn::ScalableTag<float> d;
  hn::Vec<decltype(d)> chain[kChains];
  for (int i = 0; i < kChains; ++i) chain[i] = hn::Set(d, static_cast<float>(i));
  const auto half = hn::Set(d, 0.5f);
  for (long s = 0; s < steps; ++s) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) chain[i] = hn::MulAdd(chain[i], half, half);
  }
  auto sum = chain[0];
  for (int i = 1; i < kChains; ++i) sum = hn::Add(sum, chain[i]);
  flops = 2.0 * kChains * static_cast<double>(steps) * static_cast<double>(hn::Lanes(d));
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

const char* target_name() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace ringlab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ringlab {

HWY_EXPORT(fma_burst);
HWY_EXPORT(target_name);

double measure_fma_flops_per_second(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  constexpr long kSteps = 1'000'000;  // some milliseconds: longer than a tick, shorter than a guest
  double best = 0;
  volatile float sink = 0;
  const auto start = Clock::now();
  do {
    double flops = 0;
    const auto burst = Clock::now();
    sink = HWY_DYNAMIC_DISPATCH(fma_burst)(kSteps, flops);
    best = std::max(best, flops / since(burst));
  } while (since(start) < seconds);
  static_cast<void>(sink);
  return best;
}

const char* simd_target_name() {
  return HWY_DYNAMIC_DISPATCH(target_name)();
}

}  // namespace ringlab
#endif

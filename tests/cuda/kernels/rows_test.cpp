// Merge, sinks, row statistics, sums and conversions against reference/attention/partial.
#include <limits>

#include "tests/catch.hpp"
#include "tests/cuda/kernels/device_case.hpp"

using namespace ringlab;
using namespace ringlab::test;

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

Partial<float> some_partial(std::uint64_t seed, Index tokens, Index heads, Index dim) {
  Partial<float> p{gaussian(seed, tokens, heads, dim).cast<float>(),
                   gaussian(seed + 1, tokens, heads, 1, 3).cast<float>()};
  for (Index i = 0; i < p.lse.size(); i += 3) p.lse.data()[i] = kMinusInfinity;
  return p;
}

template <class T>
Tensor<double> wide(const Tensor<T>& x) {
  return x.template cast<double>();
}

}  // namespace

TEST_CASE("merge is the reference's, with nothing, a large difference and NaN on either side") {
  const Partial<float> from = some_partial(1, 9, 3, 80);
  Partial<float> into = some_partial(5, 9, 3, 80);
  std::rotate(into.lse.data(), into.lse.data() + 1, into.lse.data() + into.lse.size());
  into.lse(8, 1, 0) = 89;  // exp(89) overflows
  into.lse(7, 2, 0) = NAN;
  Partial<float> right = into;
  merge(from, right);
  cuda::merge(from.out.data(), from.lse.data(), into.out.data(), into.lse.data(), 27, 80, {});
  CHECK(largest_difference(into.out, wide(right.out)) < 1e-6);
  CHECK(largest_difference(into.lse, wide(right.lse)) < 1e-6);

  const Partial<float> nothing = identity_partial<float>(9, 3, 80);
  Partial<float> kept = from;
  cuda::merge(nothing.out.data(), nothing.lse.data(), kept.out.data(), kept.lse.data(), 27, 80, {});
  CHECK(kept == from);
}

TEST_CASE("sinks and row statistics are the reference's") {
  AttentionRule rule;
  rule.query_heads = 6;
  rule.kv_heads = 2;
  rule.sinks = {0.5, -1, 2, 0, 100, -100};
  const std::vector<float> sinks(rule.sinks.begin(), rule.sinks.end());
  Partial<float> found = some_partial(3, 7, 3, 32), right = found;
  apply_sinks(rule, 3, right);
  cuda::apply_sinks(sinks.data(), 3, found.out.data(), found.lse.data(), 7, 3, 32, {});
  CHECK(largest_difference(found.out, wide(right.out)) < 1e-6);
  CHECK(largest_difference(found.lse, wide(right.lse)) < 1e-5);

  const Tensor<double> lse_gradient = gaussian(12, 7, 3, 1);
  const Tensor<float> dlse = lse_gradient.cast<float>();
  for (const DataType type : {DataType::f32, DataType::f16, DataType::bf16}) {
    const Tensor<double> gradient = rounded(gaussian(11, 7, 3, 32), type);
    const DeviceTensor device(gradient, type);
    Tensor<float> delta(7, 3, 1);
    for (const bool with_lse : {false, true}) {
      cuda::row_statistics(found.out.data(), type, device.data(), with_lse ? dlse.data() : nullptr,
                           delta.data(), 21, 32, {});
      const RowStatistics<double> statistics = row_statistics<double>(
          {wide(found.out), wide(found.lse)}, gradient, with_lse ? lse_gradient : Tensor<double>());
      CHECK(largest_difference(delta, statistics.delta) < 1e-6);
    }
  }
}

TEST_CASE("accumulate and fill touch every value and no other") {
  std::vector<float> a(1000, 1), b(1000, 2);
  cuda::accumulate(a.data(), b.data(), 999, {});
  CHECK(std::count(b.begin(), b.end(), 3.0F) == 999);
  CHECK(b[999] == 2);
  cuda::fill(b.data(), kMinusInfinity, 999, {});
  CHECK(std::count(b.begin(), b.end(), kMinusInfinity) == 999);
  cuda::fill(b.data(), 0, 0, {});
  CHECK(b[0] == kMinusInfinity);
}

TEST_CASE("the 16-bit wire: every conversion rounds to nearest even, and widening is exact") {
  Tensor<double> values = gaussian(8, 10, 3, 17, 100);
  values(0, 0, 0) = NAN;
  values(0, 0, 1) = INFINITY;
  values(0, 0, 2) = -0.0;
  const DeviceTensor source(values, DataType::f32);
  for (const DataType type : {DataType::f32, DataType::f16, DataType::bf16}) {
    DeviceTensor wire(values, DataType::f32);
    Tensor<float> back(10, 3, 17);
    cuda::convert(DataType::f32, source.data(), type, wire.storage.data(), values.size(), {});
    cuda::convert(type, wire.data(), DataType::f32, back.data(), values.size(), {});
    CHECK(largest_difference(back, rounded(values, type)) == 0);
  }
}

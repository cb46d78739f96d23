#include "ringlab/reference/workload/gaussian.hpp"

#include <cmath>

#include "ringlab/reference/sequence/layout.hpp"
#include "ringlab/reference/sequence/shard.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;

TEST_CASE("the shards of every layout are slices of the whole, bit for bit") {
  for (const Index tokens : {1, 7, 23, 64}) {
    const Positions sequence = whole_sequence(tokens);
    const auto whole = gaussian_tensor<float>(7, 2, sequence, 3, 5);
    for (const auto kind : {LayoutKind::contiguous, LayoutKind::striped, LayoutKind::zigzag}) {
      for (const int ranks : {1, 2, 3, 8}) {
        const Layout layout = make_layout(kind, sequence, ranks);
        std::vector<Tensor<float>> parts;
        for (const Positions& shard : layout) {
          parts.push_back(gaussian_tensor<float>(7, 2, shard, 3, 5));
        }
        CHECK(unshard(parts, sequence, layout) == whole);
      }
    }
  }
}

TEST_CASE("a head or a width more does not change the values that were there") {
  const Positions tokens = Positions::contiguous(100, 4);
  const auto small = gaussian_tensor<double>(7, 0, tokens, 2, 4);
  const auto large = gaussian_tensor<double>(7, 0, tokens, 3, 5);
  for (Index t = 0; t < 4; ++t) {
    for (Index h = 0; h < 2; ++h) {
      for (Index d = 0; d < 4; ++d) CHECK(small(t, h, d) == large(t, h, d));
    }
  }
  CHECK(gaussian_tensor<float>(7, 0, tokens, 2, 4) == small.cast<float>());
}

// Sums of products over 2^18 values, whose deviation is 2^9 (2^9 * sqrt(2) for squares).
double product(const Tensor<double>& a, const Tensor<double>& b, Index shift = 0) {
  double sum = 0;
  for (Index i = 0; i + shift < a.size(); ++i) sum += a.data()[i] * b.data()[i + shift];
  return sum;
}

TEST_CASE("values are normal, and independent of each other, of stream and of seed") {
  const Positions tokens = Positions::contiguous(0, 1024);
  const auto a = gaussian_tensor<double>(1, 0, tokens, 4, 64);
  const auto b = gaussian_tensor<double>(1, 1, tokens, 4, 64);
  const auto c = gaussian_tensor<double>(2, 0, tokens, 4, 64);
  const double n = 1 << 18,
               five = 5 * 512;  // five deviations: 1 in 1.7 million, and seeds are fixed
  double sum = 0, cubes = 0, fourths = 0, below_one = 0;
  for (Index i = 0; i < a.size(); ++i) {
    const double x = a.data()[i];
    REQUIRE(std::isfinite(x));
    sum += x;
    cubes += x * x * x;
    fourths += x * x * x * x;
    below_one += std::abs(x) < 1;
  }
  CHECK(std::abs(sum) < five);
  CHECK(std::abs(product(a, a) - n) < five * std::sqrt(2));
  CHECK(std::abs(cubes) < five * std::sqrt(15));
  CHECK(std::abs(fourths - 3 * n) < five * std::sqrt(96));
  CHECK(std::abs(below_one / n - std::erf(std::sqrt(0.5))) < 0.005);
  CHECK(std::abs(product(a, b)) < five);
  CHECK(std::abs(product(a, c)) < five);
  for (const Index shift : {1, 2, 64, 256}) CHECK(std::abs(product(a, a, shift)) < five);
}

TEST_CASE("the deviation scales") {
  const Positions tokens = Positions::contiguous(0, 3);
  const auto one = gaussian_tensor<double>(3, 0, tokens, 1, 4);
  const auto two = gaussian_tensor<double>(3, 0, tokens, 1, 4, 2.0);
  for (Index i = 0; i < one.size(); ++i) CHECK(two.data()[i] == 2 * one.data()[i]);
}

TEST_CASE("sizes that would alias counters are refused") {
  const Positions tokens = Positions::contiguous(0, 0);
  CHECK_THROWS_AS(gaussian_tensor<float>(1, 0, tokens, 65537, 1), InputError);
  CHECK_THROWS_AS(gaussian_tensor<float>(1, 0, tokens, 1, 65537), InputError);
  CHECK_THROWS_AS(gaussian_tensor<float>(1, -1, tokens, 1, 1), InputError);
}

}  // namespace

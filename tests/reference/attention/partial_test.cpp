#include "ringlab/reference/attention/partial.hpp"

#include <limits>

#include "tests/catch.hpp"
#include "tests/random.hpp"

using namespace ringlab;

namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

template <class T>
Partial<T> one(T out, T lse) {
  return {Tensor<T>(1, 1, 1, out), Tensor<T>(1, 1, 1, lse)};
}

template <class T>
Partial<T> merged(const Partial<T>& a, const Partial<T>& b) {
  Partial<T> into = b;
  merge(a, into);
  return into;
}

}  // namespace

TEST_CASE("the identity of the merge") {
  CHECK(merged(one(0.0, kNothing), one(0.0, kNothing)) == one(0.0, kNothing));
  CHECK(merged(one(3.0, 1.5), one(0.0, kNothing)) == one(3.0, 1.5));
  CHECK(merged(one(0.0, kNothing), one(3.0, 1.5)) == one(3.0, 1.5));
}

TEST_CASE("weights are those of the scores, not of shifted ones") {
  // One key a block, scores 0 and 5 (known mistake C1).
  const Partial<double> both = merged(one(1.0, 0.0), one(0.0, 5.0));
  CHECK(both.out(0, 0, 0) == Approx(0.0066928509).epsilon(1e-8));
  CHECK(both.lse(0, 0, 0) == Approx(5.0067153485).epsilon(1e-10));
}

TEST_CASE("logarithms are natural") {
  // Blocks of 3072 and 64 equal keys: the second one's weight is 64 / 3136 (known mistake C2).
  const Partial<double> both = merged(one(0.0, std::log(3072.0)), one(1.0, std::log(64.0)));
  CHECK(both.out(0, 0, 0) == Approx(64.0 / 3136).epsilon(1e-12));
}

TEST_CASE("far apart partials do not overflow") {
  CHECK(merged(one(1.0f, 0.0f), one(2.0f, 89.0f)) == one(2.0f, 89.0f));
  CHECK(merged(one(1.0f, 89.0f), one(2.0f, 0.0f)) == one(1.0f, 89.0f));
  CHECK(merged(one(1.0, 0.0), one(2.0, 710.0)) == one(2.0, 710.0));
}

TEST_CASE("a score of -60000 beats a key that is not there") {
  CHECK(merged(one(4.0f, -60000.0f), one(0.0f, static_cast<float>(kNothing))) ==
        one(4.0f, -60000.0f));
}

TEST_CASE("a NaN stays a NaN on either side") {
  const double nan = std::nan("");
  CHECK(std::isnan(merged(one(1.0, nan), one(2.0, 1.0)).out(0, 0, 0)));
  CHECK(std::isnan(merged(one(1.0, 1.0), one(2.0, nan)).lse(0, 0, 0)));
  CHECK(std::isnan(merged(one(nan, 1.0), one(2.0, 1.0)).out(0, 0, 0)));
}

TEST_CASE("merging is associative and commutative up to rounding") {
  const auto random = [](std::uint64_t seed) {
    return Partial<double>{test::gaussian(seed, 5, 2, 3), test::gaussian(seed + 50, 5, 2, 1, 20)};
  };
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Partial<double> a = random(seed), b = random(seed + 100), c = random(seed + 200);
    const Partial<double> left = merged(merged(a, b), c), right = merged(a, merged(b, c));
    CHECK(test::relative_error(left.out, right.out) < 1e-14);
    CHECK(test::largest_difference(left.lse, right.lse) < 1e-13);
    CHECK(test::relative_error(merged(b, a).out, merged(a, b).out) < 1e-15);
  }
}

TEST_CASE("a sink takes its weight once") {
  AttentionRule rule;
  rule.sinks = {std::log(3.0)};
  Partial<double> row = one(8.0, std::log(1.0));
  apply_sinks(rule, 0, row);
  CHECK(row.out(0, 0, 0) == Approx(2.0));
  CHECK(row.lse(0, 0, 0) == Approx(std::log(4.0)));
  Partial<double> empty = one(0.0, kNothing);
  apply_sinks(rule, 0, empty);
  CHECK(empty == one(0.0, std::log(3.0)));
}

#include "ringlab/reference/attention/rotary.hpp"

#include "tests/catch.hpp"
#include "tests/random.hpp"

using namespace ringlab;

namespace {

double dot_at(const Tensor<double>& q, const Tensor<double>& k, Index i, Index j) {
  Tensor<double> a = q, b = k;
  rotate(a, Positions::contiguous(i, 1), 10000.0);
  rotate(b, Positions::contiguous(j, 1), 10000.0);
  double sum = 0;
  for (Index d = 0; d < q.head_dim(); ++d) sum += a(0, 0, d) * b(0, 0, d);
  return sum;
}

}  // namespace

TEST_CASE("a rotated dot product depends on the distance alone") {
  const Tensor<double> q = test::gaussian(1, 1, 1, 8), k = test::gaussian(2, 1, 1, 8);
  CHECK(dot_at(q, k, 7, 3) == Approx(dot_at(q, k, 107, 103)).epsilon(1e-12));
  CHECK(std::abs(dot_at(q, k, 7, 3) - dot_at(q, k, 7, 4)) > 1e-3);
}

TEST_CASE("turning back is the inverse, and a shard turns as its rows of the whole") {
  const Tensor<double> whole = test::gaussian(3, 12, 2, 6);
  Tensor<double> turned = whole;
  rotate(turned, Positions::contiguous(0, 12), 10000.0);
  Tensor<double> stripe(3, 2, 6);
  for (Index i = 0; i < 3; ++i) {
    std::copy(whole.row(1 + 4 * i, 0), whole.row(1 + 4 * i, 0) + 12, stripe.row(i, 0));
  }
  rotate(stripe, Positions({{1, 4, 3, 0}}), 10000.0);
  for (Index i = 0; i < 3; ++i) {
    for (Index d = 0; d < 6; ++d) CHECK(stripe(i, 1, d) == turned(1 + 4 * i, 1, d));
  }
  rotate(turned, Positions::contiguous(0, 12), 10000.0, true);
  CHECK(test::relative_error(turned, whole) < 1e-15);
}

TEST_CASE("by hand: position 1 of base 1 turns by one radian") {
  Tensor<double> x(1, 1, 2);
  x(0, 0, 0) = 1;
  rotate(x, Positions::contiguous(1, 1), 1.0);
  CHECK(x(0, 0, 0) == Approx(std::cos(1.0)));
  CHECK(x(0, 0, 1) == Approx(std::sin(1.0)));
  Tensor<double> odd(1, 1, 3);
  CHECK_THROWS_AS(rotate(odd, Positions::contiguous(0, 1), 10000.0), InputError);
}

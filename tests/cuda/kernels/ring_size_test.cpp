// 16-bit inputs, many hops: O, dK and dV stay in float32 in between, so the error is that of one
// rounding and does not grow with the ring (known mistake C9: a rounded accumulator grows like the
// square root of R, from 2.5e-3 at R = 2 to 7.7e-3 at R = 32).
#include <algorithm>

#include "tests/catch.hpp"
#include "tests/cuda/kernels/device_case.hpp"

using namespace ringlab;
using namespace ringlab::test;

TEST_CASE("the error of bf16 is the same for rings of 2 to 32") {
  std::vector<double> forward, keys, values;
  for (const int ranks : {2, 4, 8, 16, 32}) {
    Case c;
    c.id = 2;
    c.tokens = c.query_tokens = 64;
    c.ranks = ranks;
    c.documents = {64};
    c.rule.query_heads = 2;
    c.rule.head_dim = 32;
    c.rule.scale = default_scale(32);
    const DeviceProblem problem(c, DataType::bf16);
    const RunErrors e = errors_of(problem, kernels_of(Rung::v3));
    INFO("R = " << ranks << ": " << text(e));
    CHECK(right(e, DataType::bf16));
    forward.push_back(e.out);
    keys.push_back(e.key_gradient);
    values.push_back(e.value_gradient);
  }
  for (const std::vector<double>& errors : {forward, keys, values}) {
    const auto [least, most] = std::minmax_element(errors.begin(), errors.end());
    CHECK(*most < 1.2 * *least);
  }
}

// Every rung and input type over the common generator, against float64 full attention on the same
// rounded inputs, folded block by block as a ring does.
#include "tests/catch.hpp"
#include "tests/cuda/kernels/device_case.hpp"

using namespace ringlab;
using namespace ringlab::test;

namespace {

struct Column {
  DataType type;
  Rung rung;
};

int number(Rung rung) {
  return static_cast<int>(rung) + 1;
}

// Long sequences cost their square: all ids up to `plain_tokens`, and the longer ones of every
// twentieth id, so that several tiles a shard are met as well.
bool included(const Case& c, Index plain_tokens) {
  return c.tokens <= plain_tokens || (c.id % 20 == 0 && c.tokens <= 257);
}

void check_grid(const Column& column, int cases, Index plain_tokens) {
  int met = 0;
  for (int id = 0; met < cases; ++id) {
    const Case c = device_case(id);
    if (!included(c, plain_tokens)) continue;
    ++met;
    const DeviceProblem problem(c, column.type);
    const RunErrors errors = errors_of(problem, kernels_of(column.rung));
    INFO("v" << number(column.rung) << " " << name(column.type) << ", " << c.text() << ": "
             << text(errors));
    CHECK(right(errors, column.type));
  }
}

}  // namespace

TEST_CASE("v1 takes every type") {
  check_grid({DataType::f32, Rung::v1}, 300, 64);
  check_grid({DataType::bf16, Rung::v1}, 60, 32);
  check_grid({DataType::f16, Rung::v1}, 60, 32);
}

TEST_CASE("v2 takes every type") {
  check_grid({DataType::f32, Rung::v2}, 300, 64);
  check_grid({DataType::bf16, Rung::v2}, 60, 32);
  check_grid({DataType::f16, Rung::v2}, 60, 32);
}

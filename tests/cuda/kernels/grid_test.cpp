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

// Cost grows with the square of the length and with the number of pairs of shards, so long
// sequences and many ranks come with every twentieth and every fifth id only.
bool included(const Case& c, Index plain_tokens, int plain_ranks) {
  if (c.id % 20 == 0) return c.tokens <= 257;
  return c.tokens <= plain_tokens && (c.ranks <= plain_ranks || c.id % 5 == 0);
}

// Sanitizers cost ten times as much; a sample of the same cases is enough for them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kShare = 10;
#else
constexpr int kShare = 1;
#endif

void check_grid(const Column& column, int cases, Index plain_tokens, int plain_ranks = 16) {
  int met = 0;
  cases /= kShare;
  for (int id = 0; met < cases; ++id) {
    const Case c = device_case(id);
    if (!included(c, plain_tokens, plain_ranks)) continue;
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

TEST_CASE("v3 takes the 16-bit types") {
  check_grid({DataType::bf16, Rung::v3}, 300, 64, 4);
  check_grid({DataType::f16, Rung::v3}, 60, 32, 4);
}

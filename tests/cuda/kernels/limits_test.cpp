// What no kernel takes is refused by name; and the promises at the edges of what they take.
#include <limits>

#include "tests/catch.hpp"
#include "tests/cuda/kernels/device_case.hpp"

using namespace ringlab;
using namespace ringlab::test;

namespace {

constexpr Rung kRungs[] = {Rung::v1, Rung::v2, Rung::v3};

std::string refused(const cuda::AttendArguments& a, Rung rung) {
  try {
    cuda::check_supported(a, rung);
  } catch (const InputError& error) {
    return error.field();
  }
  return "";
}

DataType type_for(Rung rung) {
  return rung == Rung::v3 ? DataType::bf16 : DataType::f32;
}

Case plain_case(Index tokens, int ranks, int head_dim, int kv_heads = 1, int group = 2) {
  Case c;
  c.id = 1;
  c.tokens = c.query_tokens = tokens;
  c.ranks = ranks;
  c.documents = {tokens};
  c.rule.kv_heads = kv_heads;
  c.rule.query_heads = kv_heads * group;
  c.rule.head_dim = head_dim;
  c.rule.scale = default_scale(head_dim);
  c.rule.mask.causal = true;
  return c;
}

}  // namespace

TEST_CASE("what is not supported is refused by name") {
  cuda::AttendArguments a;
  for (const Rung rung : kRungs) {
    a.type = type_for(rung);
    for (const int dim : {32, 64, 80, 128, 256}) {
      a.head_dim = dim;
      CHECK(refused(a, rung).empty());
    }
    for (const int dim : {0, 1, 8, 96, 192, 512}) {
      a.head_dim = dim;
      CHECK(refused(a, rung) == "head_dim");
    }
    a.head_dim = 64;
    a.dropout = 0.1;
    CHECK(refused(a, rung) == "dropout");
    a.dropout = 0;
    a.soft_cap = -1;
    CHECK(refused(a, rung) == "soft_cap");
    a.soft_cap = 0;
    a.heads = 2;  // the second reads kv head 1, which is not there
    CHECK(refused(a, rung) == "kv_heads");
    a.group = 2;
    CHECK(refused(a, rung).empty());
    a.heads = a.group = 1;
  }
  a.type = DataType::f32;
  CHECK(refused(a, Rung::v3) == "dtype");
  CHECK(refused(a, cuda::best_rung(DataType::f32)).empty());
}

TEST_CASE("rows that see nothing keep their bits, and a tile of no tokens does nothing") {
  for (const Rung rung : kRungs) {
    // Queries 0..9 meet keys 4..13 under a causal mask: the first four rows see nothing.
    const DataType type = type_for(rung);
    const AttentionRule rule = plain_case(10, 1, 64).rule;
    const DeviceTensor query(gaussian(1, 10, 2, 64), type), keys(gaussian(2, 10, 1, 64), type),
        values(gaussian(3, 10, 1, 64), type);
    const auto query_runs = cuda::device_runs(Positions::contiguous(0, 10));
    const auto key_runs = cuda::device_runs(Positions::contiguous(4, 10));
    Partial<float> partial{gaussian(4, 10, 2, 64).cast<float>(),
                           gaussian(5, 10, 2, 1).cast<float>()};
    partial.lse(1, 0, 0) = -std::numeric_limits<float>::infinity();
    partial.lse(2, 1, 0) = std::numeric_limits<float>::quiet_NaN();
    const Partial<float> before = partial;
    cuda::ForwardArguments a;
    static_cast<cuda::AttendArguments&>(a) = cuda::attend_arguments(rule, type, 0, 2, 0, 1);
    a.query = query.data();
    a.keys = keys.data();
    a.values = values.data();
    a.query_places = {query_runs.data(), 1, 10};
    a.key_places = {key_runs.data(), 1, 10};
    a.out = partial.out.data();
    a.lse = partial.lse.data();
    cuda::attend_forward(a, rung, {});
    const auto bytes = [](const Tensor<float>& x, Index rows) {
      return std::string(reinterpret_cast<const char*>(x.data()),
                         static_cast<std::size_t>(rows * x.token_stride()) * 4);
    };
    CHECK(bytes(partial.out, 4) == bytes(before.out, 4));
    CHECK(bytes(partial.lse, 4) == bytes(before.lse, 4));
    CHECK(bytes(partial.out, 5) != bytes(before.out, 5));
    const Partial<float> after = partial;
    a.key_places = {nullptr, 0, 0};
    cuda::attend_forward(a, rung, {});
    a.query_places = {nullptr, 0, 0};
    cuda::attend_forward(a, rung, {});
    CHECK(bytes(partial.out, 10) == bytes(after.out, 10));
  }
}

TEST_CASE("NaN and infinity reach the rows that see them, and no others") {
  for (const Rung rung : kRungs) {
    for (const double poison : {NAN, INFINITY}) {
      for (int where = 0; where < 4; ++where) {
        const Case c = plain_case(80, 2, 32);
        Inputs inputs = inputs_of(c);
        Tensor<double>* tensors[] = {&inputs.query, &inputs.key_value.keys,
                                     &inputs.key_value.values, &inputs.output_gradient};
        (*tensors[where])(37, 0, 5) = poison;
        (*tensors[where])(70, 0, 9) = poison;
        const DataType type = type_for(rung);
        const DeviceProblem problem(c, type, inputs);
        const auto outputs = run_ring(problem, kernels_of(rung));
        const RunErrors e = errors_of(c, problem.inputs, problem.right, outputs);
        INFO("v" << static_cast<int>(rung) + 1 << " tensor " << where << ": " << text(e));
        // An infinite input is not a number in one place or another of its own row; who else gets
        // one is the same for all.
        if (std::isnan(poison)) CHECK(right(e, type));
        const auto clean_rows = [&](const Tensor<double>& x) {
          std::vector<bool> clean;
          for (Index i = 0; i < x.tokens(); ++i) {
            bool finite = true;
            for (Index d = 0; d < x.token_stride(); ++d) {
              finite = finite && std::isfinite(x.row(i, 0)[d]);
            }
            clean.push_back(finite);
          }
          return clean;
        };
        std::vector<Tensor<float>> out, dq, dk;
        for (const auto& rank : outputs) {
          out.push_back(rank.result.out);
          dq.push_back(rank.query_gradient);
          dk.push_back(rank.key_value_gradient.keys);
        }
        const auto whole = [&](const std::vector<Tensor<float>>& parts) {
          return unshard(parts, c.sequence(), c.key_layout()).cast<double>();
        };
        CHECK(clean_rows(whole(out)) == clean_rows(problem.right.result.out));
        CHECK(clean_rows(whole(dq)) == clean_rows(problem.right.gradients.query));
        CHECK(clean_rows(whole(dk)) == clean_rows(problem.right.gradients.key_value.keys));
      }
    }
  }
}

TEST_CASE("a finite score beats nothing, however small (known mistake C3)") {
  for (const Rung rung : kRungs) {
    Case c = plain_case(1, 1, 32, 1, 1);
    Inputs inputs = inputs_of(c);
    for (Index d = 0; d < 32; ++d) {
      inputs.query(0, 0, d) = d == 0 ? -60000 : 0;
      inputs.key_value.keys(0, 0, d) = d == 0 ? 1 : 0;
    }
    c.rule.scale = 1;
    const DeviceProblem problem(c, type_for(rung), inputs);
    CHECK(right(errors_of(problem, kernels_of(rung)), problem.type));
  }
}

TEST_CASE("a slice of the heads is what the whole has there") {
  for (const Rung rung : kRungs) {
    const Case c = plain_case(40, 1, 64, 3, 2);
    const DataType type = type_for(rung);
    const DeviceProblem problem(c, type);
    const auto whole = run_ring(problem, kernels_of(rung));
    // Query heads 3 and 4 read kv heads 1 and 2: half of one group, half of the next.
    const auto heads_of = [](const Tensor<double>& x, Index first, Index count) {
      Tensor<double> part(x.tokens(), count, x.head_dim());
      for (Index i = 0; i < x.tokens(); ++i) {
        std::copy_n(x.row(i, first), count * x.head_dim(), part.row(i, 0));
      }
      return part;
    };
    const DeviceTensor query(heads_of(problem.inputs.query, 3, 2), type),
        keys(heads_of(problem.inputs.key_value.keys, 1, 2), type),
        values(heads_of(problem.inputs.key_value.values, 1, 2), type);
    const auto runs = cuda::device_runs(c.sequence());
    Partial<float> partial = identity_partial<float>(40, 2, 64);
    cuda::ForwardArguments a;
    static_cast<cuda::AttendArguments&>(a) = cuda::attend_arguments(c.rule, type, 3, 2, 1, 2);
    a.query = query.data();
    a.keys = keys.data();
    a.values = values.data();
    a.query_places = a.key_places = {runs.data(), static_cast<std::int32_t>(runs.size()), 40};
    a.out = partial.out.data();
    a.lse = partial.lse.data();
    cuda::attend_forward(a, rung, {});
    const Tensor<double> all = whole[0].result.out.cast<double>();
    CHECK(largest_difference(partial.out, heads_of(all, 3, 2)) == 0);
  }
}

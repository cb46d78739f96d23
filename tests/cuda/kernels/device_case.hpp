// A generated case run by the kernels as a ring would: the queries of each shard meet one block of
// keys after another, (O, LSE) carried in between, gradients added up block by block.
//
// On the CPU side device memory is host memory, so a tensor's data is a device pointer.
#pragma once

#include <fmt/format.h>

#include <cstring>

#include "ringlab/cuda/kernels/arguments.hpp"
#include "ringlab/cuda/on_cpu/fibers.hpp"
#include "ringlab/reference/io/half.hpp"
#include "tests/cuda/kernels/run_errors.hpp"

namespace ringlab::test {

using cuda::DataType;
using cuda::Rung;

inline const char* name(DataType type) {
  return type == DataType::f32 ? "f32" : type == DataType::f16 ? "f16" : "bf16";
}

/// Case `id` of the common generator, as the kernels can take it: a supported head_dim, no dropout.
inline Case device_case(int id) {
  constexpr int kHeadDims[] = {32, 64, 80, 128, 256};
  Case c = make_case(id);
  const double sign = c.rule.scale < 0 ? -0.7 : 1;
  c.rule.head_dim = kHeadDims[(id + id / 5) % 5];
  c.rule.scale = sign * default_scale(c.rule.head_dim);
  c.rule.dropout = {};
  return c;
}

/// A tensor in device memory, of any type.
struct DeviceTensor {
  std::vector<float> storage;  // as many bytes as are needed, or more

  DeviceTensor() = default;
  DeviceTensor(const Tensor<double>& values, DataType type) {
    storage.resize(static_cast<std::size_t>(values.size()) + 1);
    auto* halves = reinterpret_cast<unsigned char*>(storage.data());
    for (Index i = 0; i < values.size(); ++i) {
      const auto value = static_cast<float>(values.data()[i]);
      if (type == DataType::f32) {
        storage[static_cast<std::size_t>(i)] = value;
        continue;
      }
      const std::uint16_t bits = type == DataType::f16 ? float16_from(value) : bfloat16_from(value);
      std::memcpy(halves + 2 * i, &bits, 2);
    }
  }
  const void* data() const { return storage.data(); }
};

/// The values that `type` can hold nearest to these.
inline Tensor<double> rounded(Tensor<double> values, DataType type) {
  for (Index i = 0; i < values.size(); ++i) {
    double& x = values.data()[i];
    if (type == DataType::f16) x = float_from_float16(float16_from(x));
    if (type == DataType::bf16) x = float_from_bfloat16(bfloat16_from(x));
    if (type == DataType::f32) x = static_cast<float>(x);
  }
  return values;
}

/// The inputs of a case, rotated (as executors do, at home) and rounded to `type`, and the judge's
/// answer to exactly those.
struct DeviceProblem {
  Case c;
  DataType type;
  Inputs inputs;
  Judge right;

  DeviceProblem(const Case& which, DataType data_type)
      : DeviceProblem(which, data_type, inputs_of(which)) {}
  DeviceProblem(const Case& which, DataType data_type, Inputs given)
      : c(which), type(data_type), inputs(std::move(given)) {
    rotate(inputs.query, c.queries(), c.rotary_base);
    rotate(inputs.key_value.keys, c.sequence(), c.rotary_base);
    c.rotary_base = 0;
    inputs.query = rounded(inputs.query, type);
    inputs.output_gradient = rounded(inputs.output_gradient, type);
    inputs.key_value.keys = rounded(inputs.key_value.keys, type);
    inputs.key_value.values = rounded(inputs.key_value.values, type);
    right = judge(c, inputs);
  }
};

/// One rank's share of a problem, on the device.
struct DeviceShard {
  DeviceTensor query, keys, values, output_gradient;
  std::vector<cuda::DeviceRun> query_runs, key_runs;
  cuda::TokenPlaces query_places, key_places;
  AttentionOutput<float> result;

  DeviceShard(const DeviceProblem& problem, int rank) {
    const auto r = static_cast<std::size_t>(rank);
    const Case& c = problem.c;
    const Positions queries = c.query_layout()[r], places = c.key_layout()[r];
    const AttentionInput<double> mine = shard_of<double>(c, problem.inputs, rank);
    query = {mine.query, problem.type};
    keys = {mine.key_value.keys, problem.type};
    values = {mine.key_value.values, problem.type};
    output_gradient = {mine.output_gradient, problem.type};
    query_runs = cuda::device_runs(queries);
    key_runs = cuda::device_runs(places);
    query_places = {query_runs.data(), static_cast<std::int32_t>(query_runs.size()),
                    queries.size()};
    key_places = {key_runs.data(), static_cast<std::int32_t>(key_runs.size()), places.size()};
    const int dim = c.rule.head_dim;
    result.result = identity_partial<float>(queries.size(), c.rule.query_heads, dim);
    result.query_gradient = Tensor<float>(queries.size(), c.rule.query_heads, dim);
    result.key_value_gradient = {Tensor<float>(places.size(), c.rule.kv_heads, dim),
                                 Tensor<float>(places.size(), c.rule.kv_heads, dim)};
  }
};

/// The kernels under test: those of the library, or a translation unit's own with a planted fault.
struct Kernels {
  void (*forward)(const cuda::ForwardArguments&, cuda::StreamHandle);
  void (*backward)(const cuda::BackwardArguments&, cuda::StreamHandle);
};

inline Kernels kernels_of(Rung rung) {
  switch (rung) {
    case Rung::v1:
      return {[](const auto& a, auto s) { cuda::attend_forward(a, Rung::v1, s); },
              [](const auto& a, auto s) { cuda::attend_backward(a, Rung::v1, s); }};
    case Rung::v2:
      return {[](const auto& a, auto s) { cuda::attend_forward(a, Rung::v2, s); },
              [](const auto& a, auto s) { cuda::attend_backward(a, Rung::v2, s); }};
    case Rung::v3:
      break;
  }
  return {[](const auto& a, auto s) { cuda::attend_forward(a, Rung::v3, s); },
          [](const auto& a, auto s) { cuda::attend_backward(a, Rung::v3, s); }};
}

/// What launches use while this lives.
struct WithOptions {
  explicit WithOptions(const on_cpu::GridOptions& options) { on_cpu::set_grid_options(options); }
  ~WithOptions() { on_cpu::set_grid_options({}); }
  WithOptions(const WithOptions&) = delete;
  WithOptions& operator=(const WithOptions&) = delete;
};

/// Every rank's output, forward and backward.
inline std::vector<AttentionOutput<float>> run_ring(const DeviceProblem& problem,
                                                    const Kernels& kernels) {
  const Case& c = problem.c;
  const AttentionRule& rule = c.rule;
  const std::vector<float> slopes(rule.alibi_slopes.begin(), rule.alibi_slopes.end());
  const std::vector<float> sinks(rule.sinks.begin(), rule.sinks.end());
  std::vector<DeviceShard> shards;
  for (int r = 0; r < c.ranks; ++r) shards.emplace_back(problem, r);

  const auto fill_common = [&](cuda::AttendArguments& a, DeviceShard& mine, DeviceShard& block) {
    a = cuda::attend_arguments(rule, problem.type, 0, rule.query_heads, 0, rule.kv_heads);
    a.query = mine.query.data();
    a.keys = block.keys.data();
    a.values = block.values.data();
    a.query_places = mine.query_places;
    a.key_places = block.key_places;
    if (!slopes.empty()) a.alibi_slopes = slopes.data();
  };
  const auto block_at = [&](int rank, int hop) -> DeviceShard& {
    return shards[static_cast<std::size_t>((rank - hop + c.ranks) % c.ranks)];
  };
  for (int rank = 0; rank < c.ranks; ++rank) {
    DeviceShard& mine = shards[static_cast<std::size_t>(rank)];
    Partial<float>& partial = mine.result.result;
    for (int hop = 0; hop < c.ranks; ++hop) {
      cuda::ForwardArguments a;
      fill_common(a, mine, block_at(rank, hop));
      a.out = partial.out.data();
      a.lse = partial.lse.data();
      kernels.forward(a, {});
    }
    if (!sinks.empty()) {
      cuda::apply_sinks(sinks.data(), 0, partial.out.data(), partial.lse.data(),
                        partial.out.tokens(), rule.query_heads, rule.head_dim, {});
    }
    Tensor<float> delta(partial.lse.tokens(), partial.lse.heads(), 1);
    cuda::row_statistics(partial.out.data(), problem.type, mine.output_gradient.data(), nullptr,
                         delta.data(), partial.lse.size(), rule.head_dim, {});
    for (int hop = 0; hop < c.ranks; ++hop) {
      DeviceShard& block = block_at(rank, hop);
      cuda::BackwardArguments a;
      fill_common(a, mine, block);
      a.output_gradient = mine.output_gradient.data();
      a.lse = partial.lse.data();
      a.delta = delta.data();
      a.query_gradient = mine.result.query_gradient.data();
      a.key_gradient = block.result.key_value_gradient.keys.data();
      a.value_gradient = block.result.key_value_gradient.values.data();
      kernels.backward(a, {});
    }
  }
  std::vector<AttentionOutput<float>> outputs;
  for (DeviceShard& shard : shards) outputs.push_back(std::move(shard.result));
  return outputs;
}

inline RunErrors errors_of(const DeviceProblem& problem, const Kernels& kernels) {
  return errors_of(problem.c, problem.inputs, problem.right, run_ring(problem, kernels));
}

/// What a right run may differ by. float32: rounding of some hundred sums, each 6e-8, and the
/// backward subtracts two of them. 16 bits: v3 rounds weights and their gradients to the input type
/// (2^-9 for bf16) before the second product.
inline double forward_tolerance(DataType type) {
  return type == DataType::f32 ? 2e-6 : 8e-3;
}
inline double backward_tolerance(DataType type) {
  return type == DataType::f32 ? 3e-6 : 1.5e-2;
}

/// True if everything is within tolerance; NaN positions count.
inline bool right(const RunErrors& e, DataType type) {
  const double forward = forward_tolerance(type), backward = backward_tolerance(type);
  return e.out <= forward && e.lse <= forward && e.query_gradient <= backward &&
         e.key_gradient <= backward && e.value_gradient <= backward;
}

inline std::string text(const RunErrors& e) {
  return fmt::format("O {:.2e} lse {:.2e} dQ {:.2e} dK {:.2e} dV {:.2e}", e.out, e.lse,
                     e.query_gradient, e.key_gradient, e.value_gradient);
}

}  // namespace ringlab::test

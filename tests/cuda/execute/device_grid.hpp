// A generated case run by the CUDA executor on CPU streams, and its comparison with the judge.
#pragma once

#include "ringlab/cuda/execute/attention.hpp"
#include "ringlab/cuda/execute/device_content.hpp"
#include "ringlab/cuda/on_cpu/streams.hpp"
#include "ringlab/cuda/transport/local_wire.hpp"
#include "tests/cuda/kernels/device_case.hpp"
#include "tests/reference/execute/grid.hpp"

namespace ringlab::test {

/// All ranks on one device of CPU streams, whose order the seed draws.
inline std::vector<AttentionOutput<float>> run_on_streams(const Case& c, const AttentionPlan& plan,
                                                          const Inputs& inputs,
                                                          const cuda::DeviceOptions& options,
                                                          std::uint64_t seed = 0) {
  cuda::CpuDevice device(seed);
  cuda::LocalWire wire(device, plan.forward.size());
  std::vector<AttentionInput<float>> shards;
  std::vector<cuda::DeviceCommunicator*> ranks;
  for (int r = 0; r < plan.forward.size(); ++r) {
    shards.push_back(shard_of<float>(c, inputs, r));
    ranks.push_back(&wire.rank(r));
  }
  return cuda::run_device_attention(plan, std::move(shards), ranks, options);
}

/// Full attention in float64 on the numbers that the device sees, and its gradient.
inline Judge device_judge(const Case& c, Inputs inputs, cuda::DataType type) {
  const auto seen = [&](const Tensor<double>& x, const Positions& p, double base) {
    return cuda::as_on_device(x.cast<float>(), p, base, type).cast<double>();
  };
  const Positions queries = c.queries(), keys = c.sequence();
  inputs.query = seen(inputs.query, queries, c.rotary_base);
  inputs.key_value.keys = seen(inputs.key_value.keys, keys, c.rotary_base);
  inputs.key_value.values = seen(inputs.key_value.values, keys, 0);
  inputs.output_gradient = seen(inputs.output_gradient, queries, 0);
  Case rotated = c;
  rotated.rotary_base = 0;
  Judge right = judge(rotated, std::move(inputs));
  rotate(right.gradients.query, queries, c.rotary_base, true);
  rotate(right.gradients.key_value.keys, keys, c.rotary_base, true);
  return right;
}

}  // namespace ringlab::test

// One distributed attention on devices, from inputs to results: the twin of
// reference/execute/attention.hpp, for the ranks that this thread drives.
#pragma once

#include "ringlab/cuda/execute/program.hpp"
#include "ringlab/reference/execute/attention.hpp"

namespace ringlab::cuda {

/// The plan's kernel is for the CPU executor; options name that of the device. Inputs are given in
/// float32 and rounded to the device's type after rotary, element i for ranks[i]; so are the
/// outputs. Throws as run_programs.
std::vector<AttentionOutput<float>> run_device_attention(
    const AttentionPlan& plan, std::vector<AttentionInput<float>> inputs,
    const std::vector<DeviceCommunicator*>& ranks, const DeviceOptions& options);

/// What the device sees of a float32 tensor: rotated, then rounded to the type. A judge that starts
/// from these numbers judges the arithmetic and not the rounding of the inputs.
Tensor<float> as_on_device(Tensor<float> x, const Positions& positions, double rotary_base,
                           DataType type);

}  // namespace ringlab::cuda

// From the reference's types to the kernels': a rule and positions as plain numbers.
#pragma once

#include <vector>

#include "ringlab/cuda/kernels/kernels.hpp"
#include "ringlab/reference/attention/rule.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

/// The runs of `positions` as the device reads them; upload them and point TokenPlaces there.
std::vector<DeviceRun> device_runs(const Positions& positions);

MaskReach mask_reach(const Mask& mask);

/// Type, heads, scale, mask, cap and dropout of a slice of the rule's heads; the pointers and
/// places stay null. Slopes and sinks must be uploaded as float32 by the caller.
AttendArguments attend_arguments(const AttentionRule& rule, DataType type, int first_head,
                                 int heads, int first_kv_head, int kv_heads);

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

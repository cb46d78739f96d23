#include "ringlab/cuda/kernels/arguments.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

std::vector<DeviceRun> device_runs(const Positions& positions) {
  std::vector<DeviceRun> runs;
  Index start = 0;
  for (const Run& run : positions.runs()) {
    runs.push_back({run.first, run.stride, run.count, start, run.document});
    start += run.count;
  }
  return runs;
}

MaskReach mask_reach(const Mask& mask) {
  return {mask.reach_left(), mask.reach_right(), mask.prefix, mask.documents};
}

AttendArguments attend_arguments(const AttentionRule& rule, DataType type, int first_head,
                                 int heads, int first_kv_head, int kv_heads) {
  AttendArguments arguments;
  arguments.type = type;
  arguments.heads = heads;
  arguments.kv_heads = kv_heads;
  arguments.first_head = first_head;
  arguments.first_kv_head = first_kv_head;
  arguments.group = rule.group();
  arguments.head_dim = rule.head_dim;
  arguments.scale = static_cast<float>(rule.scale);
  arguments.mask = mask_reach(rule.mask);
  arguments.soft_cap = static_cast<float>(rule.soft_cap);
  arguments.dropout = rule.dropout.probability;
  return arguments;
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

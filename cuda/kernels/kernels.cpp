#include "ringlab/cuda/kernels/kernels.hpp"

#include <string>

#include "ringlab/cuda/kernels/rungs.hpp"
#include "ringlab/reference/core/error.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {
namespace {

bool nothing_to_do(const AttendArguments& a) {
  return a.query_places.tokens == 0 || a.key_places.tokens == 0;
}

bool aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

void check_aligned(const AttendArguments& a) {
  RINGLAB_ENSURE(aligned(a.query) && aligned(a.keys) && aligned(a.values),
                 "v3 reads tensors in pieces of 16 bytes");
}

}  // namespace

void check_supported(const AttendArguments& a, Rung rung) {
  const int dim = a.head_dim;
  if (dim != 32 && dim != 64 && dim != 80 && dim != 128 && dim != 256) {
    throw InputError("head_dim", std::to_string(dim),
                     "the CUDA kernels take 32, 64, 80, 128 or 256; run on the CPU for others");
  }
  if (a.dropout != 0) {
    throw InputError("dropout", std::to_string(a.dropout),
                     "the CUDA kernels have none; give 0, or run on the CPU");
  }
  if (rung == Rung::v3 && a.type == DataType::f32) {
    throw InputError("dtype", "f32", "kernel v3 takes f16 or bf16; use v2 for f32");
  }
  if (!(a.soft_cap >= 0)) {
    throw InputError("soft_cap", std::to_string(a.soft_cap), "give a positive number, or 0");
  }
  if (a.group < 1) throw InputError("group", std::to_string(a.group), "give 1 or more");
  if (a.heads < 1 || a.first_head < 0 || a.heads > 65535) {
    throw InputError("heads", std::to_string(a.heads), "give 1 to 65535 query heads");
  }
  const int first = a.first_head / a.group, last = (a.first_head + a.heads - 1) / a.group;
  if (first < a.first_kv_head || last >= a.first_kv_head + a.kv_heads) {
    throw InputError("kv_heads", std::to_string(a.kv_heads),
                     "the kv heads given must hold those that the query heads read");
  }
}

void attend_forward(const ForwardArguments& a, Rung rung, StreamHandle stream) {
  check_supported(a, rung);
  if (nothing_to_do(a)) return;
  if (rung == Rung::v1) return forward_v1(a, stream);
  if (rung == Rung::v2) return forward_v2(a, stream);
  check_aligned(a);
  return a.type == DataType::f16 ? forward_v3_f16(a, stream) : forward_v3_bf16(a, stream);
}

void attend_backward(const BackwardArguments& a, Rung rung, StreamHandle stream) {
  check_supported(a, rung);
  if (nothing_to_do(a)) return;
  if (rung == Rung::v1) return backward_v1(a, stream);
  if (rung == Rung::v2) return backward_v2(a, stream);
  check_aligned(a);
  RINGLAB_ENSURE(aligned(a.output_gradient), "v3 reads tensors in pieces of 16 bytes");
  return a.type == DataType::f16 ? backward_v3_f16(a, stream) : backward_v3_bf16(a, stream);
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

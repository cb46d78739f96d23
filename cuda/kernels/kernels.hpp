// The kernels as the host sees them: plain structures of device pointers, one function each.
//
// No CUDA type appears here, so any translation unit may include this. Everything is enqueued on
// `stream` and returns at once; arguments are copied, device memory must live until the stream has
// passed. Tensors are row-major [tokens, heads, head_dim]; q, k, v and dO are of `type`, everything
// that travels between hops (O, LSE, dQ, dK, dV) is float32; LSE is the natural logarithm.
//
//   rung   forward and backward                                    inputs
//   v1     naive: one thread a row, straight from global memory    f32, f16, bf16
//   v2     tiles in shared memory, online softmax, no spill to O   f32, f16, bf16
//   v3     tensor cores (mma.sync), cp.async double buffering           f16, bf16
//
// Next: arguments.hpp fills these structures from a reference rule and positions.
#pragma once

#include <cstdint>

#include "ringlab/cuda/runtime/side.hpp"
#include "ringlab/cuda/runtime/stream_handle.hpp"

namespace ringlab::cuda {

enum class DataType { f32, f16, bf16 };
enum class Rung { v1, v2, v3 };

/// The fastest rung that takes `type`: v3 for 16-bit inputs, v2 for float32.
constexpr Rung best_rung(DataType type) {
  return type == DataType::f32 ? Rung::v2 : Rung::v3;
}

constexpr int bytes_per_value(DataType type) {
  return type == DataType::f32 ? 4 : 2;
}

/// `count` tokens at first, first + stride, ..., of one document; `start` is the local index of the
/// first one, so that a token's run is found by bisection.
struct DeviceRun {
  std::int64_t first = 0, stride = 1, count = 0, start = 0;
  std::int32_t document = 0;
};

/// Where the tokens of a tile stand in the sequence.
struct TokenPlaces {
  const DeviceRun* runs = nullptr;  // device, [run_count], ascending in start, none empty
  std::int32_t run_count = 0;
  std::int64_t tokens = 0;
};

/// reference/sequence/mask.hpp in numbers: key k is visible to query q when the documents agree (if
/// they count) and k < prefix or -left <= k - q <= right. Causal: right = 0.
struct MaskReach {
  std::int64_t left = std::int64_t{1} << 61, right = std::int64_t{1} << 61, prefix = 0;
  bool documents = false;
};

/// What forward and backward have in common: a tile of queries, a block of keys, and the rule.
struct AttendArguments {
  DataType type = DataType::f32;
  const void* query = nullptr;   // device, [queries, heads, head_dim]
  const void* keys = nullptr;    // device, [keys, kv_heads, head_dim]
  const void* values = nullptr;  // device, [keys, kv_heads, head_dim]
  TokenPlaces query_places, key_places;

  int heads = 1, kv_heads = 1;            // in these tensors
  int first_head = 0, first_kv_head = 0;  // their place among the heads of the rule
  int group = 1;                          // query heads that share one kv head
  int head_dim = 64;                      // 32, 64, 80, 128 or 256
  float scale = 0.125F;
  MaskReach mask;
  float soft_cap = 0;                   // 0: none
  const float* alibi_slopes = nullptr;  // device, [query heads of the rule], or null
  double dropout = 0;                   // refused unless 0
};

struct ForwardArguments : AttendArguments {
  float* out = nullptr;  // device, [queries, heads, head_dim], normalised
  float* lse = nullptr;  // device, [queries, heads]
};

struct BackwardArguments : AttendArguments {
  const void* output_gradient = nullptr;  // device, of `type`, [queries, heads, head_dim]
  const float* lse = nullptr;             // device, [queries, heads], of the whole row
  const float* delta = nullptr;           // device, [queries, heads], see row_statistics
  float* query_gradient = nullptr;        // device, [queries, heads, head_dim]
  float* key_gradient = nullptr;          // device, [keys, kv_heads, head_dim]
  float* value_gradient = nullptr;        // device, [keys, kv_heads, head_dim]
};

// What both sides describe alike stands above; what is machine code, below.
inline namespace RINGLAB_CUDA_SIDE {

/// Throws InputError naming the first field that no kernel supports (head_dim, dropout, a rung that
/// does not take the type, heads that do not fit). Needs no device: call it before allocating.
void check_supported(const AttendArguments& arguments, Rung rung);

/// Folds the visible pairs into the running (out, lse); rows that see no key here keep their bits.
void attend_forward(const ForwardArguments& arguments, Rung rung, StreamHandle stream);

/// Adds the gradients of the visible pairs to dQ, dK and dV. No float atomics: the order of every
/// sum is fixed, so are its bits.
void attend_backward(const BackwardArguments& arguments, Rung rung, StreamHandle stream);

/// delta = rowsum(dO * O) - dLSE for `rows` = tokens * heads rows; dLSE [rows] may be null.
void row_statistics(const float* out, DataType type, const void* output_gradient,
                    const float* lse_gradient, float* delta, std::int64_t rows, int head_dim,
                    StreamHandle stream);

/// Adds each head's sink logit to finished rows, once; `sinks` is [query heads of the rule].
void apply_sinks(const float* sinks, int first_head, float* out, float* lse, std::int64_t tokens,
                 int heads, int head_dim, StreamHandle stream);

/// Folds the partial (from_out, from_lse) into (out, lse), row by row; identity (0, -inf).
void merge(const float* from_out, const float* from_lse, float* out, float* lse, std::int64_t rows,
           int head_dim, StreamHandle stream);

/// into += from.
void accumulate(const float* from, float* into, std::int64_t count, StreamHandle stream);

/// Every value becomes `value`; the identity partial is fill(out, 0), fill(lse, -inf).
void fill(float* into, float value, std::int64_t count, StreamHandle stream);

/// The same values in another type, rounded to nearest even: the 16-bit wire, both ways.
void convert(DataType from_type, const void* from, DataType into_type, void* into,
             std::int64_t count, StreamHandle stream);

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

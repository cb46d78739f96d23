// Everything that goes row by row or value by value: merge, sinks, delta, sums, conversions.
//
// All of it is bound by memory; one warp takes a row, so that its lanes read neighbouring values.
// The mathematics is reference/attention/partial.cpp.
#include "ringlab/cuda/kernels/elements.hpp"
#include "ringlab/cuda/kernels/score.hpp"
#include "ringlab/cuda/runtime/launch.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

constexpr int kRowThreads = 128, kRowsPerBlock = kRowThreads / 32;
constexpr int kValueThreads = 256;

__device__ inline std::int64_t row_of_warp() {
  return std::int64_t{blockIdx.x} * kRowsPerBlock + threadIdx.x / 32;
}
__device__ inline int lane_of_thread() {
  return static_cast<int>(threadIdx.x % 32);
}
__device__ inline std::int64_t value_of_thread() {
  return std::int64_t{blockIdx.x} * kValueThreads + threadIdx.x;
}

/// Weights of two partials in their sum, and the sum's lse. The larger is taken out first, so no
/// exponent is positive and an overflow cannot happen.
struct MergeWeights {
  float from, into, lse;
  __device__ MergeWeights(float from_lse, float into_lse) {
    const float largest = from_lse > into_lse ? from_lse : into_lse;
    const float x = expf(from_lse - largest), y = expf(into_lse - largest);
    from = x / (x + y);
    into = y / (x + y);
    lse = largest + logf(x + y);
  }
};

__global__ void merge_rows(const float* from_out, const float* from_lse, float* out, float* lse,
                           std::int64_t rows, int head_dim) {
  const std::int64_t row = row_of_warp();
  if (row >= rows) return;  // the whole warp
  const float added = from_lse[row], before = lse[row];
  if (added == -kInfinity) return;
  const float* source = from_out + row * head_dim;
  float* target = out + row * head_dim;
  const bool first = before == -kInfinity;
  const MergeWeights w(added, before);
  for (int d = lane_of_thread(); d < head_dim; d += 32) {
    target[d] = first ? source[d] : w.from * source[d] + w.into * target[d];
  }
  warp_sync();  // all lanes have read lse
  if (lane_of_thread() == 0) lse[row] = first ? added : w.lse;
}

__global__ void sink_rows(const float* sinks, int first_head, float* out, float* lse,
                          std::int64_t tokens, int heads, int head_dim) {
  const std::int64_t row = row_of_warp();
  if (row >= tokens * heads) return;
  const MergeWeights w(sinks[first_head + row % heads], lse[row]);
  for (int d = lane_of_thread(); d < head_dim; d += 32) out[row * head_dim + d] *= w.into;
  warp_sync();  // all lanes have read lse
  if (lane_of_thread() == 0) lse[row] = w.lse;
}

template <class T>
__global__ void statistic_rows(const float* out, const T* output_gradient,
                               const float* lse_gradient, float* delta, std::int64_t rows,
                               int head_dim) {
  const std::int64_t row = row_of_warp();
  if (row >= rows) return;
  double sum = 0;  // float64: delta is subtracted from sums of its own size
  for (int d = lane_of_thread(); d < head_dim; d += 32) {
    sum += static_cast<double>(out[row * head_dim + d]) *
           static_cast<double>(ptx::to_float(output_gradient[row * head_dim + d]));
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffU, sum, lanes);
  if (lse_gradient != nullptr) sum -= static_cast<double>(lse_gradient[row]);
  if (lane_of_thread() == 0) delta[row] = static_cast<float>(sum);
}

__global__ void accumulate_values(const float* from, float* into, std::int64_t count) {
  const std::int64_t i = value_of_thread();
  if (i < count) into[i] += from[i];
}

__global__ void fill_values(float* into, float value, std::int64_t count) {
  const std::int64_t i = value_of_thread();
  if (i < count) into[i] = value;
}

template <class To>
__global__ void convert_values(DataType from_type, const void* from, To* into, std::int64_t count) {
  const std::int64_t i = value_of_thread();
  if (i < count) into[i] = ptx::from_float<To>(load_element(from_type, from, i));
}

void row_statistics(const float* out, DataType type, const void* output_gradient,
                    const float* lse_gradient, float* delta, std::int64_t rows, int head_dim,
                    StreamHandle stream) {
  if (rows == 0) return;
  with_element(type, [&]<class T>() {
    launch(statistic_rows<T>, {blocks_for(rows, kRowsPerBlock), 1, 1}, {kRowThreads, 1, 1}, 0,
           stream, out, static_cast<const T*>(output_gradient), lse_gradient, delta, rows,
           head_dim);
  });
}

void apply_sinks(const float* sinks, int first_head, float* out, float* lse, std::int64_t tokens,
                 int heads, int head_dim, StreamHandle stream) {
  if (tokens * heads == 0) return;
  launch(sink_rows, {blocks_for(tokens * heads, kRowsPerBlock), 1, 1}, {kRowThreads, 1, 1}, 0,
         stream, sinks, first_head, out, lse, tokens, heads, head_dim);
}

void merge(const float* from_out, const float* from_lse, float* out, float* lse, std::int64_t rows,
           int head_dim, StreamHandle stream) {
  if (rows == 0) return;
  launch(merge_rows, {blocks_for(rows, kRowsPerBlock), 1, 1}, {kRowThreads, 1, 1}, 0, stream,
         from_out, from_lse, out, lse, rows, head_dim);
}

void accumulate(const float* from, float* into, std::int64_t count, StreamHandle stream) {
  if (count == 0) return;
  launch(accumulate_values, {blocks_for(count, kValueThreads), 1, 1}, {kValueThreads, 1, 1}, 0,
         stream, from, into, count);
}

void fill(float* into, float value, std::int64_t count, StreamHandle stream) {
  if (count == 0) return;
  launch(fill_values, {blocks_for(count, kValueThreads), 1, 1}, {kValueThreads, 1, 1}, 0, stream,
         into, value, count);
}

void convert(DataType from_type, const void* from, DataType into_type, void* into,
             std::int64_t count, StreamHandle stream) {
  if (count == 0) return;
  with_element(into_type, [&]<class To>() {
    launch(convert_values<To>, {blocks_for(count, kValueThreads), 1, 1}, {kValueThreads, 1, 1}, 0,
           stream, from_type, from, static_cast<To*>(into), count);
  });
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda

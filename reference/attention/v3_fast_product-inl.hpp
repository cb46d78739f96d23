// The one matrix product behind all seven of the kernel, per SIMD target.
//
// C += A B with C in blocks of 6 rows x up to 4 vectors that stay in registers: 24 accumulators on
// AVX-512 (32 registers), 12 on AVX2 (16). FMA has a latency of 4 at two a cycle, so 8 chains are
// enough; what the shape buys is loads: 10 a step for 24 FMAs. A is read by broadcasts, hence at
// any pair of strides: P^T needs no transpose. B is read along rows and comes packed where it is
// not so.
#if defined(RINGLAB_V3_FAST_PRODUCT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef RINGLAB_V3_FAST_PRODUCT_INL
#undef RINGLAB_V3_FAST_PRODUCT_INL
#else
#define RINGLAB_V3_FAST_PRODUCT_INL
#endif

#include <hwy/highway.h>

#include "ringlab/reference/attention/v3_fast_tiles.hpp"

HWY_BEFORE_NAMESPACE();
namespace ringlab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Lanes = hn::ScalableTag<T>;

constexpr int kPanelVectors = HWY_TARGET <= HWY_AVX3 ? 4 : 2;

template <class T>
HWY_INLINE Index vector_lanes() {
  return static_cast<Index>(hn::Lanes(Lanes<T>()));
}
template <class T>
HWY_INLINE Index panel_width() {
  return kPanelVectors * vector_lanes<T>();
}

/// A matrix read element by element: element (row, k) is data[row * row_stride + k * step].
template <class T>
struct LeftOperand {
  const T* data;
  Index row_stride, step;
};

/// A matrix read a vector at a time: vector v of row k is data + k * row_stride + v *
/// vector_stride.
template <class T>
struct RightOperand {
  const T* data;
  Index row_stride, vector_stride;
};

enum class Store { overwrite, add };

template <int vectors, Store store, class T>
HWY_INLINE void multiply_block(LeftOperand<T> a, RightOperand<T> b, Index depth, T* HWY_RESTRICT c,
                               Index c_stride) {
  const Lanes<T> d;
  using V = hn::Vec<Lanes<T>>;
  const Index n = vector_lanes<T>();
  V sum[kRowBlock][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < kRowBlock; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sum[r][v] = hn::Zero(d);
  }
  const T* HWY_RESTRICT left = a.data;
  const T* HWY_RESTRICT right = b.data;
  for (Index k = 0; k < depth; ++k, left += a.step, right += b.row_stride) {
    V row[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) row[v] = hn::Load(d, right + v * n);
#pragma GCC unroll 8
    for (int r = 0; r < kRowBlock; ++r) {
      const V factor = hn::Set(d, left[r * a.row_stride]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] = hn::MulAdd(factor, row[v], sum[r][v]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRowBlock; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      T* to = c + r * c_stride + v * n;
      hn::Store(store == Store::add ? hn::Add(hn::Load(d, to), sum[r][v]) : sum[r][v], d, to);
    }
  }
}

// A chain sums at most this many products before it is added to C. A chain of n roundings is off by
// about n / sqrt(2) of one: with 192 keys in one chain O is 4.7e-7 off float64 (1000 tokens,
// head_dim 128), with 48 2.4e-7, with 32 2.2e-7 at 2 % of the speed. A panel that deep (12 KiB)
// also stays in the first-level cache.
constexpr Index kDepth = 48;

template <int vectors, Store store, class T>
HWY_NOINLINE void multiply_column(LeftOperand<T> a, RightOperand<T> b, Index depth, T* c,
                                  Index c_stride, Index rows) {
  for (Index r = 0; r < rows; r += kRowBlock) {
    multiply_block<vectors, store>(a, b, depth, c + r * c_stride, c_stride);
    a.data += kRowBlock * a.row_stride;
  }
}

template <int vectors, Store store, class T>
HWY_INLINE void multiply_chunks(LeftOperand<T> a, RightOperand<T> b, Index depth, T* c,
                                Index c_stride, Index rows) {
  Index chunks = (depth + kDepth - 1) / kDepth;
  Index chunk = (depth + chunks - 1) / chunks;
  multiply_column<vectors, store>(a, b, chunk, c, c_stride, rows);
  while (--chunks > 0) {
    a.data += chunk * a.step;
    b.data += chunk * b.row_stride;
    depth -= chunk;
    chunk = (depth + chunks - 1) / chunks;
    multiply_column<vectors, Store::add>(a, b, chunk, c, c_stride, rows);
  }
}

/// C (+)= A B for `rows` rows, rounded up to whole row blocks, and `vectors` vectors of columns.
/// Leftover columns are spread evenly (5 vectors go as 3 + 2): a lone one would be bound by
/// latency.
template <Store store, class T>
HWY_INLINE void multiply(LeftOperand<T> a, RightOperand<T> b, Index depth, T* c, Index c_stride,
                         Index rows, Index vectors) {
  for (Index columns = (vectors + kPanelVectors - 1) / kPanelVectors; columns > 0; --columns) {
    const Index width = (vectors + columns - 1) / columns;
    if constexpr (kPanelVectors == 4) {
      if (width == 4) multiply_chunks<4, store>(a, b, depth, c, c_stride, rows);
      if (width == 3) multiply_chunks<3, store>(a, b, depth, c, c_stride, rows);
    }
    if (width == 2) multiply_chunks<2, store>(a, b, depth, c, c_stride, rows);
    if (width == 1) multiply_chunks<1, store>(a, b, depth, c, c_stride, rows);
    vectors -= width;
    b.data += width * b.vector_stride;
    c += width * vector_lanes<T>();
  }
}

/// Rows of one head, [tokens, padded_dim], times `factor`; the padding is 0.
template <class T>
HWY_NOINLINE void pack_rows(const T* from, Index token_stride, Index tokens, Index head_dim,
                            T factor, Index padded_dim, T* HWY_RESTRICT to) {
  for (Index i = 0; i < tokens; ++i, from += token_stride, to += padded_dim) {
    for (Index x = 0; x < head_dim; ++x) to[x] = factor * from[x];
    for (Index x = head_dim; x < padded_dim; ++x) to[x] = T(0);
  }
}

/// The transpose of one head in panels of panel_width tokens: [panels, head_dim, panel_width].
template <class T>
HWY_NOINLINE void pack_panels(const T* from, Index token_stride, Index tokens, Index head_dim,
                              T* HWY_RESTRICT to) {
  const Index width = panel_width<T>();
  for (Index first = 0; first < tokens; first += width, to += head_dim * width) {
    const Index count = std::min<Index>(width, tokens - first);
    for (Index x = 0; x < head_dim; ++x) {
      const T* column = from + first * token_stride + x;
      for (Index j = 0; j < count; ++j) to[x * width + j] = column[j * token_stride];
      for (Index j = count; j < width; ++j) to[x * width + j] = T(0);
    }
  }
}

/// True unless a value is NaN or infinite: x * 0 is 0 for all others.
template <class T>
HWY_NOINLINE bool all_finite(const T* values, Index size) {
  const Lanes<T> d;
  const Index n = vector_lanes<T>();
  auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
  Index i = 0;
  for (; i + 4 * n <= size; i += 4 * n) {
    a = hn::MulAdd(hn::LoadU(d, values + i), hn::Zero(d), a);
    b = hn::MulAdd(hn::LoadU(d, values + i + n), hn::Zero(d), b);
    c = hn::MulAdd(hn::LoadU(d, values + i + 2 * n), hn::Zero(d), c);
    e = hn::MulAdd(hn::LoadU(d, values + i + 3 * n), hn::Zero(d), e);
  }
  T rest = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
  for (; i < size; ++i) rest += values[i] * T(0);
  return rest == T(0);
}

}  // namespace ringlab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

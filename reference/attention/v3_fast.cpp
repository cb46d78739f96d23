// v3: blockwise attention in SIMD, on what a CPU core has: vectors, registers, caches.
//
// The same loop as v2, with three ideas added. Matrix products run in register blocks over packed
// operands (v3_fast_product-inl.hpp). Sub-tiles are known to be empty or full from bounds of
// positions, and only the rest is masked, by comparing positions (v3_fast_tiles.hpp). exp is a
// polynomial (v3_fast_math-inl.hpp). Highway compiles the kernel once for each instruction set and
// picks the best the machine has at run time. Next: v3_fast_forward-inl.hpp,
// v3_fast_backward-inl.hpp.
//
// Products add 0 * x for hidden pairs, which is 0 for finite x only. So inputs are scanned, and a
// call that holds a NaN or an infinity goes to v2, which never touches a hidden pair.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ringlab/reference/attention/v3_fast.cpp"
// Baseline, AVX2 and AVX-512: what lies between them gains nothing here and costs build time.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ringlab/reference/attention/rungs.hpp"
#include "ringlab/reference/attention/v3_fast_backward-inl.hpp"
#include "ringlab/reference/attention/v3_fast_forward-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ringlab::HWY_NAMESPACE {

Index panel_width_float() {
  return panel_width<float>();
}
Index panel_width_double() {
  return panel_width<double>();
}

bool finite_float(const float* values, Index size) {
  return all_finite(values, size);
}
bool finite_double(const double* values, Index size) {
  return all_finite(values, size);
}

void forward_float(const AttentionRule& rule, const QueryTile<float>& query,
                   const KeyValueTile<float>& block, const TileMap<std::int32_t>& map,
                   Partial<float>& into) {
  ForwardPass<float>(rule, query, block, map, into).run();
}
void forward_double(const AttentionRule& rule, const QueryTile<double>& query,
                    const KeyValueTile<double>& block, const TileMap<std::int64_t>& map,
                    Partial<double>& into) {
  ForwardPass<double>(rule, query, block, map, into).run();
}

void backward_float(const AttentionRule& rule, const QueryTile<float>& query,
                    const Tensor<float>& output_gradient, const RowStatistics<float>& statistics,
                    const KeyValueTile<float>& block, const TileMap<std::int32_t>& map,
                    Tensor<float>& query_gradient, KeyValue<float>& block_gradient) {
  BackwardPass<float>(rule, query, output_gradient, statistics, block, map, query_gradient,
                      block_gradient)
      .run();
}
void backward_double(const AttentionRule& rule, const QueryTile<double>& query,
                     const Tensor<double>& output_gradient, const RowStatistics<double>& statistics,
                     const KeyValueTile<double>& block, const TileMap<std::int64_t>& map,
                     Tensor<double>& query_gradient, KeyValue<double>& block_gradient) {
  BackwardPass<double>(rule, query, output_gradient, statistics, block, map, query_gradient,
                       block_gradient)
      .run();
}

}  // namespace ringlab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ringlab {
namespace {

HWY_EXPORT(panel_width_float);
HWY_EXPORT(panel_width_double);
HWY_EXPORT(finite_float);
HWY_EXPORT(finite_double);
HWY_EXPORT(forward_float);
HWY_EXPORT(forward_double);
HWY_EXPORT(backward_float);
HWY_EXPORT(backward_double);

/// The functions of this machine's best target, by precision.
template <class T>
struct Target;
template <>
struct Target<float> {
  using Map = TileMap<std::int32_t>;
  static Index panel_width() { return HWY_DYNAMIC_DISPATCH(panel_width_float)(); }
  static bool finite(const float* values, Index size) {
    return HWY_DYNAMIC_DISPATCH(finite_float)(values, size);
  }
  template <class... Arguments>
  static void forward(Arguments&&... arguments) {
    HWY_DYNAMIC_DISPATCH(forward_float)(arguments...);
  }
  template <class... Arguments>
  static void backward(Arguments&&... arguments) {
    HWY_DYNAMIC_DISPATCH(backward_float)(arguments...);
  }
};
template <>
struct Target<double> {
  using Map = TileMap<std::int64_t>;
  static Index panel_width() { return HWY_DYNAMIC_DISPATCH(panel_width_double)(); }
  static bool finite(const double* values, Index size) {
    return HWY_DYNAMIC_DISPATCH(finite_double)(values, size);
  }
  template <class... Arguments>
  static void forward(Arguments&&... arguments) {
    HWY_DYNAMIC_DISPATCH(forward_double)(arguments...);
  }
  template <class... Arguments>
  static void backward(Arguments&&... arguments) {
    HWY_DYNAMIC_DISPATCH(backward_double)(arguments...);
  }
};

template <class T>
bool finite(const Tensor<T>& tensor) {
  return Target<T>::finite(tensor.data(), tensor.size());
}

/// Row statistics: finite, or -inf for a row that sees nothing.
template <class T>
bool usable(const Tensor<T>& log_sum_exp) {
  return std::none_of(log_sum_exp.data(), log_sum_exp.data() + log_sum_exp.size(),
                      [](T x) { return std::isnan(x) || x == std::numeric_limits<T>::infinity(); });
}

template <class T>
bool nothing_to_do(const QueryTile<T>& query, const KeyValueTile<T>& block) {
  return query.values.tokens() == 0 || query.values.heads() == 0 || block.block.keys.tokens() == 0;
}

}  // namespace

namespace rung::v3_fast {

template <class T>
void attend(const AttentionRule& rule, const QueryTile<T>& query, const KeyValueTile<T>& block,
            Partial<T>& into) {
  if (nothing_to_do(query, block)) return;
  const typename Target<T>::Map map(rule.mask, query.positions, block.positions,
                                    Target<T>::panel_width());
  if (!map.fits || !finite(query.values) || !finite(block.block.keys) ||
      !finite(block.block.values) || !finite(into.out) || !usable(into.lse)) {
    return v2_blockwise::attend(rule, query, block, into);
  }
  Target<T>::forward(rule, query, block, map, into);
}

template <class T>
void attend_backward(const AttentionRule& rule, const QueryTile<T>& query,
                     const Tensor<T>& output_gradient, const RowStatistics<T>& statistics,
                     const KeyValueTile<T>& block, Tensor<T>& query_gradient,
                     KeyValue<T>& block_gradient) {
  if (nothing_to_do(query, block)) return;
  const typename Target<T>::Map map(rule.mask, query.positions, block.positions,
                                    Target<T>::panel_width());
  if (!map.fits || !finite(query.values) || !finite(block.block.keys) ||
      !finite(block.block.values) || !finite(output_gradient) || !finite(statistics.delta) ||
      !usable(statistics.lse)) {
    return v2_blockwise::attend_backward(rule, query, output_gradient, statistics, block,
                                         query_gradient, block_gradient);
  }
  Target<T>::backward(rule, query, output_gradient, statistics, block, map, query_gradient,
                      block_gradient);
}

RINGLAB_INSTANTIATE_RUNG(float)
RINGLAB_INSTANTIATE_RUNG(double)

}  // namespace rung::v3_fast
}  // namespace ringlab
#endif

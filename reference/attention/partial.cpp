#include "ringlab/reference/attention/partial.hpp"

#include <cmath>
#include <limits>

namespace ringlab {
namespace {

// Weights of two partials in their sum, and the sum's lse. The larger lse is taken out first, so no
// exponent is positive and an overflow cannot happen (known mistake C9: exp(b - a) with b - a =
// 89).
template <class T>
struct MergeWeights {
  T from, into, lse;
};

template <class T>
MergeWeights<T> merge_weights(T from, T into) {
  const T largest = from > into ? from : into;
  const T a = std::exp(from - largest), b = std::exp(into - largest);
  return {a / (a + b), b / (a + b), largest + std::log(a + b)};
}

}  // namespace

template <class T>
Partial<T> identity_partial(Index tokens, Index heads, Index head_dim) {
  return {Tensor<T>(tokens, heads, head_dim),
          Tensor<T>(tokens, heads, 1, -std::numeric_limits<T>::infinity())};
}

template <class T>
void merge(const Partial<T>& from, Partial<T>& into) {
  RINGLAB_ENSURE(from.out.same_shape(into.out) && from.lse.same_shape(into.lse),
                 "partials that merge have one shape");
  const T nothing = -std::numeric_limits<T>::infinity();
  for (Index i = 0; i < into.lse.size(); ++i) {
    const Index dim = into.out.head_dim();
    const T* source = from.out.data() + i * dim;
    T* target = into.out.data() + i * dim;
    const T added = from.lse.data()[i];
    T& lse = into.lse.data()[i];
    if (added == nothing) continue;
    if (lse == nothing) {
      std::copy(source, source + dim, target);
      lse = added;
      continue;
    }
    const MergeWeights<T> w = merge_weights(added, lse);
    for (Index d = 0; d < dim; ++d) target[d] = w.from * source[d] + w.into * target[d];
    lse = w.lse;
  }
}

template <class T>
void apply_sinks(const AttentionRule& rule, int first_head, Partial<T>& finished) {
  if (rule.sinks.empty()) return;
  for (Index i = 0; i < finished.lse.tokens(); ++i) {
    for (Index h = 0; h < finished.lse.heads(); ++h) {
      const T sink = static_cast<T>(rule.sinks[static_cast<std::size_t>(first_head + h)]);
      T& lse = finished.lse(i, h, 0);
      // The sink is a key whose value is zero: it takes weight and gives nothing.
      const MergeWeights<T> w = merge_weights(sink, lse);
      T* out = finished.out.row(i, h);
      for (Index d = 0; d < finished.out.head_dim(); ++d) out[d] *= w.into;
      lse = w.lse;
    }
  }
}

template <class T>
RowStatistics<T> row_statistics(const Partial<T>& finished, const Tensor<T>& output_gradient,
                                const Tensor<T>& lse_gradient) {
  RINGLAB_ENSURE(finished.out.same_shape(output_gradient), "dO has the shape of O");
  RowStatistics<T> statistics{finished.lse,
                              Tensor<T>(finished.lse.tokens(), finished.lse.heads(), 1)};
  for (Index i = 0; i < statistics.delta.size(); ++i) {
    const Index dim = finished.out.head_dim();
    const T* out = finished.out.data() + i * dim;
    const T* gradient = output_gradient.data() + i * dim;
    double delta = 0;  // float64: delta is subtracted from sums of its own size
    for (Index d = 0; d < dim; ++d) delta += static_cast<double>(out[d]) * gradient[d];
    if (lse_gradient.size() > 0) delta -= static_cast<double>(lse_gradient.data()[i]);
    statistics.delta.data()[i] = static_cast<T>(delta);
  }
  return statistics;
}

#define RINGLAB_INSTANTIATE(T)                                                     \
  template Partial<T> identity_partial<T>(Index, Index, Index);                    \
  template void merge<T>(const Partial<T>&, Partial<T>&);                          \
  template void apply_sinks<T>(const AttentionRule&, int, Partial<T>&);            \
  template RowStatistics<T> row_statistics<T>(const Partial<T>&, const Tensor<T>&, \
                                              const Tensor<T>&);
RINGLAB_INSTANTIATE(float)
RINGLAB_INSTANTIATE(double)
#undef RINGLAB_INSTANTIATE

}  // namespace ringlab

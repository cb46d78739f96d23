#include "ringlab/reference/attention/full.hpp"

#include <cmath>

namespace ringlab {

template <class T>
Partial<T> full_attention(const AttentionRule& rule, const Tensor<T>& query,
                          const Positions& query_positions, const KeyValue<T>& key_value,
                          const Positions& key_positions, AttendKernel kernel) {
  Partial<T> result = identity_partial<T>(query.tokens(), query.heads(), query.head_dim());
  attend(rule, QueryTile<T>{query, query_positions}, KeyValueTile<T>{key_value, key_positions},
         result, kernel);
  apply_sinks(rule, 0, result);
  return result;
}

template <class T>
Gradients<T> full_attention_backward(const AttentionRule& rule, const Tensor<T>& query,
                                     const Positions& query_positions, const KeyValue<T>& key_value,
                                     const Positions& key_positions, const Partial<T>& finished,
                                     const Tensor<T>& output_gradient,
                                     const Tensor<T>& lse_gradient, AttendKernel kernel) {
  const Tensor<T>& keys = key_value.keys;
  const Tensor<T> nothing(keys.tokens(), keys.heads(), keys.head_dim());
  Gradients<T> gradients{
      Tensor<T>(query.tokens(), query.heads(), query.head_dim()), {nothing, nothing}, {}};
  const RowStatistics<T> statistics = row_statistics(finished, output_gradient, lse_gradient);
  attend_backward(rule, QueryTile<T>{query, query_positions}, output_gradient, statistics,
                  KeyValueTile<T>{key_value, key_positions}, gradients.query, gradients.key_value,
                  kernel);
  gradients.sinks = sink_gradient(rule, 0, statistics);
  return gradients;
}

template <class T>
std::vector<double> sink_gradient(const AttentionRule& rule, int first_head,
                                  const RowStatistics<T>& statistics) {
  if (rule.sinks.empty()) return {};
  std::vector<double> gradient(static_cast<std::size_t>(statistics.lse.heads()), 0.0);
  for (Index h = 0; h < statistics.lse.heads(); ++h) {
    const double sink = rule.sinks[static_cast<std::size_t>(first_head + h)];
    for (Index i = 0; i < statistics.lse.tokens(); ++i) {
      const double weight = std::exp(sink - static_cast<double>(statistics.lse(i, h, 0)));
      gradient[static_cast<std::size_t>(h)] -=
          weight * static_cast<double>(statistics.delta(i, h, 0));
    }
  }
  return gradient;
}

#define RINGLAB_INSTANTIATE(T)                                                                    \
  template Partial<T> full_attention<T>(const AttentionRule&, const Tensor<T>&, const Positions&, \
                                        const KeyValue<T>&, const Positions&, AttendKernel);      \
  template Gradients<T> full_attention_backward<T>(                                               \
      const AttentionRule&, const Tensor<T>&, const Positions&, const KeyValue<T>&,               \
      const Positions&, const Partial<T>&, const Tensor<T>&, const Tensor<T>&, AttendKernel);     \
  template std::vector<double> sink_gradient<T>(const AttentionRule&, int, const RowStatistics<T>&);
RINGLAB_INSTANTIATE(float)
RINGLAB_INSTANTIATE(double)
#undef RINGLAB_INSTANTIATE

}  // namespace ringlab

// The whole attention on one machine, nothing split: what every distributed result is held against.
#pragma once

#include "ringlab/reference/attention/attend.hpp"

namespace ringlab {

template <class T>
struct Gradients {
  Tensor<T> query;            // [queries, query_heads, head_dim]
  KeyValue<T> key_value;      // [keys, kv_heads, head_dim] each
  std::vector<double> sinks;  // [query_heads], or empty without sinks
};

/// O and lse of the rule, rotary not applied (see rotary.hpp), sinks included.
/// `query` may be any rows of the sequence: their positions say which.
template <class T>
Partial<T> full_attention(const AttentionRule& rule, const Tensor<T>& query,
                          const Positions& query_positions, const KeyValue<T>& key_value,
                          const Positions& key_positions,
                          AttendKernel kernel = AttendKernel::v1_full);

/// The gradient of sum(O * output_gradient) + sum(lse * lse_gradient).
/// `finished` is the result of full_attention; `lse_gradient` is [queries, query_heads, 1] or
/// empty.
template <class T>
Gradients<T> full_attention_backward(const AttentionRule& rule, const Tensor<T>& query,
                                     const Positions& query_positions, const KeyValue<T>& key_value,
                                     const Positions& key_positions, const Partial<T>& finished,
                                     const Tensor<T>& output_gradient,
                                     const Tensor<T>& lse_gradient = {},
                                     AttendKernel kernel = AttendKernel::v1_full);

/// Gradient of the sink logits from finished rows: a sink is a key whose value is zero, so it gets
/// -sum over rows of exp(sink - lse) * delta. Empty without sinks; heads from `first_head` on.
template <class T>
std::vector<double> sink_gradient(const AttentionRule& rule, int first_head,
                                  const RowStatistics<T>& statistics);

}  // namespace ringlab

// The rungs behind attend() and attend_backward(); see attend.hpp for what they promise.
#pragma once

#include "ringlab/reference/attention/partial.hpp"

#define RINGLAB_DECLARE_RUNG(version)                                                             \
  namespace ringlab::rung::version {                                                              \
  template <class T>                                                                              \
  void attend(const AttentionRule& rule, const QueryTile<T>& query, const KeyValueTile<T>& block, \
              Partial<T>& into);                                                                  \
  template <class T>                                                                              \
  void attend_backward(const AttentionRule& rule, const QueryTile<T>& query,                      \
                       const Tensor<T>& output_gradient, const RowStatistics<T>& statistics,      \
                       const KeyValueTile<T>& block, Tensor<T>& query_gradient,                   \
                       KeyValue<T>& block_gradient);                                              \
  }

RINGLAB_DECLARE_RUNG(v1_full)
RINGLAB_DECLARE_RUNG(v2_blockwise)
RINGLAB_DECLARE_RUNG(v3_fast)

#undef RINGLAB_DECLARE_RUNG

/// Instantiates the rung of the namespace it stands in.
#define RINGLAB_INSTANTIATE_RUNG(T)                                                             \
  template void attend<T>(const AttentionRule&, const QueryTile<T>&, const KeyValueTile<T>&,    \
                          Partial<T>&);                                                         \
  template void attend_backward<T>(const AttentionRule&, const QueryTile<T>&, const Tensor<T>&, \
                                   const RowStatistics<T>&, const KeyValueTile<T>&, Tensor<T>&, \
                                   KeyValue<T>&);

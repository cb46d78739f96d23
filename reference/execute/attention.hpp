// One distributed attention from inputs to results, as each rank sees it: rotary at home, the
// forward schedule, sinks, and with gradients the backward schedule and the way back through
// rotary.
#pragma once

#include <memory>
#include <optional>

#include "ringlab/reference/execute/program.hpp"

namespace ringlab {

struct AttentionPlan {
  AttentionRule rule;
  double rotary_base = 0;  // 0: no rotary embedding
  Schedule forward;
  std::optional<Schedule> backward;
  AttendKernel kernel = AttendKernel::v3_fast;
  std::shared_ptr<const Arithmetic> arithmetic = {};  // null: the right one
};

/// A rank's shard, before rotary. `output_gradient` is empty for a forward run.
template <class T>
struct AttentionInput {
  Tensor<T> query;            // [queries, query_heads, head_dim]
  KeyValue<T> key_value;      // [keys, kv_heads, head_dim] each
  Tensor<T> output_gradient;  // shape of query
};

template <class T>
struct AttentionOutput {
  Partial<T> result;  // O and lse of the rank's queries
  Tensor<T> query_gradient;
  KeyValue<T> key_value_gradient;
  std::vector<double> sink_gradient;  // this rank's share; the sum over ranks is the gradient
  RunCounts forward, backward;
  std::vector<TraceEvent> events;
};

/// Runs the plan as communicator.rank(). Throws as run_program.
template <class T>
AttentionOutput<T> run_attention(const AttentionPlan& plan, AttentionInput<T> input,
                                 Communicator& communicator, const TileObserver& observer = {});

/// Runs all ranks as threads of this process; element r is rank r's. `input_of(r)` is called on the
/// thread of rank r. Throws the first failure, after every thread has ended.
template <class T>
std::vector<AttentionOutput<T>> run_attention_threads(
    const AttentionPlan& plan, const std::function<AttentionInput<T>(int rank)>& input_of,
    const TransportOptions& transport = {}, const TileObserver& observer = {});

}  // namespace ringlab

#include "ringlab/reference/execute/attention.hpp"

#include "ringlab/reference/attention/full.hpp"
#include "ringlab/reference/attention/rotary.hpp"
#include "ringlab/reference/transport/threads.hpp"

namespace ringlab {
namespace {

template <class T>
void append(std::vector<TraceEvent>& events, ProgramResult<T>& program) {
  events.insert(events.end(), program.events.begin(), program.events.end());
}

}  // namespace

template <class T>
AttentionOutput<T> run_attention(const AttentionPlan& plan, AttentionInput<T> input,
                                 Communicator& communicator, const TileObserver& observer) {
  const auto rank = static_cast<std::size_t>(communicator.rank());
  const auto turned_by = [&](const Positions& shard) {
    return plan.arithmetic ? plan.arithmetic->rotary_positions(shard) : shard;
  };
  const Positions queries = turned_by(plan.forward.query_layout[rank]);
  const Positions keys = turned_by(plan.forward.key_layout[rank]);
  rotate(input.query, queries, plan.rotary_base);
  rotate(input.key_value.keys, keys, plan.rotary_base);

  const ProgramOptions options{plan.kernel, observer, plan.arithmetic.get()};
  AttentionOutput<T> output;
  ProgramInputs<T> inputs;
  inputs[Quantity::query] = std::move(input.query);
  inputs[Quantity::key_value] = std::move(input.key_value);
  ProgramInputs<T> again;
  if (plan.backward) again = inputs;

  ProgramResult<T> forward =
      run_program<T>(plan.forward, plan.rule, std::move(inputs), communicator, options);
  output.result = std::get<Partial<T>>(std::move(forward.partial));
  apply_sinks(plan.rule, 0, output.result);
  output.forward = forward.counts;
  append(output.events, forward);
  if (!plan.backward) return output;

  RowStatistics<T> statistics = row_statistics(output.result, input.output_gradient);
  output.sink_gradient = sink_gradient(plan.rule, 0, statistics);
  again[Quantity::output_gradient] = std::move(input.output_gradient);
  again[Quantity::row_statistics] = std::move(statistics);
  ProgramResult<T> backward =
      run_program<T>(*plan.backward, plan.rule, std::move(again), communicator, options);
  output.query_gradient = std::get<Tensor<T>>(std::move(backward.query_gradient));
  output.key_value_gradient = std::get<KeyValue<T>>(std::move(backward.key_value_gradient));
  rotate(output.query_gradient, queries, plan.rotary_base, true);
  rotate(output.key_value_gradient.keys, keys, plan.rotary_base, true);
  output.backward = backward.counts;
  append(output.events, backward);
  return output;
}

template <class T>
std::vector<AttentionOutput<T>> run_attention_threads(
    const AttentionPlan& plan, const std::function<AttentionInput<T>(int rank)>& input_of,
    const TransportOptions& transport, const TileObserver& observer) {
  std::vector<AttentionOutput<T>> outputs(plan.forward.ranks.size());
  run_ranks(plan.forward.size(), transport, [&](Communicator& communicator) {
    const int rank = communicator.rank();
    AttentionInput<T> input = input_of(rank);
    communicator.barrier();  // so that a trace begins when everybody is ready
    outputs[static_cast<std::size_t>(rank)] =
        run_attention<T>(plan, std::move(input), communicator, observer);
  });
  return outputs;
}

#define RINGLAB_INSTANTIATE(T)                                                                     \
  template AttentionOutput<T> run_attention<T>(const AttentionPlan&, AttentionInput<T>,            \
                                               Communicator&, const TileObserver&);                \
  template std::vector<AttentionOutput<T>> run_attention_threads<T>(                               \
      const AttentionPlan&, const std::function<AttentionInput<T>(int)>&, const TransportOptions&, \
      const TileObserver&);
RINGLAB_INSTANTIATE(float)
RINGLAB_INSTANTIATE(double)
#undef RINGLAB_INSTANTIATE

}  // namespace ringlab

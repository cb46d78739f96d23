#include "ringlab/reference/execute/gather.hpp"

#include "ringlab/reference/trace/chrome.hpp"

namespace ringlab {
namespace {

// What does not fit into tensors, as plain numbers.
struct Figures {
  RunCounts forward, backward;
  Index trace_bytes = 0;
};

template <class X>
std::span<const std::byte> bytes_of_object(const X& x) {
  return std::as_bytes(std::span<const X>(&x, 1));
}
template <class X>
std::span<std::byte> writable_bytes_of_object(X& x) {
  return std::as_writable_bytes(std::span<X>(&x, 1));
}

template <class T>
std::vector<Tensor<T>*> tensors_of(AttentionOutput<T>& output) {
  return {&output.result.out, &output.result.lse, &output.query_gradient,
          &output.key_value_gradient.keys, &output.key_value_gradient.values};
}

// The shapes in which a rank's output will arrive.
template <class T>
AttentionOutput<T> empty_output(const AttentionPlan& plan, std::size_t rank) {
  const AttentionRule& rule = plan.rule;
  const Index queries = plan.forward.query_layout[rank].size();
  const Index keys = plan.forward.key_layout[rank].size();
  AttentionOutput<T> output;
  output.result = identity_partial<T>(queries, rule.query_heads, rule.head_dim);
  if (plan.backward) {
    const Tensor<T> gradient(keys, rule.kv_heads, rule.head_dim);
    output.query_gradient = output.result.out;
    output.key_value_gradient = {gradient, gradient};
    output.sink_gradient.assign(rule.sinks.size(), 0.0);
  }
  return output;
}

template <class T>
void send_output(AttentionOutput<T>& output, Communicator& communicator) {
  const std::string trace = to_chrome_json({output.events, {}});
  const Figures figures{output.forward, output.backward, static_cast<Index>(trace.size())};
  Send send{
      0, {bytes_of_object(figures), std::as_bytes(std::span(output.sink_gradient))}, "figures"};
  for (const Tensor<T>* tensor : tensors_of(output)) {
    send.parts.push_back(std::as_bytes(
        std::span<const T>(tensor->data(), static_cast<std::size_t>(tensor->size()))));
  }
  communicator.wait(communicator.begin(0, {std::move(send)}, {}));
  communicator.wait(communicator.begin(
      0, {{0, {std::as_bytes(std::span(trace.data(), trace.size()))}, "trace"}}, {}));
}

template <class T>
AttentionOutput<T> receive_output(const AttentionPlan& plan, int rank, Communicator& communicator) {
  AttentionOutput<T> output = empty_output<T>(plan, static_cast<std::size_t>(rank));
  Figures figures;
  Receive receive{
      rank,
      {writable_bytes_of_object(figures), std::as_writable_bytes(std::span(output.sink_gradient))},
      "figures"};
  for (Tensor<T>* tensor : tensors_of(output)) {
    receive.parts.push_back(std::as_writable_bytes(
        std::span<T>(tensor->data(), static_cast<std::size_t>(tensor->size()))));
  }
  communicator.wait(communicator.begin(0, {}, {std::move(receive)}));
  std::string trace(static_cast<std::size_t>(figures.trace_bytes), '\0');
  communicator.wait(communicator.begin(
      0, {}, {{rank, {std::as_writable_bytes(std::span(trace.data(), trace.size()))}, "trace"}}));
  output.forward = figures.forward;
  output.backward = figures.backward;
  output.events = parse_chrome_json(trace, "trace of a rank").events;
  return output;
}

}  // namespace

template <class T>
std::optional<std::vector<AttentionOutput<T>>> gather_outputs(const AttentionPlan& plan,
                                                              AttentionOutput<T> own,
                                                              Communicator& communicator) {
  if (communicator.rank() != 0) {
    send_output(own, communicator);
    return std::nullopt;
  }
  std::vector<AttentionOutput<T>> outputs;
  outputs.push_back(std::move(own));
  for (int rank = 1; rank < communicator.size(); ++rank) {
    outputs.push_back(receive_output<T>(plan, rank, communicator));
  }
  return outputs;
}

template std::optional<std::vector<AttentionOutput<float>>> gather_outputs<float>(
    const AttentionPlan&, AttentionOutput<float>, Communicator&);
template std::optional<std::vector<AttentionOutput<double>>> gather_outputs<double>(
    const AttentionPlan&, AttentionOutput<double>, Communicator&);

}  // namespace ringlab

#include "ringlab/cuda/execute/attention.hpp"

#include "ringlab/cuda/execute/device_content.hpp"
#include "ringlab/cuda/runtime/device_buffer.hpp"
#include "ringlab/reference/attention/full.hpp"
#include "ringlab/reference/attention/rotary.hpp"

namespace ringlab::cuda {
namespace {

// Sinks and row statistics of one rank, with the device's kernels, outside of the schedule.
class RowFinisher {
 public:
  RowFinisher(const AttentionPlan& plan, DeviceCommunicator& rank, const DeviceOptions& options)
      : plan_(plan),
        schedule_(plan.forward),
        rank_(rank),
        type_(options.type),
        kernels_(options.kernels ? *options.kernels : kernels_of(rank.device())),
        stream_(rank.device(), "finishing rows") {}

  /// Applies the sinks to `result`; the statistics if there is a dO.
  RowStatistics<float> finish(Partial<float>& result, const Tensor<float>& output_gradient) {
    const Index rows = result.lse.size();
    if (rows == 0) return {result.lse, result.lse};
    const Content partial = own(Quantity::partial, result);
    const Content gradient = own(Quantity::output_gradient, result);
    const Content statistics = own(Quantity::row_statistics, result);
    Stored<float> values = result;
    const std::vector<std::byte> host = to_device_bytes(shape(partial), values);
    DeviceBuffer o = upload(host.data(), host.size());
    const std::size_t lse_at = shape(partial).parts[1].offset_bytes;
    apply_sinks(o, lse_at, result);
    values = download(o, partial);
    result = std::get<Partial<float>>(std::move(values));
    if (!plan_.backward) return {};

    values = output_gradient;
    const std::vector<std::byte> host_gradient = to_device_bytes(shape(gradient), values);
    DeviceBuffer d_out = upload(host_gradient.data(), host_gradient.size());
    DeviceBuffer both(rank_.device(), shape(statistics).bytes);  // lse, then delta
    const auto lse_bytes = static_cast<std::size_t>(rows) * sizeof(float);
    stream_.copy(CopyKind::on_device, both.data(), o.as<std::byte>(lse_at), lse_bytes);
    kernels_.row_statistics(o.as<float>(), type_, d_out.data(), nullptr, both.as<float>(lse_bytes),
                            rows, plan_.rule.head_dim, stream_.handle());
    return std::get<RowStatistics<float>>(download(both, statistics));
  }

 private:
  Content own(Quantity quantity, const Partial<float>& result) const {
    return {quantity,
            {{rank_.rank(), 0, result.lse.tokens()}},
            0,
            static_cast<int>(result.lse.heads())};
  }
  Shape shape(const Content& content) const { return shape_of(schedule_, content, type_); }

  DeviceBuffer upload(const void* host, std::size_t bytes) {
    DeviceBuffer buffer(rank_.device(), bytes);
    stream_.copy(CopyKind::to_device, buffer.data(), host, bytes);
    return buffer;
  }
  Stored<float> download(DeviceBuffer& buffer, const Content& content) {
    std::vector<std::byte> host(buffer.bytes());
    stream_.copy(CopyKind::to_host, host.data(), buffer.data(), host.size());
    rank_.synchronize(stream_);
    return from_device_bytes(schedule_, content, host);
  }
  void apply_sinks(DeviceBuffer& o, std::size_t lse_at, const Partial<float>& result) {
    if (plan_.rule.sinks.empty()) return;
    const std::vector<float> sinks(plan_.rule.sinks.begin(), plan_.rule.sinks.end());
    DeviceBuffer memory = upload(sinks.data(), sinks.size() * sizeof(float));
    kernels_.apply_sinks(memory.as<float>(), 0, o.as<float>(), o.as<float>(lse_at),
                         result.lse.tokens(), static_cast<int>(result.lse.heads()),
                         plan_.rule.head_dim, stream_.handle());
    rank_.synchronize(stream_);
  }

  const AttentionPlan& plan_;
  const Schedule& schedule_;
  DeviceCommunicator& rank_;
  DataType type_;
  const KernelSet& kernels_;
  Stream stream_;
};

void append(std::vector<TraceEvent>& events, const ProgramResult<float>& program) {
  events.insert(events.end(), program.events.begin(), program.events.end());
}

}  // namespace

Tensor<float> as_on_device(Tensor<float> x, const Positions& positions, double rotary_base,
                           DataType type) {
  rotate(x, positions, rotary_base);
  if (type == DataType::f32) return x;
  return tensor_from<float>(array_from(x, element_type_of(type)), "input");
}

std::vector<AttentionOutput<float>> run_device_attention(
    const AttentionPlan& plan, std::vector<AttentionInput<float>> inputs,
    const std::vector<DeviceCommunicator*>& ranks, const DeviceOptions& options) {
  const auto positions_of = [&](std::size_t i, const Layout& layout) -> const Positions& {
    return layout[static_cast<std::size_t>(ranks[i]->rank())];
  };
  std::vector<ProgramInputs<float>> starts(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    AttentionInput<float>& in = inputs[i];
    rotate(in.query, positions_of(i, plan.forward.query_layout), plan.rotary_base);
    rotate(in.key_value.keys, positions_of(i, plan.forward.key_layout), plan.rotary_base);
    starts[i][Quantity::query] = std::move(in.query);
    starts[i][Quantity::key_value] = std::move(in.key_value);
  }
  std::vector<ProgramResult<float>> forward =
      run_programs(plan.forward, plan.rule, starts, ranks, options);

  std::vector<AttentionOutput<float>> outputs(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    AttentionOutput<float>& output = outputs[i];
    output.result = std::get<Partial<float>>(std::move(forward[i].partial));
    output.forward = forward[i].counts;
    append(output.events, forward[i]);
    RowStatistics<float> statistics =
        RowFinisher(plan, *ranks[i], options).finish(output.result, inputs[i].output_gradient);
    if (!plan.backward) continue;
    output.sink_gradient = sink_gradient(plan.rule, 0, statistics);
    starts[i][Quantity::output_gradient] = std::move(inputs[i].output_gradient);
    starts[i][Quantity::row_statistics] = std::move(statistics);
  }
  if (!plan.backward) return outputs;

  std::vector<ProgramResult<float>> backward =
      run_programs(*plan.backward, plan.rule, std::move(starts), ranks, options);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    AttentionOutput<float>& output = outputs[i];
    output.query_gradient = std::get<Tensor<float>>(std::move(backward[i].query_gradient));
    output.key_value_gradient =
        std::get<KeyValue<float>>(std::move(backward[i].key_value_gradient));
    rotate(output.query_gradient, positions_of(i, plan.forward.query_layout), plan.rotary_base,
           true);
    rotate(output.key_value_gradient.keys, positions_of(i, plan.forward.key_layout),
           plan.rotary_base, true);
    output.backward = backward[i].counts;
    append(output.events, backward[i]);
  }
  return outputs;
}

}  // namespace ringlab::cuda

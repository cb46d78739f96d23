// `ringlab bench cuda`: each kernel and a ring on one GPU, against the device's own peak.
//
// Figures are FLOPs of visible pairs over the time between two events, the best of some repeats.
// --cudnn adds the share of cuDNN's fused attention, as cuda/cudnn_seconds.py measured it.
// With --device cpu_cuda the same code runs on CPU streams, to try the command out: its figures say
// nothing about any GPU.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "cli/command.hpp"
#include "ringlab/cuda/execute/attention.hpp"
#include "ringlab/cuda/execute/hop_overlap.hpp"
#include "ringlab/cuda/execute/program_memory.hpp"
#include "ringlab/cuda/kernels/arguments.hpp"
#include "ringlab/cuda/on_cpu/streams.hpp"
#include "ringlab/cuda/runtime/find_devices.hpp"
#include "ringlab/cuda/transport/local_wire.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/json.hpp"
#include "ringlab/reference/sequence/visible.hpp"
#include "ringlab/reference/session/session.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;
using cuda::DataType;
using cuda::Rung;

struct Options {
  Index tokens = 16384;
  int heads = 16, repeats = 5;
  std::string device = "cuda", cudnn;
  bool json = false;
};

// Seconds of cuDNN by kernel.
struct Yardstick {
  std::map<std::tuple<std::string, int, bool>, double> seconds;  // what, head_dim, causal

  std::optional<double> of(const std::string& what, int head_dim, bool causal) const {
    const auto found = seconds.find({what, head_dim, causal});
    return found == seconds.end() ? std::nullopt : std::optional(found->second);
  }
};

Yardstick read_yardstick(const Options& options) {
  Yardstick yardstick;
  if (options.cudnn.empty()) return yardstick;
  const auto wrong = [&](const std::string& field, const std::string& value,
                         const std::string& remedy) {
    throw InputError(options.cudnn + field, value, remedy);
  };
  const nlohmann::json file =
      detail::parse_json(read_file(options.cudnn, "cudnn", 1 << 20), options.cudnn);
  const std::string remedy = "give the output of cuda/cudnn_seconds.py";
  if (!file.is_object() || !file.contains("rows") || !file["rows"].is_array()) {
    wrong("", detail::brief(file), remedy);
  }
  for (const auto& [field, ours] :
       {std::pair<std::string, Index>{"tokens", options.tokens}, {"heads", options.heads}}) {
    const nlohmann::json value = file.value(field, nlohmann::json());
    if (value != ours) {
      wrong("." + field, detail::brief(value),
            fmt::format("measure cuDNN on {} {}, or bench with as many", ours, field));
    }
  }
  for (const nlohmann::json& row : file["rows"]) {
    try {
      const double seconds = row.at("seconds").get<double>();
      if (!(seconds > 0)) wrong(".rows.seconds", detail::brief(row.at("seconds")), "give a time");
      yardstick.seconds[{row.at("what").get<std::string>(), row.at("head_dim").get<int>(),
                         row.at("causal").get<bool>()}] = seconds;
    } catch (const nlohmann::json::exception&) {
      wrong(".rows", detail::brief(row), remedy);
    }
  }
  return yardstick;
}

const char* name(DataType type) {
  return type == DataType::f32 ? "float32" : type == DataType::f16 ? "float16" : "bfloat16";
}
const char* name(Rung rung) {
  return rung == Rung::v1 ? "v1" : rung == Rung::v2 ? "v2" : "v3";
}

struct Row {
  std::string what;
  Rung rung;
  DataType type;
  int head_dim;
  bool causal;
  double seconds, flops_per_second, peak;  // peak 0: not known
  std::optional<double> share_of_cudnn = {};
};

// One sequence against itself, all in one tile, with memory that only has to be there: the values
// are zeros, for the time does not depend on them.
class Tile {
 public:
  Tile(cuda::Device& device, const cuda::KernelSet& kernels, Index tokens, int heads, int head_dim,
       bool causal, DataType type)
      : kernels_(kernels), stream_(device, "bench"), tokens_(tokens) {
    rule_ = {.query_heads = heads,
             .kv_heads = heads,
             .head_dim = head_dim,
             .scale = default_scale(head_dim)};
    rule_.mask.causal = causal;
    const Positions sequence = Positions::contiguous(0, tokens);
    pairs_ = static_cast<double>(visible_pairs(rule_.mask, sequence, sequence)) * heads;
    const std::vector<cuda::DeviceRun> runs = cuda::device_runs(sequence);
    runs_ = add(runs.size() * sizeof(cuda::DeviceRun));
    stream_.copy(cuda::CopyKind::to_device, runs_, runs.data(),
                 runs.size() * sizeof(cuda::DeviceRun));
    const auto rows = static_cast<std::size_t>(tokens) * static_cast<std::size_t>(heads);
    const std::size_t values = rows * static_cast<std::size_t>(head_dim);
    const std::size_t input = values * static_cast<std::size_t>(cuda::bytes_per_value(type));
    const std::size_t wide = values * sizeof(float);
    cuda::AttendArguments common = cuda::attend_arguments(rule_, type, 0, heads, 0, heads);
    common.query = add(input);
    common.keys = add(input);
    common.values = add(input);
    common.query_places = common.key_places = {static_cast<cuda::DeviceRun*>(runs_),
                                               static_cast<std::int32_t>(runs.size()), tokens};
    static_cast<cuda::AttendArguments&>(forward_) = common;
    forward_.out = static_cast<float*>(add(wide));
    forward_.lse = static_cast<float*>(add(rows * sizeof(float)));
    static_cast<cuda::AttendArguments&>(backward_) = common;
    backward_.output_gradient = add(input);
    backward_.lse = forward_.lse;
    backward_.delta = static_cast<float*>(add(rows * sizeof(float)));
    backward_.query_gradient = static_cast<float*>(add(wide));
    backward_.key_gradient = static_cast<float*>(add(wide));
    backward_.value_gradient = static_cast<float*>(add(wide));
    stream_.synchronize();
  }

  Row measure(bool backward, Rung rung, int repeats) {
    double best = 1e300;
    for (int i = 0; i <= repeats; ++i) {  // the first one warms up
      cuda::Event begin(stream_.device()), end(stream_.device());
      stream_.record(begin);
      if (backward) {
        kernels_.attend_backward(backward_, rung, stream_.handle());
      } else {
        kernels_.attend_forward(forward_, rung, stream_.handle());
      }
      stream_.record(end);
      stream_.synchronize();
      if (i > 0) best = std::min(best, static_cast<double>(end.nanoseconds_since(begin)) * 1e-9);
    }
    const double flops = (backward ? 10.0 : 4.0) * rule_.head_dim * pairs_;
    return {backward ? "backward" : "forward",
            rung,
            forward_.type,
            rule_.head_dim,
            rule_.mask.causal,
            best,
            flops / best,
            0,
            {}};
  }

 private:
  void* add(std::size_t bytes) {
    memory_.emplace_back(stream_.device(), bytes);
    stream_.fill_bytes(memory_.back().data(), 0, bytes);
    return memory_.back().data();
  }

  const cuda::KernelSet& kernels_;
  cuda::Stream stream_;
  Index tokens_;
  AttentionRule rule_;
  double pairs_ = 0;
  void* runs_ = nullptr;
  std::vector<cuda::DeviceBuffer> memory_;
  cuda::ForwardArguments forward_;
  cuda::BackwardArguments backward_;
};

struct Ring {
  int ranks = 0;
  double seconds = 0, hidden = 1;
};

// All ranks on the one device, so that the whole time is work and not waiting: what a ring adds to
// one kernel over the same tokens.
Ring measure_ring(cuda::Device& device, const Options& options, int ranks) {
  Scenario scenario;
  scenario.tokens = options.tokens;
  scenario.heads = options.heads;
  scenario.head_dim = 128;
  scenario.ranks = ranks;
  scenario.mask.causal = true;
  const Session session = open_session(scenario);
  Ring ring{ranks, 1e300, 1};
  for (int i = 0; i < 2; ++i) {  // the first one warms up
    cuda::LocalWire wire(device, ranks);
    std::vector<AttentionInput<float>> inputs;
    std::vector<cuda::DeviceCommunicator*> ends;
    for (int r = 0; r < ranks; ++r) {
      inputs.push_back(session.shard<float>(r));
      ends.push_back(&wire.rank(r));
    }
    std::vector<TraceEvent> events;
    for (const auto& output : cuda::run_device_attention(session.plan, std::move(inputs), ends,
                                                         {.type = DataType::bf16})) {
      events.insert(events.end(), output.events.begin(), output.events.end());
    }
    std::int64_t first = INT64_MAX, last = INT64_MIN, transfer = 0, hidden = 0;
    for (const TraceEvent& event : events) {
      first = std::min(first, event.start_nanoseconds);
      last = std::max(last, event.end_nanoseconds);
    }
    for (const cuda::HopOverlap& hop : cuda::overlap_by_hop(events)) {
      transfer += hop.transfer_nanoseconds;
      hidden += hop.hidden_nanoseconds;
    }
    ring.seconds = static_cast<double>(last - first) * 1e-9;
    if (transfer > 0) ring.hidden = static_cast<double>(hidden) / static_cast<double>(transfer);
  }
  return ring;
}

std::vector<Row> measure_kernels(cuda::Device& device, const Options& options,
                                 const cuda::DeviceFigures& figures, const Yardstick& yardstick) {
  const cuda::KernelSet& kernels = cuda::kernels_of(device);
  std::vector<Row> rows;
  const auto add = [&](Tile& tile, bool backward, Rung rung, DataType type) {
    Row row = tile.measure(backward, rung, options.repeats);
    row.peak =
        type == DataType::f32 ? figures.float_flops_per_second : figures.tensor_flops_per_second;
    if (type == DataType::bf16) {
      if (const auto cudnn = yardstick.of(row.what, row.head_dim, row.causal)) {
        row.share_of_cudnn = *cudnn / row.seconds;
      }
    }
    rows.push_back(row);
  };
  for (const int head_dim : {64, 128}) {
    for (const bool causal : {false, true}) {
      Tile tile(device, kernels, options.tokens, options.heads, head_dim, causal, DataType::bf16);
      add(tile, false, Rung::v3, DataType::bf16);
      add(tile, true, Rung::v3, DataType::bf16);
    }
  }
  // The lower rungs of the ladder, on a sequence that they can manage.
  const Index few = std::min<Index>(options.tokens, 2048);
  Tile plain(device, kernels, few, options.heads, 64, false, DataType::f32);
  for (const Rung rung : {Rung::v1, Rung::v2}) {
    add(plain, false, rung, DataType::f32);
    add(plain, true, rung, DataType::f32);
  }
  return rows;
}

int print(const Options& options, const std::string& device, const std::vector<Row>& rows,
          const std::vector<Ring>& rings) {
  if (options.json) {
    Json kernels = Json::array(), ring_list = Json::array();
    for (const Row& r : rows) {
      kernels.push_back(
          {{"what", r.what},
           {"rung", name(r.rung)},
           {"dtype", name(r.type)},
           {"head_dim", r.head_dim},
           {"causal", r.causal},
           {"seconds", r.seconds},
           {"tflops", r.flops_per_second * 1e-12},
           {"share_of_peak", r.peak > 0 ? Json(r.flops_per_second / r.peak) : Json(nullptr)},
           {"share_of_cudnn", r.share_of_cudnn ? Json(*r.share_of_cudnn) : Json(nullptr)}});
    }
    for (const Ring& r : rings) {
      ring_list.push_back(
          {{"ranks", r.ranks}, {"seconds", r.seconds}, {"transfer_hidden", r.hidden}});
    }
    const Json json = {{"device", device},
                       {"tokens", options.tokens},
                       {"heads", options.heads},
                       {"kernels", kernels},
                       {"rings", ring_list}};
    fmt::print("{}\n", json.dump(1));
    return kGood;
  }
  fmt::print("{}, {} tokens, {} heads; FLOP of visible pairs (4 D forward, 10 D backward)\n\n",
             device, options.tokens, options.heads);
  fmt::print("  {:<10}{:<6}{:<10}{:>9}{:>9}{:>12}{:>10}{:>10}\n", "kernel", "rung", "dtype",
             "head_dim", "mask", "TFLOP/s", "of peak", "of cuDNN");
  for (const Row& r : rows) {
    const auto percent = [](std::optional<double> share) {
      return share ? fmt::format("{:.1f} %", 100 * *share) : std::string("?");
    };
    const std::string of_peak =
        percent(r.peak > 0 ? std::optional(r.flops_per_second / r.peak) : std::nullopt);
    fmt::print("  {:<10}{:<6}{:<10}{:>9}{:>9}{:>12.3f}{:>10}{:>10}\n", r.what, name(r.rung),
               name(r.type), r.head_dim, r.causal ? "causal" : "none", r.flops_per_second * 1e-12,
               of_peak, percent(r.share_of_cudnn));
  }
  for (const Ring& r : rings) {
    fmt::print("\n  a ring of {} on this one device: {:.3g} s, {:.0f} % of its transfer hidden\n",
               r.ranks, r.seconds, 100 * r.hidden);
  }
  return kGood;
}

int bench_cuda(const Options& options) {
  if (options.tokens < 16 || options.tokens > 1 << 22) {
    throw InputError("tokens", std::to_string(options.tokens), "give 16 to 4194304");
  }
  if (options.heads < 1 || options.heads > 1024) {
    throw InputError("heads", std::to_string(options.heads), "give 1 to 1024");
  }
  if (options.repeats < 1 || options.repeats > 1000) {
    throw InputError("repeats", std::to_string(options.repeats), "give 1 to 1000");
  }
  const Yardstick yardstick = read_yardstick(options);
  std::unique_ptr<cuda::Device> device;
  cuda::DeviceFigures figures;
  if (options.device == "cuda") {
    device = cuda::open_device(0);
    figures = cuda::device_figures(0);
  } else if (options.device == "cpu_cuda") {
    device = std::make_unique<cuda::CpuDevice>();
  } else {
    throw InputError("device", fmt::format("'{}'", options.device), "use cuda or cpu_cuda");
  }
  const std::vector<Row> rows = measure_kernels(*device, options, figures, yardstick);
  std::vector<Ring> rings;
  for (const int ranks : {1, 4}) rings.push_back(measure_ring(*device, options, ranks));
  return print(options, device->name(), rows, rings);
}

}  // namespace

void add_bench_cuda(CLI::App& bench, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      bench.add_subcommand("cuda", "The CUDA kernels and a ring on one GPU, against its peak");
  command->footer("Example:\n  ringlab bench cuda --tokens 16384 --json");
  command->add_option("--tokens", options->tokens, "Length of the sequence [16384]");
  command->add_option("--heads", options->heads, "Number of heads [16]");
  command->add_option("--repeats", options->repeats, "The best of so many [5]");
  command->add_option("--device", options->device,
                      "cuda; or cpu_cuda, to try the command out without a GPU [cuda]");
  command->add_option("--cudnn", options->cudnn,
                      "File of cuda/cudnn_seconds.py, for the share of cuDNN's rate");
  command->add_flag("--json", options->json, "One JSON object on standard output");
  command->callback([options, &action] { action = [options] { return bench_cuda(*options); }; });
}

}  // namespace ringlab::cli

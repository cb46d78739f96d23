// `ringlab run --device ...`: the CUDA program on CPU streams, on one GPU, or on a GPU for each
// rank.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>

#include "cli/run_options.hpp"
#include "ringlab/cuda/execute/attention.hpp"
#include "ringlab/cuda/execute/device_content.hpp"
#include "ringlab/cuda/on_cpu/streams.hpp"
#include "ringlab/cuda/runtime/find_devices.hpp"
#include "ringlab/cuda/transport/host_communicator.hpp"
#include "ringlab/cuda/transport/local_wire.hpp"
#include "ringlab/cuda/transport/nccl.hpp"
#include "ringlab/cuda/transport/rendezvous.hpp"
#include "ringlab/cuda/transport/ring_order.hpp"
#include "ringlab/reference/execute/gather.hpp"

namespace ringlab::cli {
namespace {

using Outputs = std::vector<AttentionOutput<float>>;

void refuse(const char* field, const std::string& value, const std::string& remedy) {
  throw InputError(field, value, remedy);
}

std::chrono::milliseconds timeout_of(const RunOptions& options) {
  return std::chrono::milliseconds(static_cast<long long>(options.timeout_seconds * 1000));
}

cuda::DeviceOptions device_options(const RunOptions& options, const Scenario& scenario) {
  cuda::DeviceOptions device;
  device.type = cuda::data_type_of(scenario.dtype);
  device.wire16 = options.wire16;
  return device;
}

// All ranks on one device, driven by this thread.
Outputs run_on_one(const Session& session, const RunOptions& options, cuda::Device& device) {
  const int size = session.plan.forward.size();
  cuda::LocalWire wire(device, size, {options.link_gigabytes * 1e9, 0});
  std::vector<AttentionInput<float>> inputs;
  std::vector<cuda::DeviceCommunicator*> ranks;
  for (int r = 0; r < size; ++r) {
    inputs.push_back(session.shard<float>(r));
    ranks.push_back(&wire.rank(r));
  }
  return cuda::run_device_attention(session.plan, std::move(inputs), ranks,
                                    device_options(options, session.scenario));
}

// The GPUs of this machine in the order of the ring.
std::vector<int> order_of_gpus(const RunOptions& options, int gpus, bool tell) {
  std::vector<int> order(static_cast<std::size_t>(gpus));
  std::iota(order.begin(), order.end(), 0);
  std::string why = "as they are numbered: NVML tells no distances";
  if (!options.gpu_order.empty()) {
    order = cuda::parse_gpu_order(options.gpu_order, gpus);
    why = "as --gpu-order says";
  } else {
    std::vector<std::string> bus_ids;
    for (int g = 0; g < gpus; ++g) bus_ids.push_back(cuda::device_bus_id(g));
    if (const auto distances = cuda::gpu_distances(bus_ids)) {
      order = cuda::ring_order(*distances);
      const cuda::RingCost cost = cuda::ring_cost(*distances, order);
      why = fmt::format("from NVML: longest link {}, sum {}", cost.longest, cost.sum);
    }
  }
  if (tell) fmt::print(stderr, "ring order of the GPUs: {} ({})\n", fmt::join(order, " "), why);
  return order;
}

int channels_of(const AttentionPlan& plan) {
  int most = 0;
  const auto look = [&](const Schedule& schedule) {
    for (const RankProgram& program : schedule.ranks) {
      for (const Step& step : program.steps) {
        if (const auto* e = std::get_if<Exchange>(&step.action)) most = std::max(most, e->channel);
        if (const auto* c = std::get_if<Collective>(&step.action)) {
          most = std::max(most, c->channel);
        }
      }
    }
  };
  look(plan.forward);
  if (plan.backward) look(*plan.backward);
  return most + 1;
}

// One rank on its GPU. `finish` is called while its communicator is there.
template <class Finish>
void run_rank(const Session& session, const RunOptions& options, int gpu, int rank,
              const cuda::NcclId& id, Finish finish) {
  const std::unique_ptr<cuda::Device> device = cuda::open_device(gpu);
  const auto wire = cuda::make_nccl_communicator(
      *device, gpu, rank, session.plan.forward.size(), id,
      {.timeout = timeout_of(options), .channels = channels_of(session.plan)});
  std::vector<AttentionInput<float>> inputs;
  inputs.push_back(session.shard<float>(rank));
  Outputs outputs = cuda::run_device_attention(session.plan, std::move(inputs), {wire.get()},
                                               device_options(options, session.scenario));
  finish(std::move(outputs[0]), *wire);
}

// One process, a thread for each GPU.
int run_threads_on_gpus(Scenario scenario, const RunOptions& options,
                        const std::vector<std::string>& given, int gpus) {
  const bool ranks_given = std::find(given.begin(), given.end(), "ranks") != given.end();
  if (!ranks_given) scenario.ranks = gpus;
  if (scenario.ranks > gpus) {
    refuse(
        "ranks", std::to_string(scenario.ranks),
        fmt::format("there are {} GPUs; give at most as many, or use --device cuda_single", gpus));
  }
  const Session session = open_session(std::move(scenario), given);
  const int size = session.plan.forward.size();
  const std::vector<int> order = order_of_gpus(options, gpus, true);
  const cuda::NcclId id = cuda::make_nccl_id();
  Outputs outputs(static_cast<std::size_t>(size));
  std::exception_ptr failure;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int r = 0; r < size; ++r) {
    threads.emplace_back([&, r] {
      try {
        run_rank(session, options, order[static_cast<std::size_t>(r)], r, id,
                 [&](AttentionOutput<float> output, cuda::DeviceCommunicator&) {
                   outputs[static_cast<std::size_t>(r)] = std::move(output);
                 });
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  return report_run(session, options, std::move(outputs));
}

// One process for each GPU, started by a launcher; rank 0 reports.
int run_process_on_gpu(Scenario scenario, const RunOptions& options,
                       const std::vector<std::string>& given, const cuda::LaunchPlace& place,
                       int gpus) {
  const bool ranks_given = std::find(given.begin(), given.end(), "ranks") != given.end();
  if (ranks_given && scenario.ranks != place.size) {
    refuse("ranks", std::to_string(scenario.ranks),
           fmt::format("the launcher has started {}; make them agree", place.size));
  }
  scenario.ranks = place.size;
  if (place.local_rank >= gpus) {
    throw RunError(fmt::format("rank {} is the {}th of its machine, and there are {} GPUs",
                               place.rank, place.local_rank + 1, gpus));
  }
  const Session session = open_session(std::move(scenario), given);
  const std::vector<int> order = order_of_gpus(options, gpus, place.local_rank == 0);
  cuda::NcclId id{};
  if (place.rank == 0) id = cuda::make_nccl_id();
  const std::string text =
      cuda::share_from_first(place, std::string(id.begin(), id.end()), timeout_of(options));
  if (text.size() != id.size()) throw RunError("rank 0 is of another version of this program");
  std::copy(text.begin(), text.end(), id.begin());
  std::optional<Outputs> all;
  run_rank(session, options, order[static_cast<std::size_t>(place.local_rank)], place.rank, id,
           [&](AttentionOutput<float> output, cuda::DeviceCommunicator& wire) {
             cuda::HostCommunicator host(wire);
             all = gather_outputs(session.plan, std::move(output), host);
           });
  return all ? report_run(session, options, std::move(*all)) : static_cast<int>(kGood);
}

void check_options(const RunOptions& options, const Scenario& scenario) {
  if (options.device != "cpu_cuda" && options.device != "cuda_single" && options.device != "cuda") {
    refuse("device", fmt::format("'{}'", options.device), "use cpu, cpu_cuda, cuda_single or cuda");
  }
  if (options.transport != "threads") {
    refuse("transport", options.transport, "is for --device cpu; leave it out");
  }
  if (!options.fault.empty()) {
    refuse("fault", options.fault, "is planted into the executor of --device cpu; leave one out");
  }
  if (options.delay_microseconds != 0) {
    refuse("delay", std::to_string(options.delay_microseconds),
           "is for --device cpu; leave it out");
  }
  if (options.die_rank != kNobody) {
    refuse("die_rank", std::to_string(options.die_rank), "is for --device cpu; leave it out");
  }
  if (!(options.link_gigabytes >= 0 && options.link_gigabytes <= 1e6)) {
    refuse("link_speed", fmt::format("{}", options.link_gigabytes), "give GB/s from 0 to 1e6");
  }
  if (options.link_gigabytes > 0 && options.device == "cuda") {
    refuse("link_speed", fmt::format("{}", options.link_gigabytes),
           "links between GPUs are as they are; use --device cuda_single to imitate a slower one");
  }
  if (!options.gpu_order.empty() && options.device != "cuda") {
    refuse("gpu_order", options.gpu_order, "is for --device cuda; leave it out");
  }
  (void)cuda::data_type_of(scenario.dtype);
}

}  // namespace

void refuse_device_options(const RunOptions& options, const Scenario& scenario) {
  if (bytes_of(scenario.dtype) == 2) {
    refuse(
        "dtype", name(scenario.dtype),
        "the CPU executor computes in float32 and float64; use one of them, or --device cpu_cuda");
  }
  if (options.wire16) refuse("wire16", "true", "is for the CUDA devices; leave it out");
  if (options.link_gigabytes != 0) {
    refuse("link_speed", fmt::format("{}", options.link_gigabytes),
           "is for the CUDA devices; leave it out");
  }
  if (!options.gpu_order.empty()) {
    refuse("gpu_order", options.gpu_order, "is for --device cuda; leave it out");
  }
}

void add_device_options(CLI::App& command, RunOptions& options) {
  const char* group = "Devices";
  command
      .add_option("--device", options.device,
                  "cpu; cpu_cuda: the CUDA program on this CPU; cuda_single: all ranks on one GPU; "
                  "cuda: a GPU for each rank, over NCCL [cpu]")
      ->type_name("NAME")
      ->group(group);
  command
      .add_flag("--wire16", options.wire16,
                "Gradients and partial results travel in 16 bits (CUDA devices)")
      ->group(group);
  command
      .add_option("--link-speed", options.link_gigabytes,
                  "Imitate links of so many GB/s (cpu_cuda, cuda_single) [as fast as it copies]")
      ->type_name("GB/s")
      ->group(group);
  command
      .add_option("--stream-seed", options.stream_seed,
                  "Draws the order in which cpu_cuda runs the operations of its streams [0]")
      ->group(group);
  command
      .add_option("--gpu-order", options.gpu_order,
                  "The GPUs in the order of the ring, like 0,2,1,3 (cuda) [by their distances]")
      ->type_name("LIST")
      ->group(group);
}

int run_on_device(const RunOptions& options, Scenario scenario,
                  const std::vector<std::string>& given) {
  check_options(options, scenario);
  if (options.device == "cpu_cuda") {
    const Session session = open_session(std::move(scenario), given);
    cuda::CpuDevice device(options.stream_seed);
    return report_run(session, options, run_on_one(session, options, device));
  }
  if (options.device == "cuda_single") {
    const Session session = open_session(std::move(scenario), given);
    const std::unique_ptr<cuda::Device> device = cuda::open_device(0);
    return report_run(session, options, run_on_one(session, options, *device));
  }
  check(scenario);
  const std::optional<cuda::LaunchPlace> place = cuda::launch_place();
  const cuda::DeviceCount found = cuda::count_devices();
  if (found.count == 0) throw RunError(found.why_none);
  if (!cuda::have_nccl()) throw RunError("this program was built without NCCL");
  return place ? run_process_on_gpu(std::move(scenario), options, given, *place, found.count)
               : run_threads_on_gpus(std::move(scenario), options, given, found.count);
}

}  // namespace ringlab::cli

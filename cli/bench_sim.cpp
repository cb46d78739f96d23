// `ringlab bench sim`: how fast the event engine is, and what a ring of 1024 ranks takes.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/engine/engine.hpp"
#include "ringlab/sim/run/simulate.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  int ranks = 1024, repeats = 3;
  bool json = false;
};

// Of this process: what other tenants of the machine take does not count.
double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

struct Timing {
  double seconds = 1e300, cpu_seconds = 1e300;
  std::int64_t events = 0;
};

template <class Work>
Timing best_of(int repeats, const Work& work) {
  Timing best;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu = cpu_seconds();
    best.events = work();
    best.cpu_seconds = std::min(best.cpu_seconds, cpu_seconds() - cpu);
    best.seconds =
        std::min(best.seconds,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

// Ranks in a circle that compute, pass a message on and wait for one, by the engine alone.
engine::Workload circle(int ranks, int rounds) {
  using namespace engine;
  Workload work;
  work.channels = ranks;
  for (int r = 0; r < ranks; ++r) {
    work.links.push_back({.picoseconds_per_byte = 1});
    work.paths.push_back({.first_link = r, .links = 1, .latency = 5});
    work.path_links.push_back(r);
  }
  const auto message = [&](int rank, int round) { return rank * rounds + round; };
  work.messages.resize(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(rounds));
  for (int r = 0; r < ranks; ++r) {
    const int before = (r + ranks - 1) % ranks;
    for (int i = 0; i < rounds; ++i) {
      const Id g = static_cast<Id>(work.groups.size());
      work.groups.push_back({r, r, static_cast<Id>(work.group_messages.size()), 2});
      work.group_messages.insert(work.group_messages.end(), {message(r, i), message(before, i)});
      Message& sent = work.messages[static_cast<std::size_t>(message(r, i))];
      sent.bytes = 1000 + (r * 7 + i * 13) % 64;
      sent.path = r;
      sent.sender = g;
      work.messages[static_cast<std::size_t>(message(before, i))].receiver = g;
      work.ops.push_back({0, g, OpKind::begin});
      work.ops.push_back({700 + (r * 11 + i * 3) % 32, kNone, OpKind::compute});
      work.ops.push_back({0, g, OpKind::wait});
    }
    work.first_op.push_back(static_cast<std::int64_t>(work.ops.size()));
  }
  return work;
}

int bench_sim(const Options& options) {
  if (options.ranks < 2 || options.ranks > 1024) {
    throw InputError("ranks", std::to_string(options.ranks), "give 2 to 1024");
  }
  if (options.repeats < 1 || options.repeats > 100) {
    throw InputError("repeats", std::to_string(options.repeats), "give 1 to 100");
  }
  const auto measure_core = [&] {
    const engine::Workload work = circle(64, 20000);
    return best_of(options.repeats, [&] {
      return engine::run(work, {.queueing = true, .keep_times = false}).events;
    });
  };
  const Cluster cluster = load_cluster("128x8xh100");
  const Index tokens = Index{options.ranks} * 1024;
  const Layout layout = make_layout(LayoutKind::zigzag, whole_sequence(tokens), options.ranks);
  const ScheduleProblem problem{layout, layout, 32, 8, 128, Rotation::next, {}, {}};
  SimOptions sim;
  sim.cluster = cluster;
  sim.attention = AttentionCost::for_gpu(cluster.gpu);
  sim.mask.causal = true;
  sim.longest_chain = false;
  const Timing ring = best_of(options.repeats, [&] {
    return simulate(catalog_entry("ring"), problem, false, sim).events +
           simulate(catalog_entry("ring"), problem, true, sim).events;
  });
  const double memory = peak_bytes();  // of the ring; the bare engine comes after it
  const Timing core = measure_core();
  const double rate = static_cast<double>(core.events) / core.cpu_seconds;
  if (options.json) {
    const Json json = {{"events_per_second", rate},    {"ranks", options.ranks},
                       {"ring_seconds", ring.seconds}, {"ring_cpu_seconds", ring.cpu_seconds},
                       {"ring_events", ring.events},   {"peak_bytes", memory}};
    fmt::print("{}\n", json.dump(1));
    return kGood;
  }
  fmt::print("best of {}\n\n", options.repeats);
  fmt::print("  event engine          {:.2f} million events a second on one core ({} events)\n",
             rate * 1e-6, core.events);
  fmt::print(
      "  ring of {:<4} ranks    {} forward and backward, {} of processor time: schedule "
      "built, compiled and run ({} events)\n",
      options.ranks, seconds_text(ring.seconds), seconds_text(ring.cpu_seconds), ring.events);
  fmt::print("  memory at its peak    {}\n", bytes_text(memory));
  return kGood;
}

}  // namespace

void add_bench_sim(CLI::App& bench, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      bench.add_subcommand("sim", "The event engine, and a ring of 1024 ranks from end to end");
  command->footer("Example:\n  ringlab bench sim --json");
  command->add_option("--ranks", options->ranks, "Size of the ring [1024]");
  command->add_option("--repeats", options->repeats, "The best of so many [3]");
  command->add_flag("--json", options->json, "One JSON object on standard output");
  command->callback([options, &action] { action = [options] { return bench_sim(*options); }; });
}

}  // namespace ringlab::cli

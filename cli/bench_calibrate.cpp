// `ringlab bench calibrate`: measures what the simulator needs to know of this machine, from a ring
// of two ranks: how fast tiles of attention are computed while blocks travel, and what a block
// takes from one rank to the other. Writes a calibration file (sim/cost/calibration.hpp).
//
// The link has two figures. Bytes a second come from exchanges of two sizes without computation;
// the latency is what the ring's own transfers take beyond that, so that it holds the announcement
// of the block and the wait of a transfer's thread for a core that computes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/execute/gather.hpp"
#include "ringlab/reference/session/session.hpp"
#include "ringlab/reference/transport/threads.hpp"
#ifdef RINGLAB_HAVE_MPI
#include "ringlab/reference/transport/mpi.hpp"
#include "ringlab/reference/transport/mpi_launch.hpp"
#endif

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<Index> tokens;
  int heads = 8, kv_heads = 8, head_dim = 64, repeats = 5;
  std::string level = "wire", transport = "threads", out_file;
  bool json = false, forward_only = false;
};

double least(const std::vector<double>& values) {
  RINGLAB_ENSURE(!values.empty(), "something was measured");
  return *std::min_element(values.begin(), values.end());
}

// Rates of the tiles of one run after the other, four in each: of every one the best, and of these
// the rate of all four together. What other work on the machine takes is only ever added to a time.
double best_rate(const std::vector<double>& rates) {
  constexpr std::size_t kTiles = 4;
  RINGLAB_ENSURE(!rates.empty() && rates.size() % kTiles == 0, "four tiles in each run");
  double time = 0;
  for (std::size_t tile = 0; tile < kTiles; ++tile) {
    double best = 0;
    for (std::size_t i = tile; i < rates.size(); i += kTiles) best = std::max(best, rates[i]);
    time += 1 / best;
  }
  return kTiles / time;
}

Session session_of(const Options& options, Index tokens, bool causal, bool backward) {
  Scenario s;
  s.tokens = tokens;
  s.heads = options.heads;
  s.kv_heads = options.kv_heads;
  s.head_dim = options.head_dim;
  s.ranks = 2;
  s.layout = LayoutKind::zigzag;
  s.mask.causal = causal;
  s.backward = backward;
  return open_session(s);
}

// All events of one run, on rank 0.
using Events = std::vector<TraceEvent>;

Events run_once(const Session& session, Communicator& communicator) {
  AttentionInput<float> input = session.shard<float>(communicator.rank());
  communicator.barrier();
  auto outputs = gather_outputs(session.plan,
                                run_attention<float>(session.plan, std::move(input), communicator),
                                communicator);
  Events events;
  if (!outputs) return events;
  for (const auto& output : *outputs) {
    events.insert(events.end(), output.events.begin(), output.events.end());
  }
  return events;
}

// FLOP/s of the tiles, forward and backward apart: a rank's first two tiles are its forward.
struct Rates {
  std::vector<double> forward, backward;
};

void add_rates(const Events& events, Rates& rates) {
  for (int rank = 0; rank < 2; ++rank) {
    std::vector<TraceEvent> tiles;
    for (const TraceEvent& e : events) {
      if (e.rank == rank && e.lane == Lane::compute && e.flops > 0) tiles.push_back(e);
    }
    std::sort(tiles.begin(), tiles.end(), [](const TraceEvent& a, const TraceEvent& b) {
      return a.start_nanoseconds < b.start_nanoseconds;
    });
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const auto length =
          static_cast<double>(tiles[i].end_nanoseconds - tiles[i].start_nanoseconds);
      (i < 2 ? rates.forward : rates.backward)
          .push_back(tiles[i].flops / std::max(1.0, length) * 1e9);
    }
  }
}

// From the start of the ring to the end of its last transfer.
double ring_transfer_seconds(const Events& events) {
  std::int64_t first = INT64_MAX, last = 0;
  for (const TraceEvent& e : events) {
    first = std::min(first, e.start_nanoseconds);
    if (e.lane != Lane::compute) last = std::max(last, e.end_nanoseconds);
  }
  return static_cast<double>(last - first) * 1e-9;
}

// Both ranks send so many bytes to each other, as the ring does: in two parts, keys and values.
// Seconds until this one has sent and received all.
double exchange_seconds(Communicator& communicator, std::size_t bytes) {
  using Parts = std::array<std::vector<std::byte>, 2>;
  Parts out, in;
  for (Parts* parts : {&out, &in}) {
    for (auto& part : *parts) part.resize(bytes / 2);
  }
  const int peer = 1 - communicator.rank();
  communicator.barrier();
  const std::int64_t start = now_nanoseconds();
  communicator.wait(communicator.begin(0, {{peer, {out[0], out[1]}, "block"}},
                                       {{peer, {in[0], in[1]}, "block"}}));
  return static_cast<double>(now_nanoseconds() - start) * 1e-9;
}

struct Point {
  Index tokens = 0;
  Rates full, partial;
};

struct Measured {
  std::vector<Point> points;
  Index block_bytes = 0;
  double bytes_per_second = 0, latency_seconds = 0;
};

// Called by both ranks; the figures are complete on rank 0.
Measured measure(const Options& options, Communicator& communicator) {
  Measured out;
  std::vector<double> in_ring;
  for (const Index tokens : options.tokens) {
    Point point{tokens, {}, {}};
    const Session partial = session_of(options, tokens, true, false);
    const Session full = session_of(options, tokens, false, !options.forward_only);
    const Session back = session_of(options, tokens, true, true);
    in_ring.clear();
    run_once(partial, communicator);  // the first one also maps memory
    for (int i = 0; i < options.repeats; ++i) {
      const Events events = run_once(partial, communicator);
      if (communicator.rank() == 0) {
        add_rates(events, point.partial);
        in_ring.push_back(ring_transfer_seconds(events));
      }
      for (const auto& [session, rates] :
           {std::pair{&full, &point.full}, std::pair{&back, &point.partial}}) {
        if (options.forward_only && session == &back) continue;
        // Of the causal backward only the backward: its forward has been measured above.
        const Events more = run_once(*session, communicator);
        if (communicator.rank() != 0) continue;
        Rates both;
        add_rates(more, both);
        if (rates == &point.full) {
          rates->forward.insert(rates->forward.end(), both.forward.begin(), both.forward.end());
        }
        rates->backward.insert(rates->backward.end(), both.backward.begin(), both.backward.end());
      }
    }
    out.points.push_back(std::move(point));
    out.block_bytes = tokens / 2 * options.kv_heads * options.head_dim * 2 * 4;
  }
  // The last length's block and a quarter of it: what they differ by has no fixed part.
  const auto block = static_cast<std::size_t>(out.block_bytes);
  std::vector<double> large, small;
  for (int i = 0; i < options.repeats; ++i) {
    large.push_back(exchange_seconds(communicator, block));
    small.push_back(exchange_seconds(communicator, block / 4));
  }
  if (communicator.rank() != 0) return out;
  const double difference = least(large) - least(small);
  if (!(difference > 0)) {
    throw RunError("a block takes no longer than a quarter of it; give more tokens or repeats");
  }
  out.bytes_per_second = static_cast<double>(block - block / 4) / difference;
  out.latency_seconds =
      std::max(0.0, least(in_ring) - static_cast<double>(block) / out.bytes_per_second);
  return out;
}

Json calibration_json(const Options& options, const Measured& m) {
  Json forward = Json::array(), backward = Json::array();
  for (const Point& p : m.points) {
    const auto point = [&](const std::vector<double>& full, const std::vector<double>& partial) {
      return Json{{"tile_tokens", p.tokens / 2},
                  {"full_flops_per_second", best_rate(full)},
                  {"partial_flops_per_second", best_rate(partial)}};
    };
    forward.push_back(point(p.full.forward, p.partial.forward));
    if (!options.forward_only) backward.push_back(point(p.full.backward, p.partial.backward));
  }
  const std::string source = fmt::format(
      "measured by ringlab bench calibrate: two ranks ({}), {} of {} heads of {}, float32, the "
      "best "
      "of {}{}",
      options.transport, options.kv_heads, options.heads, options.head_dim, options.repeats,
      options.forward_only ? "; the backward was not measured and is taken to be as fast" : "");
  Json attention = {{"name", "measured"}, {"forward", forward}};
  if (!options.forward_only) attention["backward"] = backward;
  attention["source"] = source;
  return {{"links",
           {{options.level,
             {{"bytes_per_second", m.bytes_per_second}, {"latency_seconds", m.latency_seconds}}}}},
          {"attention", attention},
          {"source", source}};
}

int report(const Options& options, const Measured& m) {
  const Json json = calibration_json(options, m);
  if (!options.out_file.empty()) write_file(options.out_file, json.dump(1) + "\n", "out");
  if (options.json) {
    fmt::print("{}\n", json.dump(1));
    return kGood;
  }
  fmt::print("  {:<22}{:>14}{:>14}\n", "tile", "full", "partial");
  const auto line = [](Index tokens, const char* way, const std::vector<double>& full,
                       const std::vector<double>& partial) {
    fmt::print("  {:<22}{:>14.1f}{:>14.1f}  GFLOP/s\n", fmt::format("{} tokens, {}", tokens, way),
               best_rate(full) / 1e9, best_rate(partial) / 1e9);
  };
  for (const Point& p : m.points) {
    line(p.tokens / 2, "forward", p.full.forward, p.partial.forward);
    if (options.forward_only) continue;
    line(p.tokens / 2, "backward", p.full.backward, p.partial.backward);
  }
  fmt::print("\n  {}: {} a second, {} before the first byte (blocks of {}, both ways at once)\n",
             options.level, bytes_text(m.bytes_per_second), seconds_text(m.latency_seconds),
             bytes_text(static_cast<double>(m.block_bytes)));
  if (!options.out_file.empty()) fmt::print("  written: {}\n", options.out_file);
  return kGood;
}

void check_options(Options& options) {
  if (options.tokens.empty()) options.tokens = {4096};
  std::sort(options.tokens.begin(), options.tokens.end());
  options.tokens.erase(std::unique(options.tokens.begin(), options.tokens.end()),
                       options.tokens.end());
  for (const Index tokens : options.tokens) {
    if (tokens < 64 || tokens > 1 << 20 || tokens % 4 != 0) {
      throw InputError("tokens", std::to_string(tokens),
                       "give 64 to 1048576, a multiple of 4: both ranks compute equal tiles");
    }
  }
  if (options.repeats < 1 || options.repeats > 1000) {
    throw InputError("repeats", std::to_string(options.repeats), "give 1 to 1000");
  }
  if (!options.out_file.empty()) {
    // Said before anything is measured.
    namespace fs = std::filesystem;
    if (fs::is_directory(options.out_file) ||
        !fs::is_directory(fs::absolute(options.out_file).parent_path())) {
      throw InputError("out", options.out_file, "name a file in a folder that exists");
    }
  }
  if (options.level.empty()) throw InputError("level", "''", "name a level of the cluster");
  if (options.transport != "threads" && options.transport != "mpi") {
    throw InputError("transport", fmt::format("'{}'", options.transport), "use threads or mpi");
  }
  (void)session_of(options, options.tokens.front(), true, true);  // refuses heads that do not fit
}

#ifdef RINGLAB_HAVE_MPI
int run_mpi(const Options& options) {
  if (!under_mpirun()) {
    const LaunchResult result = launch_mpi(2, original_arguments());
    if (!result.message.empty()) fmt::print(stderr, "ringlab: {}\n", result.message);
    return result.status;
  }
  MpiSession mpi(MpiSession::LastWords::on_sigterm);
  try {
    if (mpi.size() != 2) {
      throw InputError("ranks", std::to_string(mpi.size()), "calibration wants two: mpirun -np 2");
    }
    const auto communicator = mpi.communicator();
    const Measured measured = measure(options, *communicator);
    return mpi.rank() == 0 ? report(options, measured) : static_cast<int>(kGood);
  } catch (const InputError& error) {
    if (mpi.rank() == 0) fmt::print(stderr, "ringlab: {}\n", error.what());
    return kBadInput;
  } catch (const std::exception& error) {
    if (mpi.first_to_tell()) fmt::print(stderr, "ringlab: the run failed: {}\n", error.what());
    return kFailed;
  }
}
#endif

int run(Options options) {
  check_options(options);
  if (options.transport == "mpi") {
#ifdef RINGLAB_HAVE_MPI
    return run_mpi(options);
#else
    throw InputError("transport", "mpi", "this program was built without MPI; use threads");
#endif
  }
  Measured measured;
  run_ranks(2, {}, [&](Communicator& communicator) {
    Measured own = measure(options, communicator);
    if (communicator.rank() == 0) measured = std::move(own);
  });
  return report(options, measured);
}

}  // namespace

void add_bench_calibrate(CLI::App& bench, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = bench.add_subcommand(
      "calibrate", "What the simulator needs to know of this machine, from a ring of two ranks");
  command->footer(
      "Example:\n  ringlab bench calibrate --tokens 2048 --repeats 3 --out calibration.json");
  command
      ->add_option("--tokens", options->tokens,
                   "Lengths of the ring, one point of the attention curve each [4096]")
      ->delimiter(',')
      ->type_name("N,N,...");
  command->add_option("--heads", options->heads, "Number of query heads [8]");
  command->add_option("--kv-heads", options->kv_heads, "Number of key/value heads [8]");
  command->add_option("--head-dim", options->head_dim, "Width of one head [64]");
  command->add_flag("--forward", options->forward_only, "Measure no backward");
  command->add_option("--repeats", options->repeats, "The best of so many [5]");
  command->add_option("--transport", options->transport, "threads, or mpi (two processes)")
      ->type_name("NAME");
  command
      ->add_option("--level", options->level,
                   "The level of the cluster that the link belongs to [wire]")
      ->type_name("NAME");
  command->add_option("--out", options->out_file, "Write the calibration")->type_name("FILE");
  command->add_flag("--json", options->json, "One JSON object on standard output");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace ringlab::cli

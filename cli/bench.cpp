// `ringlab bench`: measurements, as ratios taken in one run. They are no tests: machines are
// shared.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/command.hpp"
#include "cli/console.hpp"

#include "ringlab/reference/attention/attend.hpp"
#include "ringlab/reference/attention/fma_peak.hpp"
#include "ringlab/reference/attention/full.hpp"
#include "ringlab/reference/sequence/visible.hpp"
#include "ringlab/reference/session/session.hpp"
#include "ringlab/reference/workload/gaussian.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  Index tokens = 8192;
  int repeats = 3;
  bool json = false;
};

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Row {
  std::string what;
  int head_dim;
  bool causal;
  double gflops, peak_gflops;
  double share() const { return gflops / peak_gflops; }
};

// One head against itself, the whole sequence in one tile, on one thread.
struct Problem {
  AttentionRule rule;
  Positions sequence;
  Tensor<float> query, output_gradient;
  KeyValue<float> key_value;
  double pairs;
};

Problem make_problem(Index tokens, int head_dim, bool causal) {
  Problem p;
  p.rule = {
      .query_heads = 1, .kv_heads = 1, .head_dim = head_dim, .scale = default_scale(head_dim)};
  p.rule.mask.causal = causal;
  p.sequence = Positions::contiguous(0, tokens);
  const auto draw = [&](int stream) {
    return gaussian_tensor<float>(1, stream, p.sequence, 1, head_dim);
  };
  p.query = draw(0);
  p.key_value = {draw(1), draw(2)};
  p.output_gradient = draw(3);
  p.pairs = static_cast<double>(visible_pairs(p.rule.mask, p.sequence, p.sequence));
  return p;
}

// The peak is measured right before and after the work, on the same thread, and the best is kept:
// what other tenants of the machine take, they take from both.
Row measure(const char* what, const Problem& p, double flops, int repeats,
            const std::function<void()>& work) {
  double peak = measure_fma_flops_per_second(0.1), best = 0;
  for (int i = 0; i < repeats; ++i) {
    best = std::max(best, flops / seconds_of(work));
    peak = std::max(peak, measure_fma_flops_per_second(0.05));
  }
  return {what, p.rule.head_dim, p.rule.mask.causal, best / 1e9, peak / 1e9};
}

Row measure_forward(const Problem& p, int repeats, AttendKernel kernel) {
  return measure(kernel == AttendKernel::v3_fast ? "forward" : name(kernel), p,
                 4.0 * p.rule.head_dim * p.pairs, repeats, [&] {
                   full_attention(p.rule, p.query, p.sequence, p.key_value, p.sequence, kernel);
                 });
}

Row measure_backward(const Problem& p, int repeats) {
  const Partial<float> finished =
      full_attention(p.rule, p.query, p.sequence, p.key_value, p.sequence, AttendKernel::v3_fast);
  return measure("backward", p, 10.0 * p.rule.head_dim * p.pairs, repeats, [&] {
    full_attention_backward(p.rule, p.query, p.sequence, p.key_value, p.sequence, finished,
                            p.output_gradient, {}, AttendKernel::v3_fast);
  });
}

// The same attention as a ring of one and of two ranks: what a second thread brings.
double measure_two_threads(Index tokens, int repeats) {
  const auto ring_seconds = [&](int ranks) {
    Scenario s;
    s.tokens = tokens;
    s.heads = 1;
    s.head_dim = 64;
    s.ranks = ranks;
    const Session session = open_session(s);
    double best = 1e300;
    for (int i = 0; i < repeats; ++i) {
      std::int64_t first = INT64_MAX, last = 0;
      const auto outputs = run_attention_threads<float>(
          session.plan, [&](int rank) { return session.shard<float>(rank); });
      for (const auto& output : outputs) {
        for (const TraceEvent& event : output.events) {
          first = std::min(first, event.start_nanoseconds);
          last = std::max(last, event.end_nanoseconds);
        }
      }
      best = std::min(best, static_cast<double>(last - first) * 1e-9);
    }
    return best;
  };
  return ring_seconds(1) / ring_seconds(2);
}

int bench_cpu(const Options& options) {
  if (options.tokens < 64 || options.tokens > 1 << 20) {
    throw InputError("tokens", std::to_string(options.tokens), "give 64 to 1048576");
  }
  if (options.repeats < 1 || options.repeats > 1000) {
    throw InputError("repeats", std::to_string(options.repeats), "give 1 to 1000");
  }
  std::vector<Row> rows;
  ProgressBar bar("measuring", 11);
  for (const int head_dim : {64, 128}) {
    for (const bool causal : {false, true}) {
      const Problem p = make_problem(options.tokens, head_dim, causal);
      bar.advance(fmt::format("forward, head_dim {}", head_dim));
      rows.push_back(measure_forward(p, options.repeats, AttendKernel::v3_fast));
      bar.advance(fmt::format("backward, head_dim {}", head_dim));
      rows.push_back(measure_backward(p, options.repeats));
    }
  }
  // The lower rungs of the ladder, on a sequence that they can manage.
  const Problem small = make_problem(std::min<Index>(options.tokens, 2048), 64, false);
  for (const AttendKernel kernel : {AttendKernel::v1_full, AttendKernel::v2_blockwise}) {
    bar.advance(name(kernel));
    rows.push_back(measure_forward(small, 1, kernel));
  }
  bar.advance("two ranks");
  const double speedup = measure_two_threads(options.tokens, options.repeats);
  if (options.json) {
    Json list = Json::array();
    for (const Row& r : rows) {
      list.push_back({{"what", r.what},
                      {"head_dim", r.head_dim},
                      {"causal", r.causal},
                      {"gflops", r.gflops},
                      {"peak_gflops", r.peak_gflops},
                      {"share", r.share()}});
    }
    const Json json = {{"tokens", options.tokens},
                       {"simd", simd_target_name()},
                       {"threads", 1},
                       {"rows", list},
                       {"two_ranks_speedup", speedup},
                       {"cores", std::thread::hardware_concurrency()}};
    fmt::print("{}\n", json.dump(1));
    return kGood;
  }
  fmt::print(
      "one thread, {}, float32, {} tokens, one head; FLOP of visible pairs "
      "(4 D forward, 10 D backward)\n\n",
      simd_target_name(), options.tokens);
  fmt::print("  {:<14}{:>9}{:>9}{:>12}{:>12}{:>10}\n", "kernel", "head_dim", "mask", "GFLOP/s",
             "FMA peak", "share");
  for (const Row& r : rows) {
    fmt::print("  {:<14}{:>9}{:>9}{:>12.1f}{:>12.1f}{:>8.1f} %\n", r.what, r.head_dim,
               r.causal ? "causal" : "none", r.gflops, r.peak_gflops, 100 * r.share());
  }
  fmt::print("\n  a ring of two ranks (threads) takes 1/{:.2f} of the time of one\n", speedup);
  return kGood;
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* bench = app.add_subcommand("bench", "Measure");
  bench->require_subcommand(0, 1);
  bench->callback([bench, &action] {
    if (!bench->get_subcommands().empty()) return;
    action = [] {
      throw InputError("bench", "nothing named", "say what to measure: ringlab bench cpu");
      return static_cast<int>(kBadInput);
    };
  });
  CLI::App* cpu = bench->add_subcommand(
      "cpu", "The tile kernel and a ring on this machine, against its own FMA peak");
  cpu->footer("Example:\n  ringlab bench cpu --tokens 4096 --json");
  cpu->add_option("--tokens", options->tokens, "Length of the sequence [8192]");
  cpu->add_option("--repeats", options->repeats, "The best of so many [3]");
  cpu->add_flag("--json", options->json, "One JSON object on standard output");
  cpu->callback([options, &action] { action = [options] { return bench_cpu(*options); }; });
  add_bench_cuda(*bench, action);
  add_bench_calibrate(*bench, action);
  add_bench_sim(*bench, action);
  add_bench_plan(*bench, action);
  add_bench_viz(*bench, action);
}

}  // namespace ringlab::cli

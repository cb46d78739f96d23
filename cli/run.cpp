// `ringlab run`: run a scenario for real, verify it, write trace and tensors.
#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "cli/fault.hpp"
#include "cli/figures.hpp"
#include "cli/run_metrics.hpp"
#include "cli/run_options.hpp"
#include "ringlab/cuda/execute/hop_overlap.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/execute/gather.hpp"
#include "ringlab/reference/io/safetensors.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/session/symptoms.hpp"
#include "ringlab/reference/trace/chrome.hpp"
#include "ringlab/reference/trace/overlap.hpp"
#ifdef RINGLAB_HAVE_MPI
#include "ringlab/reference/transport/mpi.hpp"
#include "ringlab/reference/transport/mpi_launch.hpp"
#endif

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

using Options = RunOptions;

// What verification allows unless --tolerance says otherwise; see README, "How exact is exact".
double default_tolerance(const Scenario& s, bool on_device) {
  const bool wide = s.dtype == ElementType::float64;
  // A text's scores reach 36, and a weight carries the rounding of its score.
  const bool text = !s.input.empty() && !s.input.ends_with(".safetensors");
  // The second product of a tile takes weights that are rounded to 16 bits, 2^-9 for bfloat16.
  if (bytes_of(s.dtype) == 2) return (text ? 5 : 1) * (s.backward ? 1.5e-2 : 8e-3);
  if (on_device) return (text ? 5 : 1) * (s.backward ? 3e-6 : 2e-6);
  return (text ? 5 : 1) * (s.backward ? (wide ? 1e-12 : 3e-6) : (wide ? 1e-13 : 1e-6));
}

VerifyMode verify_mode(const std::string& text, const Session& session) {
  if (text.empty()) {
    // A full check costs as much as the run; beyond this size rows are sampled.
    constexpr Index kFull = 2048;
    if (session.scenario.tokens <= kFull) return {VerifyMode::full, 0};
    return {VerifyMode::rows, 256};
  }
  if (text == "full") return {VerifyMode::full, 0};
  if (text == "none") return {VerifyMode::none, 0};
  const std::string prefix = "rows=";
  if (text.starts_with(prefix) && text.size() < 16 &&
      text.find_first_not_of("0123456789", prefix.size()) == std::string::npos) {
    const Index count = text.size() > prefix.size() ? std::stoll(text.substr(prefix.size())) : 0;
    if (count > 0) return {VerifyMode::rows, count};
  }
  throw InputError("verify", fmt::format("'{}'", text), "use full, none or rows=N with N from 1");
}

TransportOptions transport_options(const Options& options, const Scenario& scenario) {
  if (!(options.timeout_seconds > 0 && options.timeout_seconds <= 86400)) {
    throw InputError("timeout", fmt::format("{}", options.timeout_seconds),
                     "give seconds from above 0 to 86400");
  }
  if (options.delay_microseconds < 0 || options.delay_microseconds > 1'000'000) {
    throw InputError("delay", std::to_string(options.delay_microseconds),
                     "give microseconds from 0 to 1000000");
  }
  TransportOptions transport;
  transport.timeout =
      std::chrono::milliseconds(static_cast<long long>(std::ceil(options.timeout_seconds * 1000)));
  transport.largest_delay = std::chrono::microseconds(options.delay_microseconds);
  transport.delay_seed = scenario.seed;
  return transport;
}

void check_figures(const Options& options, const Scenario& scenario) {
  if (options.tolerance && !(*options.tolerance > 0 && std::isfinite(*options.tolerance))) {
    throw InputError("tolerance", fmt::format("{}", *options.tolerance), "give a number above 0");
  }
  if (options.die_rank == kNobody) return;
  if (options.transport != "mpi") {
    throw InputError("die_rank", std::to_string(options.die_rank),
                     "only a rank that is a process can die alone; add --transport mpi");
  }
  if (options.die_rank < 0 || options.die_rank >= scenario.ranks) {
    throw InputError("die_rank", std::to_string(options.die_rank),
                     fmt::format("give a rank from 0 to {}", scenario.ranks - 1));
  }
}

// Everything that can be wrong with where results go is said before the work starts.
void check_targets(const Options& options) {
  namespace fs = std::filesystem;
  const auto check_file = [](const char* field, const std::string& file) {
    if (file.empty()) return;
    if (fs::is_directory(file) || !fs::is_directory(fs::absolute(file).parent_path())) {
      throw InputError(field, file, "name a file in a folder that exists");
    }
  };
  check_file("trace", options.trace_file);
  check_file("metrics", options.metrics_file);
  if (!options.save_folder.empty()) {
    std::error_code error;
    fs::create_directories(options.save_folder, error);
    if (!fs::is_directory(options.save_folder)) {
      throw InputError("save", options.save_folder, "name a folder that can be made");
    }
  }
}

Trace trace_of(const Session& session, const Options& options,
               const std::vector<std::vector<TraceEvent>>& events) {
  Trace trace;
  for (const auto& rank : events) trace.events.insert(trace.events.end(), rank.begin(), rank.end());
  sort_events(trace);
  const std::int64_t zero = trace.events.empty() ? 0 : trace.events.front().start_nanoseconds;
  for (TraceEvent& event : trace.events) {
    event.start_nanoseconds -= zero;
    event.end_nanoseconds -= zero;
  }
  trace.metadata = {
      {"scenario", to_json(session.scenario)},
      {"transport", options.where()},
      {"clock", options.device == "cpu_cuda" ? "measured operations, streams as if side by side"
                                             : "measured, monotonic"}};
  return trace;
}

template <class T>
void save_tensors(const Session& session, const std::vector<AttentionOutput<T>>& outputs,
                  const std::string& folder) {
  const ElementType type = sizeof(T) == 4 ? ElementType::float32 : ElementType::float64;
  SafeTensors file;
  const auto add = [&](const char* name, bool of_queries, auto pick) {
    std::vector<Tensor<T>> shards;
    for (const AttentionOutput<T>& output : outputs) shards.push_back(pick(output));
    file.tensors[name] = array_from(whole(session, shards, of_queries), type);
  };
  add("out", true, [](const auto& o) { return o.result.out; });
  add("lse", true, [](const auto& o) { return o.result.lse; });
  if (session.plan.backward) {
    add("dq", true, [](const auto& o) { return o.query_gradient; });
    add("dk", false, [](const auto& o) { return o.key_value_gradient.keys; });
    add("dv", false, [](const auto& o) { return o.key_value_gradient.values; });
  }
  // 16-bit inputs as they were seen; those that are turned first are rounded after that.
  const bool narrow = bytes_of(session.scenario.dtype) == 2 && session.plan.rotary_base == 0;
  const auto as_double = [&](const Tensor<double>& x) {
    return array_from(x.template cast<T>(), narrow ? session.scenario.dtype : type);
  };
  file.tensors["q"] = as_double(session.inputs->queries(session.queries));
  file.tensors["k"] = as_double(session.inputs->keys(session.keys));
  file.tensors["v"] = as_double(session.inputs->values(session.keys));
  if (session.plan.backward) {
    file.tensors["dout"] = as_double(session.inputs->output_gradients(session.queries));
  }
  write_safetensors(std::filesystem::path(folder) / "tensors.safetensors", file);
  write_file(std::filesystem::path(folder) / "scenario.json", to_json(session.scenario));
}

Json difference_json(const Difference& d) {
  // JSON has no infinity; null says that NaN or infinities stand in the wrong places.
  const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  return {{"max_abs_error", number(d.max_abs_error)},
          {"rel_frobenius_error", number(d.rel_frobenius_error)}};
}

struct Report {
  const Session& session;
  const Options& options;
  Verification verification;
  bool exact;
  double tolerance, seconds, flops;
  std::vector<RunCounts> counts;  // forward and backward together
  Ledger ledger;
  Trace trace;
  std::optional<Symptoms> symptoms;  // of a small run that differs
};

int print_json(const Report& r) {
  const Scenario& s = r.session.scenario;
  Json sent = Json::array(), memory = Json::array();
  for (const RunCounts& c : r.counts) {
    sent.push_back(c.bytes_sent);
    memory.push_back(c.peak_key_value_bytes);
  }
  double hidden = 0, transfer = 0;
  for (const Overlap& o : overlap_by_rank(r.trace)) {
    hidden += static_cast<double>(o.hidden_nanoseconds);
    transfer += static_cast<double>(o.transfer_nanoseconds);
  }
  Json json = {{"ranks", s.ranks},
               {"layout", name(s.layout)},
               {"schedule", s.schedule},
               {"transport", r.options.where()},
               {"tokens", s.tokens},
               {"dtype", name(s.dtype)},
               {"verified", r.verification.verified}};
  if (!r.options.fault.empty()) json["fault"] = r.options.fault;
  if (r.verification.verified != "none") {
    json.update(difference_json(r.verification.out));
    json["tolerance"] = r.tolerance;
    json["exact"] = r.exact;
    if (r.verification.query_gradient) {
      json["dq"] = difference_json(*r.verification.query_gradient);
      json["dk"] = difference_json(*r.verification.key_gradient);
      json["dv"] = difference_json(*r.verification.value_gradient);
    }
  }
  if (r.symptoms) json["symptoms"] = symptoms_json(*r.symptoms);
  json["bytes_sent_per_rank"] = sent;
  json["peak_kv_bytes_per_rank"] = memory;
  json["visible_pairs_per_rank"] = pairs_per_rank_json(r.ledger);
  json["seconds"] = r.seconds;
  json["gflops"] = r.flops / r.seconds / 1e9;
  json["transfer_hidden"] = transfer > 0 ? hidden / transfer : 1.0;
  if (r.options.on_device()) {
    Json hops = Json::array();
    for (const cuda::HopOverlap& hop : cuda::overlap_by_hop(r.trace.events)) {
      hops.push_back({{"hop", hop.hop},
                      {"transfer_seconds", static_cast<double>(hop.transfer_nanoseconds) * 1e-9},
                      {"hidden", hop.hidden_fraction()}});
    }
    json["hops"] = hops;
  }
  fmt::print("{}\n", json.dump(1));
  return r.exact ? kGood : kNo;
}

int print_text(const Report& r) {
  const Scenario& s = r.session.scenario;
  const auto line = [](const char* what, const std::string& text) {
    fmt::print("{:<12}{}\n", what, text);
  };
  line("scenario", fmt::format("{} over {} ranks ({}), {} layout, {} tokens, {}/{} heads of {}, {}",
                               s.schedule, s.ranks, r.options.where(), name(s.layout), s.tokens,
                               s.heads, s.key_value_heads(), s.head_dim, name(s.dtype)));
  if (!r.options.fault.empty()) {
    line("fault", fmt::format("{}, planted on purpose", r.options.fault));
  }
  const auto difference = [&](const char* what, const Difference& d) {
    line(what, fmt::format("largest difference {:.2e}, relative {:.2e}, over {} rows",
                           d.max_abs_error, d.rel_frobenius_error, d.rows));
  };
  if (r.verification.verified == "none") {
    line("verified", "no (--verify none)");
  } else {
    difference("output", r.verification.out);
    if (r.verification.query_gradient) {
      difference("dq", *r.verification.query_gradient);
      difference("dk", *r.verification.key_gradient);
      difference("dv", *r.verification.value_gradient);
    }
    line("verified",
         r.exact ? fmt::format("equal to full attention in float64 within {:.0e}", r.tolerance)
                 : fmt::format("DIFFERS from full attention in float64 by more than {:.0e}",
                               r.tolerance));
  }
  if (r.symptoms) print_symptoms(*r.symptoms);
  Index sent = 0, memory = 0, least = r.ledger.pair_heads;
  for (const RunCounts& c : r.counts) {
    sent = std::max(sent, c.bytes_sent);
    memory = std::max(memory, c.peak_key_value_bytes);
  }
  for (const RankLedger& rank : r.ledger.ranks) least = std::min(least, rank.pair_heads);
  line("sent", fmt::format("at most {} by a rank", bytes_text(static_cast<double>(sent))));
  line("memory", fmt::format("at most {} of keys and values on a rank",
                             bytes_text(static_cast<double>(memory))));
  line("work", fmt::format("{} to {} visible pairs on a rank", count_text(r.ledger.pairs(least)),
                           count_text(r.ledger.pairs(r.ledger.worst_rank_pair_heads))));
  line("time", fmt::format("{}, {:.1f} GFLOP/s of visible pairs", seconds_text(r.seconds),
                           r.flops / r.seconds / 1e9));
  return r.exact ? kGood : kNo;
}

bool within(const Verification& v, double tolerance) {
  if (v.verified == "none") return true;
  bool good = v.out.rel_frobenius_error <= tolerance;
  for (const auto& d : {v.query_gradient, v.key_gradient, v.value_gradient}) {
    if (d) good = good && d->rel_frobenius_error <= tolerance;
  }
  return good;
}

template <class T>
int report(const Session& session, const Options& options, const VerifyMode& mode,
           std::vector<AttentionOutput<T>> outputs) {
  const Verification verification = verify(session, outputs, mode);
  const double tolerance =
      options.tolerance.value_or(default_tolerance(session.scenario, options.on_device()));
  Report r{session, options, verification, within(verification, tolerance), tolerance, 0, 0, {}, {},
           {},      {}};
  std::vector<std::vector<TraceEvent>> events;
  for (const AttentionOutput<T>& output : outputs) {
    RunCounts sum = output.forward;
    sum.bytes_sent += output.backward.bytes_sent;
    sum.peak_key_value_bytes =
        std::max(sum.peak_key_value_bytes, output.backward.peak_key_value_bytes);
    r.counts.push_back(sum);
    events.push_back(output.events);
  }
  // Rows are told apart where every row is judged; ten tolerances keep rounding out of it.
  if (!r.exact && mode.kind == VerifyMode::full)
    r.symptoms = symptoms(session, outputs, 10 * tolerance);
  r.trace = trace_of(session, options, events);
  r.ledger = make_ledger(session.plan.forward, session.plan.rule.mask);
  std::int64_t end = 0;
  for (const TraceEvent& event : r.trace.events) {
    end = std::max(end, event.end_nanoseconds);
    r.flops += event.flops;
  }
  r.seconds = std::max(1e-9, static_cast<double>(end) * 1e-9);
  if (!options.trace_file.empty()) write_file(options.trace_file, to_chrome_json(r.trace), "trace");
  if (!options.metrics_file.empty()) {
    write_file(options.metrics_file,
               run_metrics({session, options.where(), r.verification, r.exact, r.tolerance,
                            r.counts, r.trace}),
               "metrics");
  }
  if (!options.save_folder.empty()) save_tensors(session, outputs, options.save_folder);
  return options.json ? print_json(r) : print_text(r);
}

// A rank that ends without a word in the middle of a run, for trying out what the others do.
TileObserver observer_of(const Options& options, const Session& session, bool progress,
                         std::shared_ptr<ProgressBar>& bar) {
  const int passes = session.plan.backward ? 2 : 1;
  const long long tiles =
      static_cast<long long>(passes) * session.scenario.ranks * session.plan.forward.hops;
  if (progress) bar = std::make_shared<ProgressBar>("running", tiles);
  const int hops = session.plan.forward.hops;
  return [bar, hops, rank = options.die_rank, hop = options.die_hop](const TileDone& done) {
    if (done.rank == rank && done.hop == hop) std::raise(SIGKILL);
    if (bar) bar->advance(fmt::format("hop {} of {}", done.hop + 1, hops));
  };
}

template <class T>
int run_threads(const Session& session, const Options& options, const VerifyMode& mode) {
  std::shared_ptr<ProgressBar> bar;
  TileObserver observer = observer_of(options, session, true, bar);
  auto outputs = run_attention_threads<T>(
      session.plan, [&](int rank) { return session.shard<T>(rank); },
      transport_options(options, session.scenario), observer);
  observer = {};
  bar.reset();
  return report<T>(session, options, mode, std::move(outputs));
}

#ifdef RINGLAB_HAVE_MPI
template <class T>
int run_rank(const Session& session, const Options& options, const VerifyMode& mode,
             MpiSession& mpi) {
  std::shared_ptr<ProgressBar> bar;
  TileObserver observer = observer_of(options, session, mpi.rank() == 0, bar);
  const auto communicator = mpi.communicator(transport_options(options, session.scenario));
  AttentionInput<T> input = session.shard<T>(mpi.rank());
  communicator->barrier();  // a trace begins when everybody is ready
  auto outputs = gather_outputs(
      session.plan, run_attention<T>(session.plan, std::move(input), *communicator, observer),
      *communicator);
  observer = {};
  bar.reset();
  // The judge may take its time: nobody waits for rank 0 on the wire while it works.
  return outputs ? report<T>(session, options, mode, std::move(*outputs)) : kGood;
}

int run_mpi(Scenario scenario, const Options& options, const std::vector<std::string>& given) {
  if (!under_mpirun()) {
    check(scenario);
    std::vector<std::string> arguments = original_arguments();
    const LaunchResult result = launch_mpi(scenario.ranks, arguments);
    if (!result.message.empty()) fmt::print(stderr, "ringlab: {}\n", result.message);
    return result.status;
  }
  MpiSession mpi(MpiSession::LastWords::on_sigterm);
  try {
    const bool ranks_given = std::find(given.begin(), given.end(), "ranks") != given.end();
    if (ranks_given && scenario.ranks != mpi.size()) {
      throw InputError("ranks", std::to_string(scenario.ranks),
                       fmt::format("mpirun has started {}; make them agree", mpi.size()));
    }
    scenario.ranks = mpi.size();
    const Session session = open_run(scenario, options, given);
    const VerifyMode mode = verify_mode(options.verify, session);
    return session.scenario.dtype == ElementType::float64
               ? run_rank<double>(session, options, mode, mpi)
               : run_rank<float>(session, options, mode, mpi);
  } catch (const InputError& error) {
    if (mpi.rank() == 0) fmt::print(stderr, "ringlab: {}\n", error.what());
    return kBadInput;
  } catch (const std::exception& error) {
    if (mpi.first_to_tell()) fmt::print(stderr, "ringlab: the run failed: {}\n", error.what());
    return kFailed;
  }
}
#endif

int run(const Options& options) {
  if (options.fault == "list") return list_faults(options.json);
  Scenario scenario = options.flags.scenario();
  const std::vector<std::string> given = options.flags.given();
  check_targets(options);
  check_figures(options, scenario);
  if (options.on_device()) {
    (void)transport_options(options, scenario);  // refuses times that are none
    return run_on_device(options, std::move(scenario), given);
  }
  refuse_device_options(options, scenario);
  if (options.transport == "mpi") {
#ifdef RINGLAB_HAVE_MPI
    return run_mpi(std::move(scenario), options, given);
#else
    throw InputError(
        "transport", "mpi",
        "this program was built without MPI; install libopenmpi-dev and build again, or "
        "use threads");
#endif
  }
  if (options.transport != "threads") {
    throw InputError("transport", fmt::format("'{}'", options.transport), "use threads or mpi");
  }
  if (scenario.ranks > 1024) {
    throw InputError("ranks", std::to_string(scenario.ranks),
                     "give at most 1024 for ranks that are threads");
  }
  const Session session = open_run(std::move(scenario), options, given);
  const VerifyMode mode = verify_mode(options.verify, session);
  return session.scenario.dtype == ElementType::float64
             ? run_threads<double>(session, options, mode)
             : run_threads<float>(session, options, mode);
}

}  // namespace

Session open_run(Scenario scenario, const RunOptions& options,
                 const std::vector<std::string>& given) {
  Session session = open_session(std::move(scenario), given);
  if (!options.fault.empty()) plant(planted_fault(options.fault), session.plan);
  return session;
}

int report_run(const Session& session, const RunOptions& options,
               std::vector<AttentionOutput<float>> outputs) {
  return report<float>(session, options, verify_mode(options.verify, session), std::move(outputs));
}

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Run a scenario for real and verify it");
  command->footer(
      "Example:\n  ringlab run --tokens 4096 --heads 8 --kv-heads 2 --ranks 4 --layout zigzag "
      "--backward");
  options->flags.add_to(*command, {"hardware"});
  command->add_option("--transport", options->transport, "threads, or mpi (one process a rank)")
      ->type_name("NAME");
  add_device_options(*command, *options);
  command
      ->add_option("--verify", options->verify,
                   "Hold against full attention in float64: full, rows=N or none "
                   "[full up to 2048 tokens, else rows=256]")
      ->type_name("MODE");
  command->add_option("--tolerance", options->tolerance,
                      "Largest relative Frobenius error called equal [1e-6; backward 3e-6; float64 "
                      "1e-13, 1e-12; CUDA 2e-6, 3e-6; 16-bit 8e-3, 1.5e-2]");
  command->add_option("--trace", options->trace_file, "Write a Chrome trace (open it in Perfetto)")
      ->type_name("FILE");
  command
      ->add_option("--metrics", options->metrics_file,
                   "Write the figures as OpenMetrics text, for monitoring")
      ->type_name("FILE");
  command
      ->add_option("--save", options->save_folder,
                   "Write inputs, results and scenario into a folder")
      ->type_name("DIR");
  command->add_option("--timeout", options->timeout_seconds,
                      "Seconds without progress after which the run has failed [30]");
  command->add_option("--delay", options->delay_microseconds,
                      "Hold every transfer back by a random time below this, in microseconds [0]");
  command->add_option("--die-rank", options->die_rank,
                      "Kill this rank in the middle of the run [none]");
  command->add_option("--die-hop", options->die_hop, "... after its tile of this hop [0]");
  command
      ->add_option("--fault", options->fault,
                   "Plant a known mistake and see what it does; list shows them all")
      ->type_name("NAME");
  command->add_flag("--json", options->json, "One JSON object on standard output");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace ringlab::cli

// `ringlab demo`: the main job in a minute. A real text is one sequence over eight ranks; the ring
// runs, and what it did is held against full attention, a closed form, and the other layouts.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "cli/figures.hpp"

#include "ringlab/reference/attention/full.hpp"
#include "ringlab/reference/io/text.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/schedule/table.hpp"
#include "ringlab/reference/sequence/shard.hpp"
#include "ringlab/reference/session/session.hpp"
#include "ringlab/reference/workload/induction.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string input;
  Index tokens = 32768;
  int ranks = 8;
  bool json = false;
};

constexpr Index kVerifiedRows = 256;
// Relative Frobenius. Scores of a text reach 36, whose rounding in float32 is 2e-6, and a weight
// carries the rounding of its score; Gaussian inputs are held to 1e-6.
constexpr double kTolerance = 5e-6;
constexpr Index kChunks[] = {256, 1024, 4096};

// One layout's run: the outputs, and what each tile took on its rank's thread.
struct LayoutRun {
  Session session;
  std::vector<AttentionOutput<float>> outputs;
  std::vector<std::vector<double>> seconds;  // [rank][hop], processor time

  // A ring goes in lock step: each hop takes as long as its slowest rank.
  double lock_step_seconds() const {
    double sum = 0;
    for (std::size_t hop = 0; hop < seconds.front().size(); ++hop) {
      double slowest = 0;
      for (const auto& rank : seconds) slowest = std::max(slowest, rank[hop]);
      sum += slowest;
    }
    return sum;
  }
};

std::string default_input() {
  const char* root = std::getenv("RINGLAB_ROOT");
  return root ? root : RINGLAB_SOURCE;
}

Scenario scenario_of(const Options& options) {
  Scenario s;
  s.input = options.input.empty() ? default_input() : options.input;
  if (!std::filesystem::exists(s.input)) {
    throw InputError("input", s.input, "no such file or folder; name one with --input");
  }
  s.tokens = options.tokens;
  s.ranks = options.ranks;
  if (options.tokens < 2)
    throw InputError("tokens", std::to_string(options.tokens), "give 2 or more");
  if (options.ranks < 1 || options.ranks > 256) {
    throw InputError("ranks", std::to_string(options.ranks), "give 1 to 256");
  }
  return s;
}

LayoutRun run_layout(Scenario scenario, LayoutKind layout) {
  scenario.layout = layout;
  LayoutRun run{open_session(scenario, {"tokens"}), {}, {}};
  const Schedule& schedule = run.session.plan.forward;
  const auto ranks = static_cast<std::size_t>(schedule.size());
  run.seconds.assign(ranks, std::vector<double>(static_cast<std::size_t>(schedule.hops), 0));
  const Ledger ledger = make_ledger(schedule, run.session.plan.rule.mask);

  ProgressBar bar(fmt::format("{:<10}", name(layout)),
                  static_cast<long long>(ranks) * schedule.hops);
  const auto shard = [&](int rank) { return run.session.shard<float>(rank); };
  run.outputs =
      run_attention_threads<float>(run.session.plan, shard, {}, [&](const TileDone& done) {
        const auto r = static_cast<std::size_t>(done.rank),
                   hop = static_cast<std::size_t>(done.hop);
        run.seconds[r][hop] += done.cpu_seconds;
        const TileWork& tile = ledger.ranks[r].tiles[hop];
        bar.advance(fmt::format("hop {} of {}: {} on rank {}", done.hop + 1, schedule.hops,
                                label(schedule, tile.key_value), done.rank));
      });
  return run;
}

// Share of next bytes right in the second half of the text.
double share_right(const Session& session, const Tensor<float>& out) {
  const Index tokens = session.scenario.tokens, half = tokens / 2;
  std::vector<Index> rows;
  for (Index i = half; i < tokens; ++i) rows.push_back(i);
  return next_byte_share(session.inputs->text(), Positions::contiguous(half, tokens - half),
                         gather_rows(out, rows));
}

// The same head with the text cut into chunks that do not see each other: packed documents.
double share_right_in_chunks(const Session& session, Index chunk) {
  const Index tokens = session.scenario.tokens;
  std::vector<Index> lengths;
  for (Index first = 0; first < tokens; first += chunk)
    lengths.push_back(std::min(chunk, tokens - first));
  AttentionRule rule = session.plan.rule;
  rule.mask.documents = true;
  const Positions sequence = whole_sequence(tokens, lengths);
  const KeyValue<float> key_value{session.inputs->keys(sequence).cast<float>(),
                                  session.inputs->values(sequence).cast<float>()};
  return share_right(session, full_attention(rule, session.inputs->queries(sequence).cast<float>(),
                                             sequence, key_value, sequence, AttendKernel::v3_fast)
                                  .out);
}

struct Figures {
  Verification verification;
  Index held = 0, all = 0;          // key/value bytes: most on a rank, and of the whole sequence
  Index sent = 0, closed_form = 0;  // bytes, of the rank that sends most
  std::vector<std::pair<std::string, double>> shares;  // of next bytes right
};

Figures measure(const LayoutRun& run) {
  const Session& session = run.session;
  const Scenario& s = session.scenario;
  Figures f;
  f.verification = verify(session, run.outputs, {VerifyMode::rows, kVerifiedRows});
  Index largest_shard = 0;
  for (const Positions& shard : session.plan.forward.key_layout) {
    largest_shard = std::max(largest_shard, shard.size());
  }
  f.all = s.tokens * 2 * s.key_value_heads() * s.head_dim * 4;
  f.closed_form = (s.ranks - 1) * largest_shard * 2 * s.key_value_heads() * s.head_dim * 4;
  std::vector<Tensor<float>> shards;
  for (const AttentionOutput<float>& output : run.outputs) {
    f.held = std::max(f.held, output.forward.peak_key_value_bytes);
    f.sent = std::max(f.sent, output.forward.bytes_sent);
    shards.push_back(output.result.out);
  }
  f.shares.emplace_back("the whole text", share_right(session, whole(session, shards, true)));
  for (auto chunk = std::rbegin(kChunks); chunk != std::rend(kChunks); ++chunk) {
    if (*chunk >= s.tokens) continue;
    f.shares.emplace_back(fmt::format("chunks of {}", *chunk),
                          share_right_in_chunks(session, *chunk));
  }
  return f;
}

void print_balance(const std::vector<LayoutRun>& runs) {
  fmt::print("{}\n", bold("Balance: what a rank computes, and what the ring then waits for"));
  fmt::print("  {:<12}{:>28}{:>12}{:>16}{:>14}\n", "layout", "million pairs on a rank", "useful",
             "lock step*", "against best");
  double best = INFINITY;
  for (const LayoutRun& run : runs) best = std::min(best, run.lock_step_seconds());
  for (const LayoutRun& run : runs) {
    const Ledger ledger = make_ledger(run.session.plan.forward, run.session.plan.rule.mask);
    Index least = ledger.pair_heads;
    for (const RankLedger& rank : ledger.ranks) least = std::min(least, rank.pair_heads);
    fmt::print("  {:<12}{:>28}{:>10.1f} %{:>16}{:>13.2f}x\n", name(run.session.scenario.layout),
               fmt::format("{:.1f} to {:.1f}", ledger.pairs(least) / 1e6,
                           ledger.pairs(ledger.worst_rank_pair_heads) / 1e6),
               100 * ledger.efficiency(), seconds_text(run.lock_step_seconds()),
               run.lock_step_seconds() / best);
  }
  fmt::print("  {}\n\n",
             dim("* sum over hops of the slowest rank's processor time: the wall clock if "
                 "every rank had a core"));
}

void print_report(const std::vector<LayoutRun>& runs, const Figures& f, bool exact,
                  const TextInput& text, double seconds) {
  const LayoutRun& main = runs.front();
  const Scenario& s = main.session.scenario;
  const Schedule& schedule = main.session.plan.forward;
  const Ledger ledger = make_ledger(schedule, main.session.plan.rule.mask);
  fmt::print("{}\n", bold("Exact attention over one text, split over " + std::to_string(s.ranks) +
                          " ranks"));
  fmt::print("  {} bytes of {} ({} file{}), every byte a token; causal, one head of {}\n\n",
             s.tokens, s.input == default_input() ? "this project's own text" : s.input,
             text.parts.size(), text.parts.size() == 1 ? "" : "s", s.head_dim);

  fmt::print("{}\n",
             bold("The ring: which keys and values are on which rank at each hop (zigzag)"));
  if (s.ranks <= 8) {
    std::string table = schedule_table(schedule, ledger);
    table.pop_back();
    for (std::size_t at = 0; (at = table.find('\n', at)) != std::string::npos; at += 3) {
      table.replace(at, 1, "\n  ");
    }
    fmt::print("  {}\n", table);
  } else {
    fmt::print("  {} ranks, {} hops: see 'ringlab schedule ring --ranks {} --tokens {}'\n", s.ranks,
               schedule.hops, s.ranks, s.tokens);
  }
  fmt::print("  {}\n\n", dim("queries stay; each block of keys and values moves to the next rank"));

  fmt::print("{}\n", bold("Exact"));
  fmt::print(
      "  largest difference from full attention in float64, on {} rows: {:.2e} (relative {:.2e})\n",
      f.verification.out.rows, f.verification.out.max_abs_error,
      f.verification.out.rel_frobenius_error);
  fmt::print("  {}\n\n", exact ? fmt::format("equal, within {:.0e}", kTolerance)
                               : fmt::format("DIFFERENT by more than {:.0e}", kTolerance));

  fmt::print("{}\n", bold("Memory and traffic"));
  fmt::print("  keys and values held by a rank   {:>10}   all of them would be {}\n",
             bytes_text(static_cast<double>(f.held)), bytes_text(static_cast<double>(f.all)));
  fmt::print(
      "  sent by a rank                   {:>10}   closed form (R-1) n 2 D 4 = {} bytes, {}\n\n",
      bytes_text(static_cast<double>(f.sent)), f.closed_form,
      f.sent == f.closed_form ? "equal" : fmt::format("but {} were sent", f.sent));

  print_balance(runs);

  fmt::print("{}\n", bold("Reading: next byte guessed right, second half of the text"));
  for (const auto& [what, share] : f.shares) {
    fmt::print("  {:<16}{:>6.1f} %  {}\n", what, 100 * share,
               std::string(static_cast<std::size_t>(std::lround(40 * share)), '#'));
  }
  fmt::print("  {}\n\n",
             dim("an untrained induction head: it looks up where the same words stood before"));
  fmt::print("done in {}\n", seconds_text(seconds));
}

void print_json(const std::vector<LayoutRun>& runs, const Figures& f, bool exact, double seconds) {
  const Scenario& s = runs.front().session.scenario;
  Json layouts = Json::object(), shares = Json::object();
  for (const LayoutRun& run : runs) {
    const Ledger ledger = make_ledger(run.session.plan.forward, run.session.plan.rule.mask);
    layouts[name(run.session.scenario.layout)] = {
        {"visible_pairs_per_rank", pairs_per_rank_json(ledger)},
        {"efficiency", ledger.efficiency()},
        {"lock_step_seconds", run.lock_step_seconds()}};
  }
  for (const auto& [what, share] : f.shares) shares[what] = share;
  const Json json = {{"input", s.input},
                     {"tokens", s.tokens},
                     {"ranks", s.ranks},
                     {"exact", exact},
                     {"tolerance", kTolerance},
                     {"verified_rows", f.verification.out.rows},
                     {"max_abs_error", f.verification.out.max_abs_error},
                     {"rel_frobenius_error", f.verification.out.rel_frobenius_error},
                     {"peak_kv_bytes_per_rank", f.held},
                     {"all_kv_bytes", f.all},
                     {"bytes_sent_per_rank", f.sent},
                     {"bytes_sent_closed_form", f.closed_form},
                     {"layouts", layouts},
                     {"next_byte_right", shares},
                     {"seconds", seconds}};
  fmt::print("{}\n", json.dump(1));
}

int run(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const Scenario scenario = scenario_of(options);
  const TextInput text = read_text(scenario.input, scenario.tokens);
  std::vector<LayoutRun> runs;
  for (const LayoutKind layout :
       {LayoutKind::zigzag, LayoutKind::striped, LayoutKind::contiguous}) {
    runs.push_back(run_layout(scenario, layout));
    if (layout != LayoutKind::zigzag)
      runs.back().outputs.clear();  // only the timing is of interest
  }
  const Figures figures = measure(runs.front());
  const bool exact = figures.verification.out.rel_frobenius_error <= kTolerance &&
                     figures.sent == figures.closed_form;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.json) {
    print_json(runs, figures, exact, seconds);
  } else {
    print_report(runs, figures, exact, text, seconds);
  }
  return exact ? kGood : kNo;
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "demo", "Read a real text as one sequence over eight ranks and prove it exact");
  command->footer("Example:\n  ringlab demo --tokens 8192 --ranks 4");
  command
      ->add_option("--input", options->input,
                   "A text file or a folder of them [this project's text]")
      ->type_name("PATH");
  command->add_option("--tokens", options->tokens, "Bytes of it to read [32768]");
  command->add_option("--ranks", options->ranks, "Ranks of the ring [8]");
  command->add_flag("--json", options->json, "One JSON object on standard output");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace ringlab::cli

// `ringlab gate`: holds results against targets that were written before; go, or hold.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/sim/gate/gate.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string targets_file, baseline_file, store_file;
  std::vector<std::string> results;
  bool json = false;
};

// What becomes of --store-baseline.
struct Stored {
  bool asked = false, done = false;
};

Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json figure_json(const std::optional<Figure>& figure) {
  if (!figure) return nullptr;
  if (const double* number = std::get_if<double>(&*figure)) return number_json(*number);
  if (const bool* truth = std::get_if<bool>(&*figure)) return *truth;
  return std::get<std::string>(*figure);
}

Json row_json(const Targets& targets, const GateRow& row) {
  const Target& t = targets.targets[row.target];
  Json json = {{"metric", t.metric},
               {"in", t.in},
               {"kind", name(t.kind)},
               {"wanted", bound_text(t, row.bound)},
               {"verdict", name(row.verdict)},
               {"measured", figure_json(row.measured)},
               {"from", row.from},
               {"values", row.values}};
  if (row.measured && std::isfinite(row.relative_miss)) json["relative_miss"] = row.relative_miss;
  if (row.baseline) json["baseline"] = number_json(*row.baseline);
  if (row.drift_percent) json["drift_percent"] = number_json(*row.drift_percent);
  if (!row.reason.empty()) json["reason"] = row.reason;
  return json;
}

void print_json(const Targets& targets, const GateReport& report, const Stored& stored) {
  Json rows = Json::array(), waived = Json::object();
  for (const GateRow& row : report.rows) rows.push_back(row_json(targets, row));
  for (const auto& [kind, reason] : targets.waived) waived[name(kind)] = reason;
  Json json = {{"gate", targets.name},
               {"go", report.go()},
               {"met", report.met},
               {"missed", report.missed},
               {"unmeasured", report.unmeasured},
               {"close_first", nullptr},
               {"rows", rows},
               {"waived", waived}};
  if (report.first_gap) {
    const GateRow& gap = report.rows[*report.first_gap];
    json["close_first"] = {{"metric", targets.targets[gap.target].metric},
                           {"text", gap_text(targets, gap)}};
  }
  if (stored.asked) json["baseline_stored"] = stored.done;
  fmt::print("{}\n", json.dump(1));
}

std::string room_text(const GateRow& row) {
  if (row.bound == GateRow::drift && row.drift_percent) {
    return std::isfinite(*row.drift_percent) ? fmt::format("{:+.1f} %", *row.drift_percent)
                                             : "from 0";
  }
  if (!row.measured || !std::isfinite(row.relative_miss)) return "";
  // Beyond this a percentage says no more than its size.
  const double percent = 100 * row.relative_miss;
  return std::abs(percent) < 1e5 ? fmt::format("{:+.1f} %", percent)
                                 : fmt::format("{:+.1e} %", percent);
}

void print_text(const Targets& targets, const GateReport& report) {
  std::vector<std::array<std::string, 6>> lines = {
      {"kind", "metric", "wanted", "measured", "off by", "from"}};
  for (const GateRow& row : report.rows) {
    const Target& t = targets.targets[row.target];
    const std::string from =
        row.values > 1 ? fmt::format("{}, worst of {}", row.from, row.values) : row.from;
    lines.push_back({name(t.kind), t.metric, bound_text(t, row.bound),
                     row.measured ? figure_text(*row.measured) : "-", room_text(row), from});
  }
  std::array<std::size_t, 6> width{};
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], line[i].size());
  }
  fmt::print("{}\n\n", bold(targets.name));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& l = lines[i];
    const std::string verdict = i == 0 ? "" : name(report.rows[i - 1].verdict);
    std::string text = fmt::format("  {:<10}  {:<{}}  {:<{}}  {:<{}}  {:>{}}  {:>{}}  {:<{}}",
                                   verdict, l[0], width[0], l[1], width[1], l[2], width[2], l[3],
                                   width[3], l[4], width[4], l[5], width[5]);
    text.erase(text.find_last_not_of(' ') + 1);
    fmt::print("{}\n", i == 0 ? dim(text) : bold(text, is_terminal_out() && verdict != "met"));
  }
  fmt::print("\n");
  for (const GateRow& row : report.rows) {
    const Target& t = targets.targets[row.target];
    if (row.verdict == Verdict::unmeasured) {
      fmt::print("unmeasured: {}, {}: {}\n", t.metric, bound_text(t, row.bound), row.reason);
    }
  }
  for (const auto& [kind, reason] : targets.waived) {
    fmt::print("waived: {}: {}\n", name(kind), reason);
  }
  if (report.go()) {
    fmt::print("go: {} met\n",
               report.met == 1 ? "the one bound is" : fmt::format("all {} bounds are", report.met));
    return;
  }
  fmt::print("hold: {} met, {} missed, {} unmeasured\n", report.met, report.missed,
             report.unmeasured);
  fmt::print("close first: {}\n", gap_text(targets, report.rows[*report.first_gap]));
}

bool drift_missed(const GateReport& report) {
  for (const GateRow& row : report.rows) {
    if (row.bound == GateRow::drift && row.verdict == Verdict::missed) return true;
  }
  return false;
}

int run(const Options& options) {
  const Targets targets = load_targets(options.targets_file);
  std::vector<Result> results;
  for (const std::string& argument : options.results) results.push_back(Result::load(argument));
  std::optional<Baseline> baseline;
  if (!options.baseline_file.empty()) baseline = load_baseline(options.baseline_file);

  const GateReport report = hold_against(targets, results, baseline);
  // A baseline is what drift is counted from: what misses a bound, or has drifted, does not move
  // it.
  Stored stored{!options.store_file.empty(), false};
  if (stored.asked && report.bounds_met() && !drift_missed(report)) {
    write_file(options.store_file, to_json(report.measured), "store_baseline");
    stored.done = true;
  }
  if (options.json) {
    print_json(targets, report, stored);
  } else {
    print_text(targets, report);
  }
  if (stored.asked && !stored.done) {
    fmt::print(stderr, "ringlab: the baseline was not stored: a bound is not met\n");
  }
  return report.go() ? kGood : kNo;
}

}  // namespace

void add_gate(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "gate", "Hold results against targets: go (0), or hold (1) and the one gap to close first");
  command->footer(
      "Results are the JSON of run, bench and sim, or traces. A metric is a path in one:\n"
      "  seconds, dq.max_abs_error, bytes_sent_per_rank.max, rows[what=forward].gflops,\n"
      "  trace.seconds, trace.transfer_hidden, trace.per_rank[*].exposed_seconds\n"
      "Several values for one target: the worst counts. Not measured is not met.\n"
      "Example:\n"
      "  ringlab run --tokens 1024 --ranks 4 --layout zigzag --json > run.json\n"
      "  ringlab gate sim/gate/example.targets.json run.json");
  command
      ->add_option("targets", options->targets_file,
                   "What has to be true (sim/gate/targets.schema.json)")
      ->type_name("TARGETS.json")
      ->required();
  command
      ->add_option("results", options->results,
                   "Result files, LABEL=FILE or FILE; a label is a target's `in`")
      ->type_name("RESULT.json")
      ->required();
  command->add_option("--baseline", options->baseline_file, "What drift is counted from")
      ->type_name("FILE");
  command
      ->add_option("--store-baseline", options->store_file,
                   "Write what was measured as a baseline, if every bound is met")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "One JSON object on standard output");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace ringlab::cli

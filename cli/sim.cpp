// `ringlab sim`: a scenario's schedule in simulated time on a described cluster.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/compare.hpp"
#include "cli/console.hpp"
#include "cli/sim_compare.hpp"
#include "cli/sim_outputs.hpp"
#include "cli/sim_text.hpp"
#include "ringlab/sim/validate/validate.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  SimFlags flags;
  SimOutputs outputs;
  bool compare = false, explain = false, validate = false, json = false;
};

double seconds_of(Picoseconds time) {
  return static_cast<double>(time) * 1e-12;
}

Json memory_json(const MemoryParts& m) {
  return {{"query", m.query},
          {"key_value", m.key_value},
          {"partial", m.partial},
          {"output_gradient", m.output_gradient},
          {"row_statistics", m.row_statistics},
          {"query_gradient", m.query_gradient},
          {"key_value_gradient", m.key_value_gradient},
          {"waiting", m.waiting},
          {"total", m.total()}};
}

Json result_json(const SimRequest& request, const SimResult& result) {
  const Scenario& s = request.scenario;
  Json ranks = Json::array(), links = Json::array(), bounds = Json::array();
  for (const RankResult& r : result.ranks) {
    ranks.push_back({{"finish_seconds", seconds_of(r.finish)},
                     {"compute_seconds", seconds_of(r.compute)},
                     {"idle_seconds", seconds_of(r.finish - r.compute)},
                     {"transfer_seconds", seconds_of(r.transfer)},
                     {"hidden_seconds", seconds_of(r.hidden)},
                     {"exposed_seconds", seconds_of(r.exposed)},
                     {"messages_sent", r.messages_sent},
                     {"bytes_sent", r.bytes_sent},
                     {"bytes_received", r.bytes_received},
                     {"flops", r.flops},
                     {"peak_bytes", memory_json(r.memory)}});
  }
  for (const LinkResult& l : result.links) {
    links.push_back({{"name", l.name},
                     {"level", l.level},
                     {"messages", l.messages},
                     {"bytes", l.bytes},
                     {"busy_seconds", seconds_of(l.busy)},
                     {"queued_seconds", seconds_of(l.queued)},
                     {"longest_wait_seconds", seconds_of(l.most_queued)},
                     {"bytes_per_second", l.bytes_per_second}});
  }
  for (const LowerBound& b : result.bounds) {
    bounds.push_back({{"name", b.name}, {"seconds", b.seconds}});
  }
  Json json = {{"schedule", result.schedule},
               {"backward", result.backward},
               {"ranks", s.ranks},
               {"tokens", s.tokens},
               {"layout", name(s.layout)},
               {"cluster", request.options.cluster.name},
               {"placement", name(request.placement)},
               {"kernel", request.options.attention.provenance()},
               {"seconds", result.seconds()},
               {"hidden_share", result.hidden_share()},
               {"events", result.events},
               {"lower_bounds", bounds},
               {"per_rank", ranks},
               {"links", links}};
  if (request.model) {
    json["model"] = request.model->name;
    json["layers"] = request.model->layers;
    json["seconds_all_layers"] = result.seconds() * request.model->layers;
  }
  return json;
}

int print_validation(bool json) {
  const ValidationReport report = validate();
  fmt::print("{}", json ? to_json(report) : to_text(report));
  // Calibrated figures outside their tolerance are residuals to be known, not a failure.
  return report.failed(true) == 0 ? kGood : kNo;
}

int run(const Options& options) {
  if (options.validate) return print_validation(options.json);
  SimRequest request = request_of(options.flags);
  if (options.compare) {
    for (const bool other :
         {options.explain, !options.outputs.plot_file.empty(), options.outputs.need_trace()}) {
      if (other) {
        throw InputError("compare", "given with another output",
                         "many runs have no single trace, plot or algebra; drop one of the two");
      }
    }
    return compare_simulated(request, options.json);
  }
  check(options.outputs, request);
  request.options.keep_trace = options.outputs.need_trace();
  const SimResult result = simulate(request);
  write(options.outputs, request, result);
  if (options.json) {
    fmt::print("{}\n", result_json(request, result).dump(1));
    return kGood;
  }
  print_heading(request);
  print_result(request, result);
  if (options.explain) print_algebra(request, result);
  return kGood;
}

}  // namespace

void add_sim(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "sim",
      "Simulate a scenario on a described cluster, in bfloat16 if it does not say otherwise");
  command->footer(
      "Example:\n  ringlab sim --ranks 16 --tokens 262144 --model llama3-8b --cluster 2x8xh100 "
      "--explain");
  options->flags.add_to(*command);
  command->add_flag("--compare", options->compare,
                    "All schedules and layouts side by side, fastest first");
  command->add_flag("--explain", options->explain,
                    "Also the algebra: when a hop hides, what the closed form says");
  command->add_flag("--validate", options->validate,
                    "Hold the simulator against published figures instead, all of them");
  options->outputs.add_to(*command);
  command->add_flag("--json", options->json, "One JSON object on standard output");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace ringlab::cli

// `ringlab bench plan`: how long the search over layouts takes.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "ringlab/sim/plan/search.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Case {
  const char* model;
  const char* cluster;
  Index tokens;
  int batch;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int bench_plan(bool json) {
  Json rows = Json::array();
  if (!json) {
    fmt::print("{:<14}{:>8}{:>12}{:>8}{:>10}{:>12}{:>14}\n", "model", "GPUs", "tokens", "batch",
               "layouts", "search", "verification");
  }
  for (const Case& c : {Case{"llama3-70b", "128x8xh100", 1 << 20, 64},
                        Case{"llama3-405b", "2048x8xh100", 10000000, 16}}) {
    PlanRequest request;
    request.model = load_model(c.model);
    request.cluster = load_cluster(c.cluster);
    request.work = {.purpose = Purpose::train, .tokens = c.tokens, .batch = c.batch};
    auto start = std::chrono::steady_clock::now();
    PlanResult result = search(request);
    const double searched = seconds_since(start);
    start = std::chrono::steady_clock::now();
    verify(request, result);
    const double verified = seconds_since(start);
    rows.push_back({{"model", c.model},
                    {"gpus", request.cluster.gpus()},
                    {"tokens", c.tokens},
                    {"batch", c.batch},
                    {"layouts", result.layouts},
                    {"search_seconds", searched},
                    {"verify_seconds", verified}});
    if (!json) {
      fmt::print("{:<14}{:>8}{:>12}{:>8}{:>10}{:>12}{:>14}\n", c.model, request.cluster.gpus(),
                 c.tokens, c.batch, result.layouts, seconds_text(searched), seconds_text(verified));
    }
  }
  if (json) fmt::print("{}\n", Json{{"rows", rows}}.dump(1));
  return kGood;
}

}  // namespace

void add_bench_plan(CLI::App& bench, Action& action) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      bench.add_subcommand("plan", "The search over layouts of 1024 and of 16384 GPUs");
  command->footer("Example:\n  ringlab bench plan");
  command->add_flag("--json", *json, "One JSON object on standard output");
  command->callback([json, &action] { action = [json] { return bench_plan(*json); }; });
}

}  // namespace ringlab::cli

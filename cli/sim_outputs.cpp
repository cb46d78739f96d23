#include "cli/sim_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/sim_text.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/scenario/mask_text.hpp"
#include "ringlab/reference/session/session.hpp"
#include "ringlab/reference/trace/chrome.hpp"
#include "ringlab/sim/report/chakra.hpp"
#include "ringlab/sim/report/csv.hpp"
#include "ringlab/sim/report/curves.hpp"
#include "ringlab/sim/report/memory_bars.hpp"
#include "ringlab/sim/report/timeline.hpp"
#include "ringlab/sim/report/trace_metrics.hpp"

namespace ringlab::cli {
namespace {

// Above this a trace takes gigabytes, and no viewer opens it.
constexpr int kMostTracedRanks = 256;

std::string title_of(const SimRequest& request) {
  const Scenario& s = request.scenario;
  return fmt::format("{} {}, {} ranks on {}", s.schedule, s.backward ? "backward" : "forward",
                     s.ranks, request.options.cluster.name);
}

std::string subtitle_of(const SimRequest& request) {
  const Scenario& s = request.scenario;
  return fmt::format("{}, {} layout, {} query and {} key/value heads of {}",
                     plot_value(PlotUnit::tokens, static_cast<double>(s.tokens)), name(s.layout),
                     s.heads, s.key_value_heads(), s.head_dim);
}

std::string memory_plot(const SimRequest& request, const SimResult& result) {
  MemoryBarsPlot plot{
      title_of(request), subtitle_of(request) + "; attention's own buffers", {}, 0, ""};
  const std::size_t step = std::max<std::size_t>(1, result.ranks.size() / 16);
  for (std::size_t r = 0; r < result.ranks.size(); r += step) {
    const MemoryParts& m = result.ranks[r].memory;
    MemoryBar bar{fmt::format("rank {}", r), {}};
    for (const auto& [what, bytes] : {std::pair{"queries", m.query},
                                      {"keys and values", m.key_value},
                                      {"output and lse", m.partial},
                                      {"output gradient", m.output_gradient},
                                      {"lse and delta", m.row_statistics},
                                      {"query gradient", m.query_gradient},
                                      {"key/value gradients", m.key_value_gradient},
                                      {"parts waiting", m.waiting}}) {
      if (bytes > 0) bar.parts.push_back({what, static_cast<double>(bytes)});
    }
    plot.bars.push_back(std::move(bar));
  }
  return memory_bars_svg(plot);
}

SimRequest bare_of(SimRequest request) {
  request.options.keep_trace = false;
  request.options.longest_chain = false;
  request.options.stragglers.clear();
  request.options.link_loss.reset();
  return request;
}

// Simulated time against one number of the scenario.
template <class Values, class Change>
PlotCurve simulated_curve(const SimRequest& request, const std::string& label, const Values& values,
                          const Change& change) {
  PlotCurve curve{label, {}};
  for (const auto value : values) {
    SimRequest one = bare_of(request);
    change(one, value);
    check(one.scenario);
    one.options.placement = place_ranks(one.options.cluster, one.scenario.ranks, one.placement);
    const double seconds = simulate(one).seconds();
    if (seconds > 0) curve.points.push_back({static_cast<double>(value), seconds});
  }
  return curve;
}

std::string ranks_plot(const SimRequest& request) {
  std::vector<int> ranks;
  for (int r = 1; r <= std::min(request.options.cluster.gpus(), 256); r *= 2) ranks.push_back(r);
  CurvesPlot plot{fmt::format("{}: time against ranks on {}", request.scenario.schedule,
                              request.options.cluster.name),
                  subtitle_of(request),
                  {"ranks", PlotUnit::ranks, true},
                  {"time of the run", PlotUnit::seconds, true},
                  {},
                  ""};
  plot.curves.push_back(simulated_curve(request, "simulated", ranks,
                                        [](SimRequest& one, int r) { one.scenario.ranks = r; }));
  PlotCurve ideal{"ideal", {}, true, false};
  for (const auto& [r, seconds] : plot.curves[0].points) {
    ideal.points.push_back({r, plot.curves[0].points[0].second / r});
  }
  plot.curves.push_back(ideal);
  return curves_svg(plot);
}

std::vector<Index> lengths_around(const Scenario& scenario) {
  std::vector<Index> lengths;
  for (Index n = std::max<Index>(scenario.ranks * 64, scenario.tokens / 32);
       n <= std::min<Index>(scenario.tokens * 8, 1 << 27); n *= 2) {
    lengths.push_back(n);
  }
  return lengths;
}

std::string length_plot(const SimRequest& request) {
  CurvesPlot plot{
      title_of(request) + ": time against length",  "", {"tokens", PlotUnit::tokens, true},
      {"time of the run", PlotUnit::seconds, true}, {}, ""};
  plot.curves.push_back(
      simulated_curve(request, "simulated", lengths_around(request.scenario),
                      [](SimRequest& one, Index tokens) { one.scenario.tokens = tokens; }));
  return curves_svg(plot);
}

// A hop's transfer and its tile against tokens a rank: where they cross, the ring begins to hide.
std::string break_even_plot(const SimRequest& request) {
  const Scenario& s = request.scenario;
  const double share = request.options.mask.causal ? 0.5 : 1;
  PlotCurve tile{"a tile", {}}, hop{"a hop's transfer", {}};
  const double row =
      2.0 * s.key_value_heads() * s.head_dim *
      (request.options.element.input + (s.backward ? request.options.element.accumulator : 0));
  const RingBottleneck slowest =
      ring_bottleneck(request.options.cluster, request.options.placement, row * 1024);
  for (double n = 64; n <= 1 << 20; n *= 2) {
    const double heads = s.heads;
    tile.points.push_back(
        {n, request.options.attention.seconds(
                {n * n * heads * share, n * n * heads, n, n, s.heads, s.head_dim, s.backward})});
    hop.points.push_back({n, slowest.link.seconds(row * n)});
  }
  return curves_svg({fmt::format("When a hop hides on {}", request.options.cluster.name),
                     fmt::format("over {}, {} query and {} key/value heads of {}", slowest.level,
                                 s.heads, s.key_value_heads(), s.head_dim),
                     {"tokens per rank", PlotUnit::tokens, true},
                     {"time of a hop", PlotUnit::seconds, true},
                     {tile, hop},
                     "break-even"});
}

std::string plot_text(const SimOutputs& outputs, const SimRequest& request,
                      const SimResult& result) {
  if (outputs.plot_of == "memory") return memory_plot(request, result);
  if (outputs.plot_of == "ranks") return ranks_plot(request);
  if (outputs.plot_of == "length") return length_plot(request);
  if (outputs.plot_of == "break-even") return break_even_plot(request);
  return timeline_svg(result.trace, {title_of(request), subtitle_of(request)});
}

std::string metrics_text(const SimRequest& request, const SimResult& result) {
  using enum MetricType;
  const Scenario& s = request.scenario;
  std::vector<MetricFamily> families;
  families.push_back({"ringlab_sim",
                      info,
                      "",
                      "What was simulated.",
                      {{{{"schedule", result.schedule},
                         {"layout", name(s.layout)},
                         {"mask", to_text(s.mask)},
                         {"dtype", name(s.dtype)},
                         {"direction", s.backward ? "backward" : "forward"},
                         {"cluster", request.options.cluster.name}},
                        1}}});
  for (MetricFamily& family : trace_metrics("ringlab_sim", result.trace)) {
    families.push_back(std::move(family));
  }
  MetricFamily bound{
      "ringlab_sim_lower_bound_seconds", gauge, "seconds", "Times that no run can beat.", {}};
  for (const LowerBound& b : result.bounds) bound.samples.push_back({{{"of", b.name}}, b.seconds});
  families.push_back(bound);
  MetricFamily busy{"ringlab_sim_link_busy_ratio", gauge, "ratio", "Busy share of a link.", {}};
  MetricFamily queued{"ringlab_sim_link_queued_seconds",
                      gauge,
                      "seconds",
                      "Time that messages waited for a link.",
                      {}};
  for (const LinkResult& link : result.links) {
    busy.samples.push_back({{{"link", link.name}},
                            result.total > 0
                                ? static_cast<double>(link.busy) / static_cast<double>(result.total)
                                : 0});
    queued.samples.push_back({{{"link", link.name}}, static_cast<double>(link.queued) * 1e-12});
  }
  families.push_back(busy);
  families.push_back(queued);
  return open_metrics_text(families);
}

}  // namespace

void SimOutputs::add_to(CLI::App& command) {
  command.add_option("--trace", trace_file, "Write a Chrome trace (open it in Perfetto)")
      ->type_name("FILE");
  command.add_option("--csv", csv_file, "Write every event as comma-separated values")
      ->type_name("FILE");
  command.add_option("--plot", plot_file, "Draw a picture")->type_name("FILE.svg");
  command
      .add_option("--plot-of", plot_of,
                  "... of the timeline, the memory, the break-even, or the time against ranks or "
                  "length [timeline]")
      ->type_name("NAME");
  command
      .add_option("--metrics", metrics_file,
                  "Write the figures as OpenMetrics text, for monitoring")
      ->type_name("FILE");
  command
      .add_option("--chakra", chakra_folder,
                  "Write Chakra execution traces, for other simulators to replay")
      ->type_name("DIR");
}

bool SimOutputs::need_trace() const {
  return !trace_file.empty() || !csv_file.empty() || !metrics_file.empty() ||
         (!plot_file.empty() && plot_of == "timeline");
}

void check(const SimOutputs& outputs, const SimRequest& request) {
  const std::vector<std::string> plots = {"timeline", "memory", "break-even", "ranks", "length"};
  if (std::find(plots.begin(), plots.end(), outputs.plot_of) == plots.end()) {
    throw InputError("plot-of", outputs.plot_of,
                     "give timeline, memory, break-even, ranks or length");
  }
  if ((outputs.need_trace() || !outputs.chakra_folder.empty()) &&
      request.scenario.ranks > kMostTracedRanks) {
    throw InputError("ranks", std::to_string(request.scenario.ranks),
                     fmt::format("traces of every event are kept for at most {}; drop --trace, "
                                 "--csv, --metrics, --chakra and the timeline, or give fewer ranks",
                                 kMostTracedRanks));
  }
}

void write(const SimOutputs& outputs, const SimRequest& request, const SimResult& result) {
  if (!outputs.trace_file.empty()) {
    Trace trace = result.trace;
    trace.metadata["scenario"] = to_json(request.scenario);
    trace.metadata["cluster"] = request.options.cluster.name;
    trace.metadata["clock"] = "simulated";
    write_file(outputs.trace_file, to_chrome_json(trace), "trace");
  }
  if (!outputs.csv_file.empty()) write_file(outputs.csv_file, to_csv(result.trace), "csv");
  if (!outputs.plot_file.empty()) {
    write_file(outputs.plot_file, plot_text(outputs, request, result), "plot");
  }
  if (!outputs.metrics_file.empty()) {
    write_file(outputs.metrics_file, metrics_text(request, result), "metrics");
  }
  if (outputs.chakra_folder.empty()) return;
  const Schedule schedule = schedule_of(request.scenario);
  const auto seconds = [&](int rank, const TileWork& tile) {
    const double heads = tile.query.heads;
    const double queries = static_cast<double>(schedule.token_count(tile.query));
    const double keys = static_cast<double>(schedule.token_count(tile.key_value));
    return request.options.attention.seconds(
               {static_cast<double>(tile.pairs) * heads, queries * keys * heads, queries, keys,
                tile.query.heads, schedule.head_dim, schedule.backward}) *
           result.ranks[static_cast<std::size_t>(rank)].straggler;
  };
  write_chakra(outputs.chakra_folder, schedule.name,
               to_chakra(schedule, request.options.mask, seconds, request.options.element));
}

}  // namespace ringlab::cli

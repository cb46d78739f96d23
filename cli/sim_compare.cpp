#include "cli/sim_compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "cli/sim_text.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
  std::string schedule, chosen;  // chosen: what `auto` has taken
  LayoutKind layout = LayoutKind::contiguous;
  std::string ruled_out;  // empty, or the constraint that rules it out
  double seconds = 0, hidden = 1;
  Picoseconds compute = 0, exposed = 0;  // of the rank with most
  Index sent = 0, memory = 0;
};

Row row_of(const CatalogEntry& entry, LayoutKind layout, SimRequest request) {
  Row row;
  row.schedule = entry.name;
  row.layout = layout;
  request.scenario.schedule = entry.name;
  request.scenario.layout = layout;
  if (entry.axes.empty()) request.scenario.degree.clear();
  request.options.longest_chain = false;
  try {
    const SimResult result = simulate(request);
    row.chosen = result.schedule;
    row.seconds = result.seconds();
    row.hidden = result.hidden_share();
    for (const RankResult& rank : result.ranks) {
      row.compute = std::max(row.compute, rank.compute);
      row.exposed = std::max(row.exposed, rank.exposed);
      row.sent = std::max(row.sent, rank.bytes_sent);
      row.memory = std::max(row.memory, rank.memory.total());
    }
  } catch (const InputError& error) {
    row.ruled_out = fmt::format("{} {}: {}", error.field(), error.value(), error.remedy());
  }
  return row;
}

std::string name_of(const Row& row) {
  return row.chosen.empty() || row.chosen == row.schedule
             ? row.schedule
             : fmt::format("{} ({})", row.schedule, row.chosen);
}

}  // namespace

int compare_simulated(const SimRequest& request, bool json) {
  std::vector<Row> rows;
  std::vector<LayoutKind> layouts = {LayoutKind::contiguous, LayoutKind::striped,
                                     LayoutKind::zigzag};
  const LayoutKind own = request.scenario.layout;
  if (std::find(layouts.begin(), layouts.end(), own) == layouts.end()) layouts.push_back(own);
  ProgressBar bar("simulating", static_cast<long long>(schedule_catalog().size()));
  for (const CatalogEntry& entry : schedule_catalog()) {
    for (const LayoutKind layout : layouts) {
      rows.push_back(row_of(entry, layout, request));
      if (!rows.back().ruled_out.empty()) break;  // the layout is not what rules it out
    }
    bar.advance(entry.name);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    if (a.ruled_out.empty() != b.ruled_out.empty()) return a.ruled_out.empty();
    return a.seconds < b.seconds;
  });
  if (json) {
    Json list = Json::array();
    for (const Row& r : rows) {
      if (!r.ruled_out.empty()) {
        list.push_back({{"schedule", r.schedule}, {"ruled_out", r.ruled_out}});
        continue;
      }
      list.push_back({{"schedule", r.schedule},
                      {"chosen", r.chosen},
                      {"layout", name(r.layout)},
                      {"seconds", r.seconds},
                      {"hidden_share", r.hidden},
                      {"compute_seconds", static_cast<double>(r.compute) * 1e-12},
                      {"exposed_seconds", static_cast<double>(r.exposed) * 1e-12},
                      {"bytes_sent", r.sent},
                      {"peak_bytes", r.memory}});
    }
    fmt::print("{}\n", Json{{"cluster", request.options.cluster.name},
                            {"ranks", request.scenario.ranks},
                            {"rows", list}}
                           .dump(1));
    return kGood;
  }
  print_heading(request);
  fmt::print("every schedule and layout on it; the busiest rank of each column\n\n");
  fmt::print("{:<32}{:<12}{:>11}{:>8}{:>11}{:>11}{:>9}{:>12}{:>12}\n", "schedule", "layout",
             "total", "", "compute", "exposed", "hidden", "sent", "memory");
  const double best = rows.front().seconds;
  for (const Row& r : rows) {
    if (!r.ruled_out.empty()) {
      fmt::print("{:<32}{}\n", r.schedule, dim("ruled out: " + r.ruled_out));
      continue;
    }
    fmt::print("{:<32}{:<12}{:>11}{:>8}{:>11}{:>11}{:>7.1f} %{:>12}{:>12}\n", name_of(r),
               name(r.layout), time_text(r.seconds),
               best > 0 ? fmt::format("x {:.2f}", r.seconds / best) : "",
               time_text(static_cast<double>(r.compute) * 1e-12),
               time_text(static_cast<double>(r.exposed) * 1e-12), 100 * r.hidden,
               bytes_text(static_cast<double>(r.sent)), bytes_text(static_cast<double>(r.memory)));
  }
  return kGood;
}

}  // namespace ringlab::cli

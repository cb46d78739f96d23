#include "cli/compare.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "cli/figures.hpp"
#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/session/session.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

// What one family costs; the busiest rank in each column.
struct Row {
  std::string name;
  std::string ruled_out;  // empty, or the constraint that rules it out
  int steps = 0;
  Index messages = 0, bytes_sent = 0, peak_bytes = 0, peak_kv_bytes = 0;
  double pairs = 0, efficiency = 0;
};

Row row_of(const CatalogEntry& entry, Scenario scenario) {
  Row row{entry.name, {}, 0, 0, 0, 0, 0, 0, 0};
  scenario.schedule = entry.name;
  if (entry.axes.empty()) scenario.degree.clear();
  try {
    const Schedule schedule = schedule_of(scenario);
    const Ledger ledger =
        make_ledger(schedule, rule_of(scenario).mask, element_bytes_of(scenario.dtype));
    row.steps = schedule.hops;
    for (const RankLedger& rank : ledger.ranks) {
      row.messages = std::max(row.messages, rank.messages_sent);
      row.bytes_sent = std::max(row.bytes_sent, rank.bytes_sent);
      row.peak_bytes = std::max(row.peak_bytes, rank.peak_bytes);
      row.peak_kv_bytes = std::max(row.peak_kv_bytes, rank.peak_key_value_bytes);
    }
    row.pairs = ledger.pairs(ledger.worst_rank_pair_heads);
    row.efficiency = ledger.efficiency();
    if (schedule.name != entry.name) row.name += " (" + schedule.name + ")";
  } catch (const InputError& error) {
    row.ruled_out = fmt::format("{} {}: {}", error.field(), error.value(), error.remedy());
  }
  return row;
}

}  // namespace

std::string schedule_names() {
  std::string names;
  for (const CatalogEntry& entry : schedule_catalog()) {
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  return names;
}

int compare_schedules(const Scenario& scenario, bool json) {
  check(scenario);
  std::vector<Row> rows;
  for (const CatalogEntry& entry : schedule_catalog()) rows.push_back(row_of(entry, scenario));
  if (json) {
    Json list = Json::array();
    for (const Row& r : rows) {
      if (!r.ruled_out.empty()) {
        list.push_back({{"schedule", r.name}, {"ruled_out", r.ruled_out}});
        continue;
      }
      list.push_back({{"schedule", r.name},
                      {"steps", r.steps},
                      {"messages_sent", r.messages},
                      {"bytes_sent", r.bytes_sent},
                      {"peak_bytes", r.peak_bytes},
                      {"peak_kv_bytes", r.peak_kv_bytes},
                      {"worst_rank_visible_pairs", r.pairs},
                      {"efficiency", r.efficiency}});
    }
    fmt::print("{}\n", Json{{"ranks", scenario.ranks}, {"rows", list}}.dump(1));
    return kGood;
  }
  fmt::print("{} ranks, {} tokens, {} query and {} key/value heads of {}, {} layout, {}\n",
             scenario.ranks, scenario.tokens, scenario.heads, scenario.key_value_heads(),
             scenario.head_dim, name(scenario.layout), scenario.backward ? "backward" : "forward");
  fmt::print("the busiest rank of each column\n\n");
  fmt::print("{:<24}{:>6}{:>10}{:>12}{:>13}{:>13}{:>15}{:>9}\n", "schedule", "steps", "messages",
             "sent", "all buffers", "keys+values", "pairs", "useful");
  for (const Row& r : rows) {
    if (!r.ruled_out.empty()) {
      fmt::print("{:<24}  {}\n", r.name, dim("ruled out: " + r.ruled_out));
      continue;
    }
    fmt::print("{:<24}{:>6}{:>10}{:>12}{:>13}{:>13}{:>15}{:>7.1f} %\n", r.name, r.steps, r.messages,
               bytes_text(static_cast<double>(r.bytes_sent)),
               bytes_text(static_cast<double>(r.peak_bytes)),
               bytes_text(static_cast<double>(r.peak_kv_bytes)), count_text(r.pairs),
               100 * r.efficiency);
  }
  fmt::print("\nuseful: visible pairs over what ranks in lock step wait for, hop by hop\n");
  return kGood;
}

}  // namespace ringlab::cli

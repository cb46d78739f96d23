// `ringlab schedule`: show, check or export a schedule.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/compare.hpp"
#include "cli/console.hpp"
#include "cli/figures.hpp"
#include "cli/scenario_flags.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/fault/fault.hpp"
#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/schedule/check.hpp"
#include "ringlab/reference/schedule/json.hpp"
#include "ringlab/reference/schedule/table.hpp"
#include "ringlab/reference/session/session.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ScenarioFlags flags;
  std::string name, export_file, import_file, fault;
  bool check = false, json = false;
};

Json ledger_json(const Ledger& ledger) {
  Json ranks = Json::array();
  for (const RankLedger& rank : ledger.ranks) {
    Json tiles = Json::array();
    for (const TileWork& tile : rank.tiles) {
      tiles.push_back(
          {{"hop", tile.hop},
           {"block", tile.key_value.pieces.empty() ? -1 : tile.key_value.pieces[0].shard},
           {"tile", name(tile.tile())},
           {"visible_pairs", tile.pairs},
           {"flops", tile.flops}});
    }
    ranks.push_back({{"visible_pairs", pairs_json(ledger, rank.pair_heads)},
                     {"messages_sent", rank.messages_sent},
                     {"bytes_sent", rank.bytes_sent},
                     {"bytes_sent_per_hop", rank.bytes_sent_per_hop},
                     {"flops", rank.flops},
                     {"peak_bytes", rank.peak_bytes},
                     {"peak_key_value_bytes", rank.peak_key_value_bytes},
                     {"tiles", tiles}});
  }
  return ranks;
}

// Who holds which token, and who sends to whom: the rank of each position, the positions of each
// rank in its order, and the receiver of each of its messages in a ring.
void add_tokens(Json& json, const Schedule& schedule) {
  const Layout& layout = schedule.key_layout;
  std::vector<int> owners;
  Json held = Json::array();
  for (std::size_t rank = 0; rank < layout.size(); ++rank) {
    const Positions& shard = layout[rank];
    std::vector<Index> positions;
    for (Index i = 0; i < shard.size(); ++i) {
      positions.push_back(shard.at(i).position);
      const std::size_t at = static_cast<std::size_t>(positions.back());
      if (owners.size() <= at) owners.resize(at + 1, -1);
      owners[at] = static_cast<int>(rank);
    }
    held.push_back(positions);
  }
  json["owner_of_position"] = owners;
  json["positions_per_rank"] = held;
  Json receivers = Json::array();
  for (int rank = 0; rank < schedule.size(); ++rank) {
    std::vector<int> peers;
    for (const Step& step : schedule.rank(rank).steps) {
      const auto* exchange = std::get_if<Exchange>(&step.action);
      if (exchange == nullptr) continue;
      for (const Move& send : exchange->sends) peers.push_back(send.peer);
    }
    receivers.push_back(peers);
  }
  json["receivers_per_rank"] = receivers;
}

Json numbers(const Ledger& ledger, Index RankLedger::*field) {
  Json list = Json::array();
  for (const RankLedger& rank : ledger.ranks) list.push_back(rank.*field);
  return list;
}

// The scenario's schedule with a fault of schedules planted into it.
Schedule faulty_schedule_of(const Scenario& scenario, const std::string& name) {
  const PlantedFault& fault = planted_fault(name);
  if (!fault.found_by_checker) {
    throw InputError("fault", name,
                     "is in the numbers and not in the schedule; see it with ringlab run --fault");
  }
  AttentionPlan plan = open_session(scenario).plan;
  plant(fault, plan);
  return scenario.backward ? *plan.backward : plan.forward;
}

Index token_count(const Layout& layout) {
  Index tokens = 0;
  for (const Positions& shard : layout) tokens += shard.size();
  return tokens;
}

void print_text(const Schedule& schedule, const std::string& layout, const Ledger& ledger) {
  fmt::print("{}: {}, {} ranks, {} tokens, {} layout, {} hops\n\n", bold(schedule.name),
             schedule.backward ? "backward" : "forward", schedule.size(),
             token_count(schedule.key_layout), layout, schedule.hops);
  fmt::print("{}\n", schedule_table(schedule, ledger));
  fmt::print(
      "full: every pair of the tile is visible; 52%: so many are; -: none, so it costs "
      "nothing\n\n");
  const RankLedger& first = ledger.ranks.front();
  Index most_bytes = 0, most_memory = 0;
  for (const RankLedger& rank : ledger.ranks) {
    most_bytes = std::max(most_bytes, rank.bytes_sent);
    most_memory = std::max(most_memory, rank.peak_key_value_bytes);
  }
  fmt::print("visible pairs    {} in all, {} on the busiest rank\n",
             ledger.pairs(ledger.pair_heads), ledger.pairs(ledger.worst_rank_pair_heads));
  fmt::print(
      "lock step        {} pairs in the busiest rank of each hop: {:.2f} % of it is useful\n",
      ledger.pairs(ledger.worst_per_hop_pair_heads), 100 * ledger.efficiency());
  fmt::print("sent by a rank   {} messages, at most {} bytes\n", first.messages_sent, most_bytes);
  fmt::print("keys and values  at most {} bytes on a rank\n", most_memory);
}

int run(const Options& options) {
  Scenario scenario = options.flags.scenario();
  if (options.name == "compare") return compare_schedules(scenario, options.json);
  if (!options.name.empty()) scenario.schedule = options.name;
  check(scenario);
  if (scenario.ranks > 1024) {
    throw InputError("ranks", std::to_string(scenario.ranks), "give at most 1024 for a schedule");
  }
  const AttentionRule rule = rule_of(scenario);
  Schedule schedule;
  if (!options.import_file.empty()) {
    if (!options.fault.empty()) {
      throw InputError("fault", options.fault,
                       "is planted into a built schedule, not an imported one");
    }
    schedule = parse_schedule(read_file(options.import_file, "schedule file", 1u << 30),
                              options.import_file);
  } else {
    schedule =
        options.fault.empty() ? schedule_of(scenario) : faulty_schedule_of(scenario, options.fault);
  }
  const std::vector<Finding> findings =
      options.check ? check(schedule, rule.mask) : std::vector<Finding>{};
  const int code = findings.empty() ? kGood : kNo;
  if (!options.export_file.empty()) write_file(options.export_file, to_json(schedule), "export");
  if (code == kNo && !options.json) {
    for (const Finding& finding : findings) fmt::print("{}\n", finding.text);
    fmt::print("not proven: {} finding{}\n", findings.size(), findings.size() == 1 ? "" : "s");
    return code;
  }
  const std::string layout = options.import_file.empty() ? name(scenario.layout) : "imported";
  const Ledger ledger =
      code == kGood ? make_ledger(schedule, rule.mask, element_bytes_of(scenario.dtype)) : Ledger{};
  if (!options.json) {
    print_text(schedule, layout, ledger);
    if (options.check) {
      fmt::print(
          "\nproven: every visible pair once, every move matched, no deadlock, no buffer in use "
          "overwritten\n");
    }
    return code;
  }
  Json json = {{"schedule", schedule.name},
               {"backward", schedule.backward},
               {"ranks", schedule.size()},
               {"layout", layout},
               {"hops", schedule.hops}};
  if (options.check) {
    Json list = Json::array();
    for (const Finding& f : findings) {
      list.push_back({{"fault", name(f.fault)},
                      {"rank", f.rank},
                      {"hop", f.hop},
                      {"buffer", f.buffer},
                      {"text", f.text}});
    }
    json["proven"] = findings.empty();
    json["findings"] = list;
  }
  if (code == kGood) {
    json["visible_pairs"] = pairs_json(ledger, ledger.pair_heads);
    json["visible_pairs_per_rank"] = pairs_per_rank_json(ledger);
    json["worst_per_hop_pairs"] = pairs_json(ledger, ledger.worst_per_hop_pair_heads);
    json["efficiency"] = ledger.efficiency();
    json["bytes_sent_per_rank"] = numbers(ledger, &RankLedger::bytes_sent);
    json["messages_sent_per_rank"] = numbers(ledger, &RankLedger::messages_sent);
    json["peak_kv_bytes_per_rank"] = numbers(ledger, &RankLedger::peak_key_value_bytes);
    // Of a sequence that one can look at; beyond it the lists are all there would be to see.
    constexpr Index kTokens = 4096;
    constexpr int kRanks = 64;
    if (token_count(schedule.key_layout) <= kTokens && schedule.size() <= kRanks) {
      add_tokens(json, schedule);
    }
    json["per_rank"] = ledger_json(ledger);
  }
  fmt::print("{}\n", json.dump(1));
  return code;
}

}  // namespace

void add_schedule(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("schedule", "Show, check or export a schedule");
  command->footer(
      "Example:\n  ringlab schedule ring --ranks 4 --layout zigzag --tokens 64 --check");
  command
      ->add_option(
          "name", options->name,
          "Which schedule: " + schedule_names() + "; or compare, for all of them in one table")
      ->type_name("NAME");
  options->flags.add_to(*command, {"schedule", "input", "hardware"}, "--scenario");
  command->add_flag("--check", options->check,
                    "Prove it: every visible pair once, moves matched, no deadlock, buffers safe");
  command->add_option("--export", options->export_file, "Write the schedule as JSON")
      ->type_name("FILE");
  command
      ->add_option("--import", options->import_file,
                   "Read a schedule as JSON instead of building one")
      ->type_name("FILE");
  command
      ->add_option("--fault", options->fault,
                   "Plant a known mistake of schedules; ringlab run --fault list shows them")
      ->type_name("NAME");
  command->add_flag("--json", options->json, "One JSON object on standard output");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace ringlab::cli

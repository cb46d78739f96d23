#include "ringlab/reference/schedule/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringlab {
namespace {

std::string mark(const TileWork& tile) {
  switch (tile.tile()) {
    case TileClass::empty:
      return "-";
    case TileClass::partial: {
      const double share = static_cast<double>(tile.pairs) / static_cast<double>(tile.square);
      return fmt::format("{:.0f}%", std::clamp(100 * share, 1.0, 99.0));
    }
    case TileClass::full:
      return "full";
  }
  return "?";
}

std::string cell(const Schedule& schedule, const RankLedger& rank, int hop) {
  std::string text;
  for (const TileWork& tile : rank.tiles) {
    if (tile.hop != hop || tile.square == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : "+", label(schedule, tile.key_value),
                        mark(tile));
  }
  return text;
}

}  // namespace

std::string schedule_table(const Schedule& schedule, const Ledger& ledger) {
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"hop"});
  for (int r = 0; r < schedule.size(); ++r) rows[0].push_back(fmt::format("rank {}", r));
  for (int hop = 0; hop < schedule.hops; ++hop) {
    rows.push_back({std::to_string(hop)});
    for (const RankLedger& rank : ledger.ranks) rows.back().push_back(cell(schedule, rank, hop));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::size_t width = 0;
      for (const auto& other : rows) width = std::max(width, other[c].size());
      line +=
          c == 0 ? fmt::format("{:>{}}", row[c], width) : fmt::format("  {:<{}}", row[c], width);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace ringlab

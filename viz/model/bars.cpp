#include "ringlab/viz/model/bars.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace ringlab::viz {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// Everything that one rank would hold that did the whole work alone, by quantity of the schedule.
Index whole(const Schedule& schedule, Quantity quantity) {
  Content content = {
      quantity, {}, 0, is_of_queries(quantity) ? schedule.query_heads : schedule.kv_heads};
  const Layout& layout = is_of_queries(quantity) ? schedule.query_layout : schedule.key_layout;
  for (std::size_t s = 0; s < layout.size(); ++s) {
    content.pieces.push_back({static_cast<int>(s), 0, layout[s].size()});
  }
  return bytes_of(schedule, content);
}

std::string_view name_of(Quantity quantity) {
  static constexpr std::array<std::string_view, 7> kNames = {"Q",          "K V", "O lse", "dO",
                                                             "lse \u03b4", "dQ",  "dK dV"};
  return kNames[static_cast<std::size_t>(quantity)];
}

}  // namespace

MemoryBars memory_bars(const Story& story, const Frame& frame) {
  MemoryBars bars;
  const Schedule& schedule = story.schedule;
  bars.full_key_value_bytes = whole(schedule, Quantity::key_value);
  std::vector<Quantity> quantities = {Quantity::query, Quantity::key_value, Quantity::partial};
  if (schedule.backward) {
    quantities = {Quantity::query,          Quantity::key_value,      Quantity::output_gradient,
                  Quantity::row_statistics, Quantity::query_gradient, Quantity::key_value_gradient};
  }
  for (const Quantity q : quantities) bars.full_bytes += whole(schedule, q);
  bars.score_matrix_bytes =
      story.matrix.queries * story.matrix.keys * schedule.query_heads * ElementBytes{}.accumulator;
  bars.largest = bars.full_key_value_bytes;
  bars.largest_all = bars.full_bytes;
  Index peak = 0, peak_key_value = 0;
  for (int r = 0; r < story.size(); ++r) {
    const RankLedger& ledger = story.ledger.ranks[at(r)];
    const RankNow& now = frame.ranks[at(r)];
    peak = std::max(peak, ledger.peak_bytes);
    peak_key_value = std::max(peak_key_value, ledger.peak_key_value_bytes);

    RankBar copies{r, {}, 0, ledger.peak_key_value_bytes, {}};
    for (int p = frame.places_begin[at(r)]; p < frame.places_begin[at(r) + 1]; ++p) {
      const BlockPlace& place = frame.places[at(p)];
      const Copy& copy = story.copies[at(place.copy)];
      if (copy.content.quantity != Quantity::key_value || copy.bytes == 0) continue;
      BarPart part;
      part.amount = copy.bytes;
      part.colour = colour_of(copy);
      part.copy = place.copy;
      part.done = place.progress;  // of what is still arriving
      part.text = copy.short_label;
      copies.parts.push_back(part);
      copies.total += copy.bytes;
    }
    copies.text = bytes_text(static_cast<double>(copies.total));
    bars.largest = std::max(bars.largest, std::max(copies.total, copies.peak));
    bars.ranks.push_back(std::move(copies));

    RankBar all{r, {}, now.memory_total, ledger.peak_bytes, {}};
    for (std::size_t q = 0; q < now.memory.size(); ++q) {
      if (now.memory[q] == 0) continue;
      BarPart part;
      part.amount = now.memory[q];
      part.quantity = static_cast<Quantity>(q);
      part.colour = static_cast<int>(q);
      part.text = name_of(part.quantity);
      all.parts.push_back(part);
    }
    if (now.memory_parts > 0) {
      BarPart part;
      part.amount = now.memory_parts;
      part.colour = 7;
      part.text = "+";
      all.parts.push_back(part);
    }
    all.text = bytes_text(static_cast<double>(all.total));
    bars.largest_all = std::max(bars.largest_all, all.peak);
    bars.all.push_back(std::move(all));
  }
  const auto text = [](Index bytes) { return bytes_text(static_cast<double>(bytes)); };
  bars.words = {{"memory.key_value", {text(peak_key_value), text(bars.full_key_value_bytes)}},
                {"memory.all", {text(peak), text(bars.full_bytes)}},
                {"memory.scores", {text(bars.score_matrix_bytes)}}};
  return bars;
}

WorkBars work_bars(const Story& story, const Frame& frame) {
  WorkBars bars;
  const Ledger& ledger = story.ledger;
  bars.efficiency = ledger.efficiency();
  for (int r = 0; r < story.size(); ++r) {
    const RankLedger& rank = ledger.ranks[at(r)];
    RankBar bar{r, {}, rank.pair_heads, rank.pair_heads, {}};
    std::vector<double> done(rank.pair_heads_per_hop.size(), 0);
    for (const int t : story.ranks[at(r)].tiles) {
      const Tile& tile = story.tiles[at(t)];
      done[at(tile.hop)] += static_cast<double>(frame.tile_progress[at(t)]) *
                            static_cast<double>(tile.pairs * tile.query.heads);
    }
    for (std::size_t hop = 0; hop < done.size(); ++hop) {
      BarPart part;
      part.amount = rank.pair_heads_per_hop[hop];
      part.hop = static_cast<int>(hop);
      part.colour = colour_of(r);
      part.done =
          part.amount > 0
              ? std::min(1.0f, static_cast<float>(done[hop] / static_cast<double>(part.amount)))
              : 1.0f;
      bar.parts.push_back(part);
    }
    bar.text = grouped(bar.total);
    bars.largest = std::max(bars.largest, bar.total);
    bars.ranks.push_back(std::move(bar));
  }
  bars.words = {
      {"work.busiest", {grouped(ledger.worst_rank_pair_heads), grouped(ledger.pair_heads)}},
      {"work.lock_step", {number_text(100 * bars.efficiency)}}};
  return bars;
}

}  // namespace ringlab::viz

// Lists what a schedule does: tiles, and messages with both their ends.
#include <map>

#include "ringlab/reference/schedule/collective.hpp"
#include "ringlab/reference/schedule/contents.hpp"
#include "ringlab/viz/model/build.hpp"

namespace ringlab::viz::detail {
namespace {

struct End {
  int rank, step, hop;
  Content content;
  bool collective;
};

// Between two ranks, what is begun on one channel meets in order; a collective meets itself.
struct Wire {
  int from, to, channel, collective;  // collective: its id, else -1
  auto operator<=>(const Wire&) const = default;
};

struct Ends {
  std::vector<End> sends, receives;
};

void list_tiles(Story& story, int rank) {
  const RankLedger& ledger = story.ledger.ranks[static_cast<std::size_t>(rank)];
  const auto& steps = story.schedule.rank(rank).steps;
  std::size_t next = 0;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (!std::holds_alternative<Attend>(steps[s].action) &&
        !std::holds_alternative<AttendBackward>(steps[s].action)) {
      continue;
    }
    const TileWork& work = ledger.tiles.at(next++);
    Tile tile;
    tile.rank = rank;
    tile.step = static_cast<int>(s);
    tile.hop = work.hop;
    tile.query = work.query;
    tile.key_value = work.key_value;
    tile.pairs = work.pairs;
    tile.square = work.square;
    tile.flops = work.flops;
    tile.label = label(story.schedule, work.query) + " x " + label(story.schedule, work.key_value);
    story.ranks[static_cast<std::size_t>(rank)].tiles.push_back(
        static_cast<int>(story.tiles.size()));
    story.tiles.push_back(std::move(tile));
  }
}

void list_ends(const Story& story, const CollectiveIndex& collectives, int rank,
               std::map<Wire, Ends>& wires) {
  const auto& steps = story.schedule.rank(rank).steps;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const int step = static_cast<int>(s), hop = steps[s].hop;
    if (const auto* exchange = std::get_if<Exchange>(&steps[s].action)) {
      for (const Move& move : exchange->sends) {
        wires[{rank, move.peer, exchange->channel, -1}].sends.push_back(
            {rank, step, hop, story.schedule.content(move.content), false});
      }
      for (const Move& move : exchange->receives) {
        wires[{move.peer, rank, exchange->channel, -1}].receives.push_back(
            {rank, step, hop, story.schedule.content(move.content), false});
      }
    } else if (const auto* collective = std::get_if<Collective>(&steps[s].action)) {
      const CollectiveMoves moves = collectives.moves(rank, *collective);
      for (const PartMove& move : moves.sends) {
        wires[{rank, move.peer, collective->channel, collective->id}].sends.push_back(
            {rank, step, hop, move.part, true});
      }
      for (const PartMove& move : moves.receives) {
        wires[{move.peer, rank, collective->channel, collective->id}].receives.push_back(
            {rank, step, hop, move.part, true});
      }
    }
  }
}

}  // namespace

void list_work(Story& story) {
  const Schedule& schedule = story.schedule;
  story.ranks.resize(static_cast<std::size_t>(schedule.size()));
  for (int r = 0; r < schedule.size(); ++r) list_tiles(story, r);

  const CollectiveIndex collectives(schedule);
  std::map<Wire, Ends> wires;
  for (int r = 0; r < schedule.size(); ++r) list_ends(story, collectives, r, wires);
  std::map<std::pair<int, int>, Link> links;
  for (const auto& [wire, ends] : wires) {
    RINGLAB_ENSURE(ends.sends.size() == ends.receives.size(), "every send has its receive");
    for (std::size_t i = 0; i < ends.sends.size(); ++i) {
      const End &send = ends.sends[i], &receive = ends.receives[i];
      Flight flight;
      flight.from = wire.from;
      flight.to = wire.to;
      flight.from_step = send.step;
      flight.to_step = receive.step;
      flight.hop = send.hop;
      flight.content = send.content;
      flight.bytes = bytes_of(schedule, send.content);
      flight.collective = send.collective;
      flight.label = label(schedule, send.content);
      Link& link = links[{wire.from, wire.to}];
      link.bytes += flight.bytes;
      ++link.messages;
      story.flights.push_back(std::move(flight));
    }
  }
  std::map<std::pair<int, int>, int> link_index;
  for (auto& [ends, link] : links) {
    link.from = ends.first;
    link.to = ends.second;
    if (link.from == story.options.slow_link_from && link.to == story.options.slow_link_to) {
      link.slow = story.options.slow_link_factor;
    }
    link_index[ends] = static_cast<int>(story.links.size());
    story.links.push_back(link);
  }
  for (Flight& flight : story.flights) flight.link = link_index.at({flight.from, flight.to});
}

}  // namespace ringlab::viz::detail

// Follows every copy of a block through the buffers, and the memory behind them.
#include <algorithm>
#include <limits>
#include <map>

#include "ringlab/reference/schedule/collective.hpp"
#include "ringlab/reference/schedule/contents.hpp"
#include "ringlab/viz/model/build.hpp"

namespace ringlab::viz::detail {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// "D", "D'" for a part of the shard, "A-H" for many; with a small sign for what is not K and V.
std::string short_label_of(const Schedule& schedule, const Content& content) {
  static constexpr std::array<const char*, 7> kSigns = {"q", "", "o", "do", "s", "dq", "d"};
  std::string text = kSigns[static_cast<std::size_t>(content.quantity)];
  if (content.pieces.empty()) return text;
  const int first = content.pieces.front().shard, last = content.pieces.back().shard;
  text += letter_of(first);
  if (last != first) return text + "-" + letter_of(last);
  const Layout& layout =
      is_of_queries(content.quantity) ? schedule.query_layout : schedule.key_layout;
  const int heads = is_of_queries(content.quantity) ? schedule.query_heads : schedule.kv_heads;
  const bool part =
      schedule.token_count(content) != layout[static_cast<std::size_t>(first)].size() ||
      content.heads != heads;
  if (part) text += "'";
  return text;
}

class Follower {
 public:
  Follower(Story& story, const CollectiveIndex& collectives, int rank,
           const std::map<std::pair<int, int>, std::vector<int>>& arriving,
           const std::map<std::pair<int, int>, std::vector<int>>& departing)
      : story_(story),
        collectives_(collectives),
        arriving_(arriving),
        departing_(departing),
        rank_(rank),
        program_(story.schedule.rank(rank)),
        mine_(story.ranks[static_cast<std::size_t>(rank)]),
        held_(story.schedule, rank),
        live_(program_.buffers.size(), -1),
        capacity_(program_.buffers.size(), 0),
        by_buffer_(program_.buffers.size() + 1) {}

  void follow() {
    for (std::size_t b = 0; b < live_.size(); ++b) {
      const ContentId content = program_.buffers[b].initially;
      if (content == kNothing) continue;
      put(static_cast<BufferId>(b), story_.schedule.content(content), 0);
      measure(static_cast<BufferId>(b));
    }
    remember(0);
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
      const Step& step = program_.steps[s];
      time_ = mine_.steps[s];
      step_ = static_cast<int>(s);
      held_.apply(step);
      std::visit([&](const auto& action) { apply(action); }, step.action);
    }
    mine_.copies_begin.push_back(0);
    for (const std::vector<int>& list : by_buffer_) {
      mine_.copies_by_buffer.insert(mine_.copies_by_buffer.end(), list.begin(), list.end());
      mine_.copies_begin.push_back(static_cast<int>(mine_.copies_by_buffer.size()));
    }
  }

 private:
  int& live(BufferId buffer) { return live_[static_cast<std::size_t>(buffer)]; }

  int add(BufferId buffer, const Content& content, double born, double arrives, bool part) {
    Copy copy;
    copy.rank = rank_;
    copy.buffer = buffer;
    copy.content = content;
    copy.bytes = bytes_of(story_.schedule, content);
    copy.born = born;
    copy.arrives = arrives;
    copy.dies = kNever;
    copy.part = part;
    if (!content.pieces.empty()) {
      copy.origin = content.pieces.front().shard;
      copy.mixed = std::any_of(content.pieces.begin(), content.pieces.end(),
                               [&](const Piece& p) { return p.shard != copy.origin; });
    }
    copy.label = label(story_.schedule, content);
    copy.short_label = short_label_of(story_.schedule, content);
    const int id = static_cast<int>(story_.copies.size());
    story_.copies.push_back(std::move(copy));
    by_buffer_[part ? live_.size() : static_cast<std::size_t>(buffer)].push_back(id);
    return id;
  }
  void put(BufferId buffer, const Content& content, double born) {
    live(buffer) = add(buffer, content, born, born, false);
  }
  void kill(int& copy, double time) {
    if (copy >= 0) story_.copies[static_cast<std::size_t>(copy)].dies = time;
    copy = -1;
  }

  // A computation that writes into an empty buffer fills it from its start on.
  void fill(BufferId buffer) {
    if (live(buffer) < 0 && held_.of(buffer)) put(buffer, *held_.of(buffer), time_.start);
    measure(buffer);
  }

  void apply(const Attend& a) {
    fill(a.partial);
    note_tile(a.query, a.key_value, a.partial);
    remember(time_.start);
  }
  void apply(const AttendBackward& a) {
    fill(a.query_gradient);
    fill(a.key_value_gradient);
    note_tile(a.query, a.key_value, a.query_gradient);
    remember(time_.start);
  }
  void note_tile(BufferId query, BufferId key_value, BufferId result) {
    Tile& tile = story_.tiles[static_cast<std::size_t>(mine_.tiles[tiles_done_++])];
    tile.query_copy = live(query);
    tile.key_value_copy = live(key_value);
    tile.result_copy = live(result);
  }

  const std::vector<int>& flights(const std::map<std::pair<int, int>, std::vector<int>>& of) {
    static const std::vector<int> none;
    const auto found = of.find({rank_, step_});
    return found == of.end() ? none : found->second;
  }

  void apply(const Exchange& exchange) {
    // Messages of one exchange between two ranks meet in the order of its moves.
    std::vector<bool> taken(flights(arriving_).size());
    for (const int f : flights(departing_)) {
      Flight& flight = story_.flights[static_cast<std::size_t>(f)];
      for (const Move& move : exchange.sends) {
        if (move.peer == flight.to && story_.schedule.content(move.content) == flight.content) {
          flight.source_copy = live(move.buffer);
        }
      }
    }
    for (const Move& move : exchange.receives) {
      kill(live(move.buffer), time_.start);
      measure(move.buffer);
      for (std::size_t i = 0; i < taken.size(); ++i) {
        const int f = flights(arriving_)[i];
        Flight& flight = story_.flights[static_cast<std::size_t>(f)];
        if (taken[i] || flight.from != move.peer ||
            story_.schedule.content(move.content) != flight.content) {
          continue;
        }
        taken[i] = true;
        const int copy =
            add(move.buffer, flight.content, flight.time.start, flight.time.end, false);
        story_.copies[static_cast<std::size_t>(copy)].flight = f;
        flight.copy = live(move.buffer) = copy;
        break;
      }
    }
    remember(time_.start);
  }

  void apply(const Collective& c) {
    const CollectiveMoves moves = collectives_.moves(rank_, c);
    for (const int f : flights(departing_)) {
      story_.flights[static_cast<std::size_t>(f)].source_copy = live(c.in);
    }
    kill(live(c.out), time_.start);
    measure(c.out);
    Pending& pending = pending_[c.id];
    pending.collective = &c;
    if (moves.own) {
      pending.parts.push_back(add(c.out, *moves.own, time_.start, time_.start, true));
    }
    for (const int f : flights(arriving_)) {
      Flight& flight = story_.flights[static_cast<std::size_t>(f)];
      flight.copy = add(c.out, flight.content, flight.time.start, flight.time.end, true);
      story_.copies[static_cast<std::size_t>(flight.copy)].flight = f;
      pending.parts.push_back(flight.copy);
      if (moves.reduces) pending.waiting_bytes += flight.bytes;
    }
    waiting_bytes_ += pending.waiting_bytes;
    remember(time_.start);
  }

  void apply(const Wait& wait) {
    const auto found = pending_.find(wait.id);
    if (found == pending_.end()) return;
    for (int part : found->second.parts) kill(part, time_.end);
    put(found->second.collective->out, story_.schedule.content(found->second.collective->receives),
        time_.end);
    waiting_bytes_ -= found->second.waiting_bytes;
    pending_.erase(found);
    remember(time_.end);
  }

  void apply(const Merge& m) {
    fill(m.into);
    remember(time_.start);
  }
  void apply(const Accumulate& a) {
    fill(a.into);
    remember(time_.start);
  }
  void apply(const Release& r) {
    kill(live(r.buffer), time_.start);
    measure(r.buffer);
    remember(time_.start);
  }

  // As the ledger has it: a buffer's memory is as large as the largest thing it has held since it
  // was released.
  void measure(BufferId buffer) {
    const auto b = static_cast<std::size_t>(buffer);
    if (quantity_.size() != capacity_.size()) quantity_.resize(capacity_.size(), 0);
    memory_.bytes[quantity_[b]] -= capacity_[b];
    const std::optional<Content>& content = held_.of(buffer);
    capacity_[b] = content ? std::max(capacity_[b], bytes_of(story_.schedule, *content)) : Index{0};
    if (content) quantity_[b] = static_cast<std::size_t>(content->quantity);
    memory_.bytes[quantity_[b]] += capacity_[b];
  }

  void remember(double time) {
    memory_.time = time;
    memory_.parts = waiting_bytes_;
    // Of several changes at one time the state after the last counts, but a peak between them is
    // real: it is kept as an entry of its own.
    mine_.memory.push_back(memory_);
  }

  struct Pending {
    const Collective* collective = nullptr;
    std::vector<int> parts;
    Index waiting_bytes = 0;
  };

  Story& story_;
  const CollectiveIndex& collectives_;
  const std::map<std::pair<int, int>, std::vector<int>>&arriving_, &departing_;
  int rank_;
  const RankProgram& program_;
  RankStory& mine_;
  Holdings held_;
  std::vector<int> live_;  // copy in each buffer, or -1
  std::vector<Index> capacity_;
  std::vector<std::size_t> quantity_;
  std::vector<std::vector<int>> by_buffer_;
  std::map<int, Pending> pending_;  // by collective
  Index waiting_bytes_ = 0;
  RankStory::Memory memory_;
  Span time_;
  int step_ = 0;
  std::size_t tiles_done_ = 0;
};

double under(const std::vector<Span>& busy, Span span) {
  double sum = 0;
  for (const Span& b : busy) {
    sum += std::max(0.0, std::min(b.end, span.end) - std::max(b.start, span.start));
  }
  return sum;
}

void sum_up(Story& story) {
  for (RankStory& rank : story.ranks) {
    rank.pair_heads_before = {0};
    std::vector<Span> busy;
    for (const int t : rank.tiles) {
      const Tile& tile = story.tiles[static_cast<std::size_t>(t)];
      rank.pair_heads_before.push_back(rank.pair_heads_before.back() +
                                       tile.pairs * tile.query.heads);
      busy.push_back(tile.time);
    }
    const auto sums = [&](std::vector<int>& list, std::vector<Index>& before,
                          std::vector<double>& ends) {
      std::stable_sort(list.begin(), list.end(), [&](int a, int b) {
        return story.flights[static_cast<std::size_t>(a)].time.end <
               story.flights[static_cast<std::size_t>(b)].time.end;
      });
      before = {0};
      for (const int f : list) {
        const Flight& flight = story.flights[static_cast<std::size_t>(f)];
        before.push_back(before.back() + flight.bytes);
        ends.push_back(flight.time.end);
      }
    };
    sums(rank.departures, rank.bytes_sent_before, rank.departure_ends);
    sums(rank.arrivals, rank.bytes_received_before, rank.arrival_ends);
    for (const int f : rank.arrivals) {
      Flight& flight = story.flights[static_cast<std::size_t>(f)];
      const double length = flight.time.end - flight.time.start;
      flight.hidden = length > 0 ? std::min(1.0, under(busy, flight.time) / length) : 1.0;
    }
  }
}

}  // namespace

void follow_copies(Story& story) {
  std::stable_sort(story.flights.begin(), story.flights.end(),
                   [](const Flight& a, const Flight& b) { return a.time.start < b.time.start; });
  std::map<std::pair<int, int>, std::vector<int>> arriving, departing;
  for (std::size_t f = 0; f < story.flights.size(); ++f) {
    const Flight& flight = story.flights[f];
    const int id = static_cast<int>(f);
    arriving[{flight.to, flight.to_step}].push_back(id);
    departing[{flight.from, flight.from_step}].push_back(id);
    story.ranks[static_cast<std::size_t>(flight.to)].arrivals.push_back(id);
    story.ranks[static_cast<std::size_t>(flight.from)].departures.push_back(id);
  }
  const CollectiveIndex collectives(story.schedule);
  for (int r = 0; r < story.size(); ++r) {
    Follower(story, collectives, r, arriving, departing).follow();
  }
  sum_up(story);
}

}  // namespace ringlab::viz::detail

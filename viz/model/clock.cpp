// Gives a schedule times. One engine runs all ranks' programs together; how long a tile or message
// takes is asked of a pace: the ideal one, or a trace.
#include <algorithm>
#include <limits>
#include <map>

#include "ringlab/reference/schedule/collective.hpp"
#include "ringlab/viz/model/build.hpp"

namespace ringlab::viz::detail {
namespace {

// In units of the largest tile: small, but long enough to be seen one after another.
constexpr double kBegin = 0.06;  // to begin messages
constexpr double kMerge = 0.08;  // to join two results

class Pace {
 public:
  virtual ~Pace() = default;
  virtual Span tile(const Tile& tile, double now) const = 0;
  virtual Span flight(std::size_t index, double now) const = 0;
  /// When the sender is done with a message, which it may be before that is there.
  virtual double sent(std::size_t index, const Span& flight) const = 0;
  virtual double begin() const = 0;
  /// When the folding of a merge, an accumulation, or a reducing collective's wait is over.
  virtual double fold(int rank, std::size_t step, double now) const = 0;
  /// Whether messages between two ranks go one after another; a trace says so itself.
  virtual bool one_at_a_time() const = 0;
};

// An exchange or collective of one rank.
struct Operation {
  int rank = 0, step = 0, channel = 0, id = 0;
  double posted = -1, opened = -1, finished = -1;  // -1: not yet
  double ends = 0;                                 // of its messages so far
  std::vector<std::size_t> flights;
  std::size_t left = 0;  // flights without a time
};

class Engine {
 public:
  Engine(Story& story, const Pace& pace) : story_(story), pace_(pace) {
    const auto ranks = static_cast<std::size_t>(story.size());
    next_step_.assign(ranks, 0);
    now_.assign(ranks, 0);
    next_tile_.assign(ranks, 0);
    queues_.resize(ranks);
    operation_of_step_.resize(ranks);
    for (int r = 0; r < story.size(); ++r) list_operations(r);
    for (std::size_t f = 0; f < story.flights.size(); ++f) {
      const Flight& flight = story.flights[f];
      for (const int index :
           {operation(flight.from, flight.from_step), operation(flight.to, flight.to_step)}) {
        Operation& o = operations_[static_cast<std::size_t>(index)];
        o.flights.push_back(f);
        ++o.left;
      }
    }
    timed_.assign(story.flights.size(), false);
  }

  void run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (int r = 0; r < story_.size(); ++r) moved = step(r) || moved;
      for (int r = 0; r < story_.size(); ++r) moved = fly(r) || moved;
    }
    for (int r = 0; r < story_.size(); ++r) {
      RINGLAB_ENSURE(next_step_[index(r)] == story_.schedule.rank(r).steps.size(),
                     "a schedule without a circle of waits runs to its end");
      story_.end = std::max(story_.end, now_[index(r)]);
    }
    for (const Flight& flight : story_.flights) story_.end = std::max(story_.end, flight.time.end);
  }

 private:
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
  int operation(int rank, int step) const {
    return operation_of_step_[index(rank)][static_cast<std::size_t>(step)];
  }

  void list_operations(int rank) {
    const auto& steps = story_.schedule.rank(rank).steps;
    story_.ranks[index(rank)].steps.assign(steps.size(), {});
    std::vector<int>& of_step = operation_of_step_[index(rank)];
    of_step.assign(steps.size(), -1);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      Operation o;
      o.rank = rank;
      o.step = static_cast<int>(s);
      if (const auto* exchange = std::get_if<Exchange>(&steps[s].action)) {
        o.channel = exchange->channel;
        o.id = exchange->id;
      } else if (const auto* collective = std::get_if<Collective>(&steps[s].action)) {
        o.channel = collective->channel;
        o.id = collective->id;
      } else {
        continue;
      }
      of_step[s] = static_cast<int>(operations_.size());
      by_id_[{rank, o.id}] = of_step[s];
      queues_[index(rank)][o.channel].list.push_back(of_step[s]);
      operations_.push_back(std::move(o));
    }
  }

  // Runs a rank up to a wait that is not over.
  bool step(int rank) {
    const auto& steps = story_.schedule.rank(rank).steps;
    std::size_t& s = next_step_[index(rank)];
    double& now = now_[index(rank)];
    bool moved = false;
    for (; s < steps.size(); ++s, moved = true) {
      Span& span = story_.ranks[index(rank)].steps[s];
      span = {now, now};
      const Action& action = steps[s].action;
      if (std::holds_alternative<Attend>(action) ||
          std::holds_alternative<AttendBackward>(action)) {
        Tile& tile = story_.tiles[static_cast<std::size_t>(
            story_.ranks[index(rank)].tiles[next_tile_[index(rank)]++])];
        tile.time = span = pace_.tile(tile, now);
      } else if (const int o = operation(rank, static_cast<int>(s)); o >= 0) {
        Operation& begun = operations_[static_cast<std::size_t>(o)];
        if (!begun.flights.empty()) span.end = now + pace_.begin();
        begun.posted = span.end;
      } else if (const auto* wait = std::get_if<Wait>(&action)) {
        const double over =
            operations_[static_cast<std::size_t>(by_id_.at({rank, wait->id}))].finished;
        if (over < 0) return moved;
        span.end = pace_.fold(rank, s, std::max(now, over));
      } else if (std::holds_alternative<Merge>(action) ||
                 std::holds_alternative<Accumulate>(action)) {
        span.end = pace_.fold(rank, s, now);
      }
      now = span.end;
    }
    return moved;
  }

  // Opens what is first in its channel, and times the messages whose both ends are open.
  bool fly(int rank) {
    bool moved = false;
    for (auto& [channel, queue] : queues_[index(rank)]) {
      while (queue.next < queue.list.size()) {
        Operation& o = operations_[static_cast<std::size_t>(queue.list[queue.next])];
        if (o.posted < 0) break;
        if (o.opened < 0) {
          o.opened = o.ends = std::max(o.posted, queue.free);
          moved = true;
        }
        for (const std::size_t f : o.flights) moved = time_flight(f) || moved;
        if (o.left > 0) break;
        queue.free = o.finished = o.ends;
        ++queue.next;
        moved = true;
      }
    }
    return moved;
  }

  bool time_flight(std::size_t f) {
    if (timed_[f]) return false;
    Flight& flight = story_.flights[f];
    Operation& from =
        operations_[static_cast<std::size_t>(operation(flight.from, flight.from_step))];
    Operation& to = operations_[static_cast<std::size_t>(operation(flight.to, flight.to_step))];
    if (from.opened < 0 || to.opened < 0) return false;
    double& wire = wires_[{flight.from, flight.to}];
    double start = std::max(from.opened, to.opened);
    if (!flight.collective && pace_.one_at_a_time()) start = std::max(start, wire);
    flight.time = pace_.flight(f, start);
    flight.sent = pace_.sent(f, flight.time);
    wire = std::max(wire, flight.time.end);
    timed_[f] = true;
    from.ends = std::max(from.ends, flight.sent);
    to.ends = std::max(to.ends, flight.time.end);
    --from.left;
    --to.left;
    return true;
  }

  Story& story_;
  const Pace& pace_;
  std::vector<std::size_t> next_step_, next_tile_;
  std::vector<double> now_;
  struct Queue {
    std::vector<int> list;
    std::size_t next = 0;
    double free = 0;  // when the last of it was over
  };
  std::vector<std::map<int, Queue>> queues_;  // [rank][channel]
  std::vector<std::vector<int>> operation_of_step_;
  std::map<std::pair<int, int>, int> by_id_;
  std::map<std::pair<int, int>, double> wires_;
  std::vector<Operation> operations_;
  std::vector<bool> timed_;
};

class IdealPace : public Pace {
 public:
  explicit IdealPace(const Story& story) : story_(story) {
    for (std::size_t f = 0; f < story.flights.size(); ++f) {
      const Flight& flight = story.flights[f];
      if (flight.collective) sent_[{flight.from, flight.from_step}] += flight.bytes;
    }
  }
  // Bytes that go out one after another: of a message, or of all parts of a collective, which share
  // the rank's port.
  Index bytes(const Flight& flight) const {
    return flight.collective ? sent_.at({flight.from, flight.from_step}) : flight.bytes;
  }
  Span tile(const Tile& tile, double now) const override {
    const double work = static_cast<double>(tile.pairs) * tile.query.heads;
    const bool slow = tile.rank == story_.options.slow_rank;
    return {now, now + work / story_.pair_heads_per_unit *
                           (slow ? story_.options.slow_rank_factor : 1.0)};
  }
  Span flight(std::size_t index, double now) const override {
    const Flight& flight = story_.flights[index];
    const Link& link = story_.links[static_cast<std::size_t>(flight.link)];
    const double time = story_.bytes_per_unit > 0
                            ? static_cast<double>(bytes(flight)) / story_.bytes_per_unit
                            : 0.0;
    return {now, now + time * link.slow};
  }
  double sent(std::size_t, const Span& flight) const override { return flight.end; }
  double begin() const override { return kBegin; }
  double fold(int rank, std::size_t step, double now) const override {
    const Action& action = story_.schedule.rank(rank).steps[step].action;
    return std::holds_alternative<Wait>(action) ? now : now + kMerge;
  }
  bool one_at_a_time() const override { return true; }

 private:
  const Story& story_;
  std::map<std::pair<int, int>, Index> sent_;  // by rank and step
};

// The events of a trace, brought to the tiles, messages and folds of the schedule.
class TracePace : public Pace {
 public:
  TracePace(const Story& story, const Trace& trace, const Story& work) : story_(story) {
    std::map<Key, std::vector<Span>> events;
    for (const TraceEvent& e : trace.events) {
      events[{e.rank, e.lane, e.hop, e.name}].push_back(
          {static_cast<double>(e.start_nanoseconds), static_cast<double>(e.end_nanoseconds)});
    }
    std::map<Key, std::vector<Span*>> wanted, folds;
    tiles_.resize(work.tiles.size(), kAbsent);
    sends_.resize(work.flights.size());
    receives_.resize(work.flights.size());
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
      const Tile& tile = work.tiles[t];
      // What has nothing to compute may have no event: it takes no time then.
      (tile.pairs > 0 ? wanted
                      : folds)[{tile.rank, Lane::compute, tile.hop, "attend " + tile.label}]
          .push_back(&tiles_[t]);
    }
    for (std::size_t f = 0; f < sends_.size(); ++f) {
      const Flight& flight = work.flights[f];
      const int receive_hop =
          work.schedule.rank(flight.to).steps[static_cast<std::size_t>(flight.to_step)].hop;
      wanted[{flight.from, Lane::send, flight.hop,
              flight.label + " to rank " + std::to_string(flight.to)}]
          .push_back(&sends_[f]);
      wanted[{flight.to, Lane::receive, receive_hop,
              flight.label + " from rank " + std::to_string(flight.from)}]
          .push_back(&receives_[f]);
    }
    for (int r = 0; r < work.size(); ++r) list_folds(work, r, folds);
    for (auto& [key, places] : wanted) {
      if (events[key].size() < places.size()) return;
      fill(events[key], places);
    }
    for (auto& [key, places] : folds) {
      const auto found = events.find(key);
      if (found != events.end() && found->second.size() >= places.size())
        fill(found->second, places);
    }
    complete_ = true;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const auto* spans : {&tiles_, &sends_, &receives_}) {
      for (const Span& span : *spans) {
        if (span == kAbsent) continue;
        least = std::min(least, span.start);
        most = std::max(most, span.end);
      }
    }
    for (const auto& [step, span] : folds_) {
      if (!(span == kAbsent)) most = std::max(most, span.end);
    }
    nanoseconds_ = most > least ? most - least : 0;
    first_ = least;
    scale_ = nanoseconds_ > 0 ? story.end / nanoseconds_ : 0;
  }
  bool complete() const { return complete_ && scale_ > 0; }
  double seconds_per_unit() const { return 1e-9 / scale_; }

  Span tile(const Tile& tile, double now) const override {
    return later(tiles_[static_cast<std::size_t>(&tile - story_.tiles.data())], now);
  }
  Span flight(std::size_t index, double now) const override {
    return later({sends_[index].start, receives_[index].end}, now);
  }
  double sent(std::size_t index, const Span& flight) const override {
    return std::clamp((sends_[index].end - first_) * scale_, flight.start, flight.end);
  }
  double begin() const override { return 0; }
  double fold(int rank, std::size_t step, double now) const override {
    const auto found = folds_.find({rank, step});
    return found == folds_.end() ? now : later(found->second, now).end;
  }
  bool one_at_a_time() const override { return false; }

 private:
  using Key = std::tuple<int, Lane, int, std::string>;
  static constexpr Span kAbsent{-1, -1};

  // Merges and additions, by the names that the simulator gives them.
  void list_folds(const Story& work, int rank, std::map<Key, std::vector<Span*>>& folds) {
    const CollectiveIndex collectives(work.schedule);
    std::map<int, bool> reduces;  // by collective
    const auto& steps = work.schedule.rank(rank).steps;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const char* name = nullptr;
      if (std::holds_alternative<Merge>(steps[s].action)) {
        name = "merge";
      } else if (std::holds_alternative<Accumulate>(steps[s].action)) {
        name = "add";
      } else if (const auto* c = std::get_if<Collective>(&steps[s].action)) {
        reduces[c->id] = collectives.moves(rank, *c).reduces;
      } else if (const auto* wait = std::get_if<Wait>(&steps[s].action)) {
        const auto found = reduces.find(wait->id);
        if (found != reduces.end() && found->second) name = "add parts";
      }
      if (name == nullptr) continue;
      Span& span = folds_[{rank, s}] = kAbsent;
      folds[{rank, Lane::compute, steps[s].hop, name}].push_back(&span);
    }
  }

  static void fill(std::vector<Span>& found, const std::vector<Span*>& places) {
    std::sort(found.begin(), found.end(),
              [](const Span& a, const Span& b) { return a.start < b.start; });
    // Of a run forward and backward, what comes last is the direction that is shown.
    const std::size_t passed = found.size() - places.size();
    for (std::size_t i = 0; i < places.size(); ++i) *places[i] = found[passed + i];
  }

  Span later(Span span, double now) const {
    if (span == kAbsent) return {now, now};
    const double start = std::max(now, (span.start - first_) * scale_);
    return {start, std::max(start, (span.end - first_) * scale_)};
  }

  const Story& story_;
  std::vector<Span> tiles_, sends_, receives_;
  std::map<std::pair<int, std::size_t>, Span> folds_;  // by rank and step
  bool complete_ = false;
  double first_ = 0, nanoseconds_ = 0, scale_ = 0;
};

}  // namespace

void run_ideal_clock(Story& story) {
  const StoryOptions& options = story.options;
  const IdealPace pace(story);
  double most_work = 0, most_bytes = 0;
  for (const Tile& tile : story.tiles) {
    most_work = std::max(most_work, static_cast<double>(tile.pairs) * tile.query.heads);
  }
  for (const Flight& flight : story.flights) {
    most_bytes = std::max(most_bytes, static_cast<double>(pace.bytes(flight)));
  }
  story.pair_heads_per_unit =
      options.pair_heads_per_unit > 0 ? options.pair_heads_per_unit : std::max(1.0, most_work);
  story.bytes_per_unit = options.transfer_ratio <= 0 ? 0
                         : options.bytes_per_unit > 0
                             ? options.bytes_per_unit
                             : std::max(1.0, most_bytes) / options.transfer_ratio;
  Engine(story, pace).run();
}

bool run_trace_clock(Story& story, const Trace& trace, const Story& work) {
  const TracePace pace(story, trace, work);
  if (!pace.complete()) return false;
  story.end = 0;
  Engine(story, pace).run();
  story.seconds_per_unit = pace.seconds_per_unit();
  return true;
}

}  // namespace ringlab::viz::detail

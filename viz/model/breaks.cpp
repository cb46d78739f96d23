// Where motion stops by itself, and what is said there: one list for each rank, told from its
// place.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ringlab/viz/model/build.hpp"
#include "ringlab/viz/model/frame.hpp"

namespace ringlab::viz {

const char* name(BreakKind kind) {
  static constexpr std::array<const char*, 6> kNames = {"start",  "send",  "arrive",
                                                        "attend", "merge", "home"};
  return kNames[static_cast<std::size_t>(kind)];
}

namespace detail {

std::string what(const Schedule& schedule, const Content& content) {
  std::string shards;
  for (const Piece& piece : content.pieces) {
    const std::string letter = letter_of(piece.shard);
    if (shards.empty()) {
      shards = letter;
    } else if (piece.shard == content.pieces.back().shard && content.pieces.size() > 2) {
      shards += "-" + letter;
    } else if (content.pieces.size() == 2 && piece.shard != content.pieces.front().shard) {
      shards += "+" + letter;
    }
  }
  const bool part = [&] {
    if (content.pieces.empty()) return false;
    const Layout& layout =
        is_of_queries(content.quantity) ? schedule.query_layout : schedule.key_layout;
    Index all = 0;
    int last = -1;
    for (const Piece& piece : content.pieces) {
      if (piece.shard != last) all += layout[static_cast<std::size_t>(piece.shard)].size();
      last = piece.shard;
    }
    return all != schedule.token_count(content);
  }();
  return fmt::format("@what.{}{}|{}", part ? "part." : "", name(content.quantity), shards);
}

namespace {

constexpr double kLeastWait = 1e-9;  // of the clock's unit: shorter is rounding
constexpr std::size_t kMostSentences = 4;

std::string number(long long value) {
  return grouped(value);
}

class Teller {
 public:
  Teller(const Story& story, int rank, const std::map<std::pair<int, int>, std::vector<int>>& sent,
         const std::map<std::pair<int, int>, std::vector<int>>& received)
      : story_(story),
        sent_(sent),
        received_(received),
        rank_(rank),
        told_(story.ranks[static_cast<std::size_t>(rank)]),
        steps_(story.schedule.rank(rank).steps) {}

  std::vector<BreakPoint> tell() {
    begin();
    std::size_t next_tile = 0;
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const Action& action = steps_[s].action;
      if (std::holds_alternative<Attend>(action) ||
          std::holds_alternative<AttendBackward>(action)) {
        attend(told_.tiles[next_tile++]);
      } else if (std::holds_alternative<Exchange>(action) ||
                 std::holds_alternative<Collective>(action)) {
        send(s);
        arrive(s);
      } else if (std::holds_alternative<Merge>(action)) {
        add(told_.steps[s].end, BreakKind::merge, steps_[s].hop, {"break.merge", {rank()}});
      } else if (std::holds_alternative<Accumulate>(action)) {
        add(told_.steps[s].end, BreakKind::merge, steps_[s].hop, {"break.accumulate", {rank()}});
      }
    }
    const RankLedger& ledger = story_.ledger.ranks[static_cast<std::size_t>(rank_)];
    add(story_.end, BreakKind::home, std::max(0, story_.schedule.hops - 1),
        {story_.schedule.backward ? "break.home.backward" : "break.home",
         {rank(), number(ledger.pair_heads), bytes_text(static_cast<double>(ledger.bytes_sent)),
          number(story_.ledger.pair_heads)}});
    return joined();
  }

 private:
  std::string rank() const { return std::to_string(rank_); }

  BreakPoint& add(double time, BreakKind kind, int hop, Sentence sentence) {
    BreakPoint point;
    point.time = time;
    point.kind = kind;
    point.hop = hop;
    point.sentences.push_back(std::move(sentence));
    points_.push_back(std::move(point));
    return points_.back();
  }

  void begin() {
    const auto r = static_cast<std::size_t>(rank_);
    add(0, BreakKind::start, 0,
        {"break.start",
         {std::to_string(story_.size()), number(story_.scenario.tokens), rank(), letter_of(rank_),
          number(story_.schedule.query_layout[r].size()),
          number(story_.schedule.key_layout[r].size())}});
  }

  void attend(int index) {
    const Tile& tile = story_.tiles[static_cast<std::size_t>(index)];
    if (tile.square == 0) return;  // no queries or no keys: nothing happens
    const std::string key = fmt::format(
        "break.attend{}.{}", story_.schedule.backward ? "_backward" : "", name(tile.kind()));
    add(tile.time.end, BreakKind::attend, tile.hop,
        {key,
         {rank(), what(story_.schedule, tile.key_value), what(story_.schedule, tile.query),
          number(tile.pairs), number(tile.square), std::to_string(tile.query.heads)}})
        .tile = index;
  }

  const std::vector<int>& flights(const std::map<std::pair<int, int>, std::vector<int>>& of,
                                  std::size_t step) const {
    static const std::vector<int> none;
    const auto found = of.find({rank_, static_cast<int>(step)});
    return found == of.end() ? none : found->second;
  }
  const Flight& flight(int index) const { return story_.flights[static_cast<std::size_t>(index)]; }
  std::string bytes(const std::vector<int>& flights) const {
    Index sum = 0;
    for (const int f : flights) sum += flight(f).bytes;
    return bytes_text(static_cast<double>(sum));
  }

  // Whether the rank has something to compute before it next waits: a tile with a visible pair.
  bool computes_after(std::size_t step) const {
    std::size_t until = step + 1;
    while (until < steps_.size() && !std::holds_alternative<Wait>(steps_[until].action)) ++until;
    return std::any_of(told_.tiles.begin(), told_.tiles.end(), [&](int t) {
      const Tile& tile = story_.tiles[static_cast<std::size_t>(t)];
      const auto at = static_cast<std::size_t>(tile.step);
      return at > step && at < until && tile.pairs > 0;
    });
  }

  void send(std::size_t s) {
    const std::vector<int>& list = flights(sent_, s);
    if (list.empty()) return;
    const char* why = computes_after(s) ? "and_computes" : "and_waits";
    if (list.size() == 1) {
      const Flight& f = flight(list[0]);
      add(told_.steps[s].end, BreakKind::send, steps_[s].hop,
          {fmt::format("break.send.one.{}", why),
           {rank(), what(story_.schedule, f.content), std::to_string(f.to),
            bytes_text(static_cast<double>(f.bytes))}})
          .flight = list[0];
    } else {
      add(told_.steps[s].end, BreakKind::send, steps_[s].hop,
          {fmt::format("break.send.many.{}", why),
           {rank(), std::to_string(list.size()), bytes(list)}})
          .flight = list[0];
    }
  }

  // From when on the rank stood at the wait for what step `s` began.
  double waits_from(std::size_t s) const {
    const auto* exchange = std::get_if<Exchange>(&steps_[s].action);
    const int id = exchange ? exchange->id : std::get<Collective>(steps_[s].action).id;
    for (std::size_t w = s + 1; w < steps_.size(); ++w) {
      const auto* wait = std::get_if<Wait>(&steps_[w].action);
      if (wait && wait->id == id) return told_.steps[w].start;
    }
    return story_.end;
  }

  void arrive(std::size_t s) {
    const std::vector<int>& list = flights(received_, s);
    if (list.empty()) return;
    double time = 0;
    int last = list[0];
    for (const int f : list) {
      if (flight(f).time.end < time) continue;
      time = flight(f).time.end;
      last = f;
    }
    // What it stands there for may also be that its own message is taken.
    const char* how = time > waits_from(s) + kLeastWait ? "exposed" : "hidden";
    const Flight& f = flight(last);
    Sentence sentence = {fmt::format("break.arrive.many.{}", how),
                         {rank(), std::to_string(list.size()), bytes(list)}};
    if (list.size() == 1) {
      sentence = {fmt::format("break.arrive.one.{}", how),
                  {rank(), what(story_.schedule, f.content), std::to_string(f.from),
                   bytes_text(static_cast<double>(f.bytes))}};
    }
    add(time, BreakKind::arrive, steps_[s].hop, std::move(sentence)).flight = last;
  }

  // By time; what happens at one time is one break point with several sentences.
  std::vector<BreakPoint> joined() {
    std::stable_sort(points_.begin(), points_.end(),
                     [](const BreakPoint& a, const BreakPoint& b) { return a.time < b.time; });
    std::vector<BreakPoint> out;
    for (BreakPoint& point : points_) {
      if (out.empty() || point.time > out.back().time) {
        out.push_back(std::move(point));
        continue;
      }
      BreakPoint& before = out.back();
      before.kind = point.kind;
      before.hop = point.hop;
      if (point.tile >= 0) before.tile = point.tile;
      if (point.flight >= 0) before.flight = point.flight;
      before.sentences.push_back(std::move(point.sentences.front()));
    }
    for (BreakPoint& point : out) {
      // The last ones are what the rest leads up to.
      if (point.sentences.size() > kMostSentences) {
        const std::size_t left_out = point.sentences.size() - kMostSentences;
        point.sentences.erase(point.sentences.begin(),
                              point.sentences.begin() + static_cast<std::ptrdiff_t>(left_out));
        point.sentences.insert(point.sentences.begin(), {"break.more", {std::to_string(left_out)}});
      }
      point.short_name = name_of(point, Texts::english());
    }
    return out;
  }

  const Story& story_;
  const std::map<std::pair<int, int>, std::vector<int>>&sent_, &received_;
  int rank_;
  const RankStory& told_;
  const std::vector<Step>& steps_;
  std::vector<BreakPoint> points_;
};

}  // namespace

void tell_breaks(Story& story) {
  std::map<std::pair<int, int>, std::vector<int>> sent, received;
  for (std::size_t f = 0; f < story.flights.size(); ++f) {
    const Flight& flight = story.flights[f];
    sent[{flight.from, flight.from_step}].push_back(static_cast<int>(f));
    received[{flight.to, flight.to_step}].push_back(static_cast<int>(f));
  }
  for (int r = 0; r < story.size(); ++r) {
    story.ranks[static_cast<std::size_t>(r)].breaks = Teller(story, r, sent, received).tell();
  }
}

}  // namespace detail
}  // namespace ringlab::viz

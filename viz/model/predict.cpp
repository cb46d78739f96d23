#include "ringlab/viz/model/predict.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

#include "ringlab/viz/model/build.hpp"

namespace ringlab::viz {
namespace {

constexpr std::size_t kLeastOptions = 3, kMostOptions = 4;
// What begins within so much of a story's length is on the screen already: sums of times differ in
// their last digits.
constexpr double kSameTime = 1e-9;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// A number made of the place in the story, the same on every machine.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

class Asker {
 public:
  Asker(const Story& story, int rank, int break_index)
      : story_(story), rank_(rank), index_(break_index) {
    const auto& breaks = story.ranks[at(rank)].breaks;
    from_ = breaks[at(break_index)].time;
    until_ = breaks[at(break_index) + 1].time;
    after_ = from_ + kSameTime * story.end;
    const Scenario& s = story.scenario;
    chance_ = mixed(mixed(mixed(s.seed, static_cast<std::uint64_t>(s.tokens)),
                          static_cast<std::uint64_t>(s.ranks)),
                    mixed(static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(index_)));
  }

  std::optional<Prediction> ask() {
    for (std::uint64_t i = 0; i < 3; ++i) {
      std::optional<Prediction> p;
      switch ((chance_ + i) % 3) {
        case 0:
          p = next_block();
          break;
        case 1:
          p = idle_rank();
          break;
        default:
          p = next_receiver();
          break;
      }
      if (p) return p;
    }
    return std::nullopt;
  }

 private:
  // The right option and the wrong ones that come first to mind, without those that occur twice.
  std::optional<Prediction> with_options(Prediction p, const Prediction::Option& right,
                                         const std::vector<Prediction::Option>& wrong) const {
    p.rank = rank_;
    p.break_index = index_;
    p.asked_at = from_;
    p.shown_at = until_;
    p.options = {right};
    for (const Prediction::Option& option : wrong) {
      if (p.options.size() == kMostOptions) break;
      const bool known = std::any_of(p.options.begin(), p.options.end(), [&](const auto& other) {
        return other.rank == option.rank && other.label == option.label;
      });
      if (!known) p.options.push_back(option);
    }
    if (p.options.size() < kLeastOptions) return std::nullopt;
    // In their own order: a right answer must not be found by its place.
    std::sort(p.options.begin(), p.options.end(), [](const auto& a, const auto& b) {
      if (a.rank != b.rank) return a.rank < b.rank;
      if (a.label.size() != b.label.size()) return a.label.size() < b.label.size();
      return a.label < b.label;
    });
    p.right =
        static_cast<int>(std::find(p.options.begin(), p.options.end(), right) - p.options.begin());
    return p;
  }

  Prediction::Option block(int copy) const {
    const Copy& c = story_.copies[at(copy)];
    return {-1, c.short_label, detail::what(story_.schedule, c.content), colour_of(c)};
  }
  static Prediction::Option of_rank(int rank) {
    return {rank, {}, "@place.rank|" + std::to_string(rank), colour_of(rank)};
  }
  int wrapped(int rank) const { return (rank + story_.size()) % story_.size(); }
  // Every rank once, beginning somewhere.
  std::vector<int> all_ranks() const {
    std::vector<int> ranks;
    const int first = static_cast<int>(chance_ % static_cast<std::uint64_t>(story_.size()));
    for (int i = 0; i < story_.size(); ++i) ranks.push_back(wrapped(first + i));
    return ranks;
  }

  // Tiles without a visible pair take no time: nobody computes with them.
  static bool computes(const Tile& tile) {
    return tile.pairs > 0 && tile.time.end > tile.time.start && tile.key_value_copy >= 0 &&
           tile.query_copy >= 0;
  }

  std::optional<Prediction> next_block() const {
    const std::vector<int>& mine = story_.ranks[at(rank_)].tiles;
    std::vector<int> work;  // of this rank, by time
    for (const int t : mine) {
      if (computes(story_.tiles[at(t)])) work.push_back(t);
    }
    const auto next = std::find_if(work.begin(), work.end(),
                                   [&](int t) { return story_.tiles[at(t)].time.start > after_; });
    if (next == work.end()) return std::nullopt;
    const Span time = story_.tiles[at(*next)].time;
    if (time.start > until_ || time.end <= until_) return std::nullopt;
    // What comes and goes is asked for: keys and values, or, where those stay, queries.
    const auto changes = [&](auto copy_of) {
      return std::any_of(work.begin(), work.end(), [&](int t) {
        return block(copy_of(story_.tiles[at(t)])).label !=
               block(copy_of(story_.tiles[at(work.front())])).label;
      });
    };
    const bool keys = changes([](const Tile& tile) { return tile.key_value_copy; });
    if (!keys && !changes([](const Tile& tile) { return tile.query_copy; })) return std::nullopt;
    const auto option = [&](int t) {
      const Tile& tile = story_.tiles[at(t)];
      return block(keys ? tile.key_value_copy : tile.query_copy);
    };
    std::vector<Prediction::Option> wrong;
    if (next != work.begin()) wrong.push_back(option(*(next - 1)));
    if (next + 1 != work.end()) wrong.push_back(option(*(next + 1)));
    // What the neighbours have, then whatever there is.
    std::vector<int> others{wrapped(rank_ + 1), wrapped(rank_ - 1), rank_};
    for (const int r : all_ranks()) others.push_back(r);
    for (const int r : others) {
      for (const int t : story_.ranks[at(r)].tiles) {
        if (!computes(story_.tiles[at(t)])) continue;
        wrong.push_back(option(t));
        break;
      }
    }
    const Tile& tile = story_.tiles[at(*next)];
    Prediction p;
    p.kind = Prediction::Kind::next_block;
    p.question = {keys ? "predict.ask.block" : "predict.ask.queries", {std::to_string(rank_)}};
    const Copy& copy = story_.copies[at(keys ? tile.key_value_copy : tile.query_copy)];
    p.hop = tile.hop;
    p.why = {copy.flight >= 0 ? "predict.why.came" : "predict.why.own",
             {std::to_string(tile.hop), std::to_string(rank_),
              detail::what(story_.schedule, keys ? tile.key_value : tile.query),
              grouped(tile.pairs), grouped(tile.square)}};
    if (copy.flight >= 0) {
      p.why.arguments.push_back(std::to_string(story_.flights[at(copy.flight)].from));
    }
    return with_options(std::move(p), option(*next), wrong);
  }

  std::optional<Prediction> idle_rank() const {
    // The next hop is the first that nobody has begun.
    int hop = 0;
    for (const Tile& tile : story_.tiles) {
      if (computes(tile) && tile.time.start <= after_) hop = std::max(hop, tile.hop + 1);
    }
    std::vector<bool> works(at(story_.size()), false);
    Index pair_heads = 0;
    bool begins = false;
    for (const Tile& tile : story_.tiles) {
      if (tile.hop != hop || !computes(tile)) continue;
      works[at(tile.rank)] = true;
      pair_heads += tile.pairs * tile.query.heads;
      begins = begins || tile.time.start <= until_;
    }
    if (!begins) return std::nullopt;
    std::vector<Prediction::Option> idle, busy;
    for (const int r : {rank_, wrapped(rank_ + 1), wrapped(rank_ - 1)}) {
      if (works[at(r)]) busy.push_back(of_rank(r));
    }
    for (const int r : all_ranks()) (works[at(r)] ? busy : idle).push_back(of_rank(r));
    if (idle.empty()) return std::nullopt;
    Prediction p;
    p.kind = Prediction::Kind::idle_rank;
    p.hop = hop;
    p.question = {"predict.ask.idle", {std::to_string(hop)}};
    p.why = {"predict.why.idle",
             {std::to_string(hop), std::to_string(idle.front().rank),
              std::to_string(story_.size() - static_cast<int>(idle.size())), grouped(pair_heads)}};
    return with_options(std::move(p), idle.front(), busy);
  }

  std::optional<Prediction> next_receiver() const {
    // Messages that begin before motion stops next. What goes to several ranks at once, or is on
    // its way already, has no next receiver.
    std::vector<const Flight*> begun;
    for (const Flight& flight : story_.flights) {
      if (flight.time.start > after_ && flight.time.start <= until_) begun.push_back(&flight);
    }
    if (begun.empty()) return std::nullopt;
    const std::size_t first = static_cast<std::size_t>(chance_ % begun.size());
    // What leaves or reaches the rank that tells the story comes first.
    const auto mine = [&](const Flight* f) { return f->from == rank_ || f->to == rank_; };
    std::rotate(begun.begin(), begun.begin() + static_cast<std::ptrdiff_t>(first), begun.end());
    std::stable_partition(begun.begin(), begun.end(), mine);
    constexpr std::size_t kTries = 4;
    for (std::size_t i = 0; i < std::min(kTries, begun.size()); ++i) {
      const Flight& flight = *begun[i];
      if (flight.bytes == 0 || flight.copy < 0) continue;
      const std::string what = detail::what(story_.schedule, flight.content);
      const std::string& letter = story_.copies[at(flight.copy)].short_label;
      // Nothing that reads or looks like it may be on its way meanwhile.
      const bool only =
          std::none_of(story_.flights.begin(), story_.flights.end(), [&](const Flight& other) {
            return &other != &flight && other.time.end > after_ &&
                   other.time.start <= std::max(flight.time.end, until_) &&
                   ((other.copy >= 0 && story_.copies[at(other.copy)].short_label == letter) ||
                    detail::what(story_.schedule, other.content) == what);
          });
      if (!only || story_.copies[at(flight.copy)].dies <= until_) continue;
      const int origin = story_.copies[at(flight.copy)].origin;
      std::vector<Prediction::Option> wrong;
      for (const int r : {wrapped(2 * flight.from - flight.to), flight.from, origin, rank_}) {
        if (r >= 0 && r < story_.size()) wrong.push_back(of_rank(r));
      }
      for (const int r : all_ranks()) wrong.push_back(of_rank(r));
      Prediction p;
      p.kind = Prediction::Kind::next_receiver;
      p.hop = flight.hop;
      p.question = {"predict.ask.receiver", {what}};
      p.why = {"predict.why.receiver",
               {std::to_string(flight.from), what, std::to_string(flight.to),
                std::to_string(flight.hop), bytes_text(static_cast<double>(flight.bytes))}};
      return with_options(std::move(p), of_rank(flight.to), wrong);
    }
    return std::nullopt;
  }

  const Story& story_;
  int rank_, index_;
  double from_ = 0, after_ = 0, until_ = 0;
  std::uint64_t chance_ = 0;
};

}  // namespace

const char* name(Prediction::Kind kind) {
  switch (kind) {
    case Prediction::Kind::next_block:
      return "next_block";
    case Prediction::Kind::idle_rank:
      return "idle_rank";
    case Prediction::Kind::next_receiver:
      return "next_receiver";
  }
  return "?";
}

std::optional<Prediction> predict(const Story& story, int rank, int break_index) {
  if (rank < 0 || rank >= story.size()) return std::nullopt;
  const auto breaks = static_cast<int>(story.ranks[at(rank)].breaks.size());
  if (break_index < 0 || break_index + 1 >= breaks) return std::nullopt;
  return Asker(story, rank, break_index).ask();
}

int option_of_rank(const Prediction& prediction, int rank) {
  for (std::size_t i = 0; i < prediction.options.size(); ++i) {
    if (rank >= 0 && prediction.options[i].rank == rank) return static_cast<int>(i);
  }
  return -1;
}

int option_of_copy(const Prediction& prediction, const Story& story, int copy) {
  if (copy < 0 || copy >= static_cast<int>(story.copies.size())) return -1;
  const std::string& label = story.copies[at(copy)].short_label;
  for (std::size_t i = 0; i < prediction.options.size(); ++i) {
    const Prediction::Option& option = prediction.options[i];
    if (option.rank < 0 && option.label == label) return static_cast<int>(i);
  }
  return -1;
}

std::string option_text(const Prediction::Option& option, const Texts& texts) {
  return texts.say("predict.option", {option.what});
}

}  // namespace ringlab::viz

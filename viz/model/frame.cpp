#include "ringlab/viz/model/frame.hpp"

#include <algorithm>
#include <limits>

namespace ringlab::viz {
namespace {

// 1 exactly from the end on, never before.
float share(double time, double start, double end) {
  constexpr float kAlmost = 1 - std::numeric_limits<float>::epsilon() / 2;
  if (time >= end) return 1;
  if (time <= start) return 0;
  return std::min(kAlmost, static_cast<float>((time - start) / (end - start)));
}

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// How many of the ascending values are <= time.
std::size_t passed(const std::vector<double>& values, double time) {
  return static_cast<std::size_t>(std::upper_bound(values.begin(), values.end(), time) -
                                  values.begin());
}

void place_copies(const Story& story, int rank, const RankNow& now, double time, Frame& frame) {
  const RankStory& told = story.ranks[at(rank)];
  const Tile* tile = now.tile >= 0 ? &story.tiles[at(now.tile)] : nullptr;
  const auto place = [&](int id) {
    const Copy& copy = story.copies[at(id)];
    if (copy.born > time || copy.dies <= time) return;
    BlockPlace p;
    p.copy = id;
    p.rank = rank;
    p.flying = time < copy.arrives;
    if (copy.flight >= 0) p.from = story.flights[at(copy.flight)].from;
    p.progress = share(time, copy.born, copy.arrives);
    p.in_use =
        tile && (id == tile->query_copy || id == tile->key_value_copy || id == tile->result_copy);
    frame.places.push_back(p);
  };
  const std::size_t buffers = told.copies_begin.size() - 2;
  for (std::size_t b = 0; b < buffers; ++b) {
    const auto first = told.copies_by_buffer.begin() + told.copies_begin[b];
    const auto end = told.copies_by_buffer.begin() + told.copies_begin[b + 1];
    // Copies of one buffer follow each other: only the last one born can be alive.
    const auto after = std::upper_bound(
        first, end, time, [&](double t, int id) { return t < story.copies[at(id)].born; });
    if (after != first) place(*(after - 1));
  }
  for (int i = told.copies_begin[buffers]; i < told.copies_begin[buffers + 1]; ++i) {
    place(told.copies_by_buffer[at(i)]);
  }
}

void tell_rank(const Story& story, int rank, double time, Frame& frame) {
  const RankStory& told = story.ranks[at(rank)];
  RankNow& now = frame.ranks[at(rank)];
  now = {};
  const auto begun = std::upper_bound(told.steps.begin(), told.steps.end(), time,
                                      [](double t, const Span& s) { return t < s.start; });
  now.step = static_cast<int>(begun - told.steps.begin());
  const auto& steps = story.schedule.rank(rank).steps;

  std::size_t done = 0;
  for (const int t : told.tiles) {
    const Tile& tile = story.tiles[at(t)];
    const float progress = share(time, tile.time.start, tile.time.end);
    frame.tile_progress[at(t)] = progress;
    if (progress >= 1) {
      ++done;
    } else if (tile.time.start <= time && now.tile < 0) {
      now.tile = t;
      now.tile_fraction = progress;
    }
  }
  // The hop of the running tile; where one thing ends as the next begins, of what is told last.
  if (now.tile >= 0 && now.tile_fraction > 0) {
    now.hop = story.tiles[at(now.tile)].hop;
  } else {
    now.hop = break_at(story, rank, time).hop;
  }
  if (done > 0) now.last_tile = told.tiles[done - 1];
  const std::size_t next = done + (now.tile >= 0 ? 1 : 0);
  if (next < told.tiles.size()) now.next_tile = told.tiles[next];
  now.pair_heads = told.pair_heads_before[done];
  now.pair_heads_now = static_cast<double>(now.pair_heads);
  if (now.tile >= 0) {
    const Tile& tile = story.tiles[at(now.tile)];
    now.pair_heads_now +=
        static_cast<double>(tile.pairs * tile.query.heads) * static_cast<double>(now.tile_fraction);
  }
  now.bytes_sent = told.bytes_sent_before[passed(told.departure_ends, time)];
  now.bytes_received = told.bytes_received_before[passed(told.arrival_ends, time)];

  const auto memory =
      std::upper_bound(told.memory.begin(), told.memory.end(), time,
                       [](double t, const RankStory::Memory& m) { return t < m.time; }) -
      1;
  now.memory = memory->bytes;
  now.memory_parts = memory->parts;
  now.memory_total = memory->total();

  if (now.tile >= 0) {
    now.doing = Doing::computing;
  } else if (told.steps.empty() || time >= told.steps.back().end) {
    now.doing = Doing::finished;
  } else if (now.step > 0 && told.steps[at(now.step - 1)].end > time &&
             std::holds_alternative<Wait>(steps[at(now.step - 1)].action)) {
    now.doing = Doing::waiting;
  }
  place_copies(story, rank, now, time, frame);
}

// What is on the links, and who sends it.
void tell_links(const Story& story, double time, Frame& frame) {
  frame.links.clear();
  const auto begun = std::upper_bound(story.flights.begin(), story.flights.end(), time,
                                      [](double t, const Flight& f) { return t < f.time.start; });
  std::vector<const Flight*> flying;
  for (auto f = story.flights.begin(); f != begun; ++f) {
    if (f->time.end > time) flying.push_back(&*f);
  }
  std::stable_sort(flying.begin(), flying.end(),
                   [](const Flight* a, const Flight* b) { return a->link < b->link; });
  for (const Flight* flight : flying) {
    frame.ranks[at(flight->from)].bytes_leaving += flight->bytes;
    if (frame.links.empty() || frame.links.back().link != flight->link) {
      frame.links.push_back(
          {flight->link, 0, 0, share(time, flight->time.start, flight->time.end)});
    }
    ++frame.links.back().messages;
    frame.links.back().bytes += flight->bytes;
    const int first = frame.places_begin[at(flight->from)];
    const int end = frame.places_begin[at(flight->from) + 1];
    for (int p = first; p < end; ++p) {
      if (frame.places[at(p)].copy != flight->source_copy) continue;
      frame.places[at(p)].leaving = true;
      break;
    }
  }
}

}  // namespace

void frame_at(const Story& story, double time, Frame& frame) {
  frame.time = time = std::clamp(time, 0.0, story.end);
  frame.places.clear();
  frame.places_begin.clear();
  frame.tile_progress.resize(story.tiles.size());
  frame.ranks.resize(at(story.size()));
  frame.bytes_sent = 0;
  frame.first_hop = frame.last_hop = std::max(0, story.schedule.hops - 1);
  double done = 0;
  bool all_finished = true;
  for (int r = 0; r < story.size(); ++r) {
    frame.places_begin.push_back(static_cast<int>(frame.places.size()));
    tell_rank(story, r, time, frame);
    const RankNow& now = frame.ranks[at(r)];
    frame.bytes_sent += now.bytes_sent;
    done += now.pair_heads_now;
    if (now.doing == Doing::finished) continue;
    frame.first_hop = all_finished ? now.hop : std::min(frame.first_hop, now.hop);
    frame.last_hop = all_finished ? now.hop : std::max(frame.last_hop, now.hop);
    all_finished = false;
  }
  frame.places_begin.push_back(static_cast<int>(frame.places.size()));
  frame.share_done =
      story.ledger.pair_heads > 0 ? done / static_cast<double>(story.ledger.pair_heads) : 1;
  tell_links(story, time, frame);
}

Frame frame_at(const Story& story, double time) {
  Frame frame;
  frame_at(story, time, frame);
  return frame;
}

const BreakPoint& break_at(const Story& story, int rank, double time) {
  const std::vector<BreakPoint>& breaks = story.ranks[at(rank)].breaks;
  const auto after = std::upper_bound(breaks.begin(), breaks.end(), time,
                                      [](double t, const BreakPoint& b) { return t < b.time; });
  return after == breaks.begin() ? breaks.front() : *(after - 1);
}

std::string name_of(const BreakPoint& point, const Texts& texts) {
  const std::string kind = texts.say(std::string("kind.") + name(point.kind));
  if (point.kind == BreakKind::start || point.kind == BreakKind::home) return kind;
  return texts.say("kind.in_hop", {std::to_string(point.hop), kind});
}

}  // namespace ringlab::viz

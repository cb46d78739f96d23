#include "ringlab/viz/model/timeline_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "ringlab/viz/model/simulated.hpp"

namespace ringlab::viz {
namespace {

constexpr double kMostZoom = 2000;  // the view is at least this part of the whole
constexpr float kTextWidth = 16, kTextHeight = 10;
constexpr float kGhostRow = 7;  // below this another trace could not be told apart
constexpr float kLabelHeight = 11;
constexpr float kTallRow = 30;  // above this a row has a lane for sends
constexpr float kTickSpacing = 70;
constexpr float kTickHeight = 14;
constexpr float kLeastWidth = 0.5f;  // narrower bars are joined with their neighbour

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

TimelineView completed(const Story& story, TimelineView view) {
  if (!(view.end > view.start)) return fit_all(story);
  const double whole = std::max(story.end, 1e-9);
  const double width = std::clamp(view.end - view.start, whole / kMostZoom, whole);
  view.start = std::clamp(view.start, 0.0, whole - width);
  view.end = view.start + width;
  return view;
}

// Calls under(part) and free(part) for the parts of a span that lie under others (ascending,
// disjoint), and for those that do not.
template <class Under, class Free>
void cut(Span span, const std::vector<Span>& busy, Under under, Free free) {
  double at = span.start;
  auto first = std::upper_bound(busy.begin(), busy.end(), span.start,
                                [](double t, const Span& b) { return t < b.end; });
  for (; first != busy.end() && first->start < span.end; ++first) {
    const Span part{std::max(first->start, span.start), std::min(first->end, span.end)};
    if (part.end <= part.start) continue;
    if (part.start > at) free(Span{at, part.start});
    under(part);
    at = part.end;
  }
  if (at < span.end || span.start == span.end) free(Span{at, span.end});
}

class Painter {
 public:
  Painter(const Story& story, Rect area, const TimelineView& view, float label_width,
          const Texts& texts)
      : story_(story), view_(completed(story, view)), all_(area), texts_(texts) {
    picture_.area = {area.x0 + label_width, area.y0 + kTickHeight, area.x1, area.y1};
    scale_ = picture_.area.width() / static_cast<float>(view_.end - view_.start);
    row_ = picture_.area.height() / static_cast<float>(std::max(1, story.size()));
  }

  TimelinePicture paint() {
    picture_.bars.reserve(story_.tiles.size() + 2 * story_.flights.size());
    for (int r = 0; r < story_.size(); ++r) add_rank(r);
    add_ghosts();
    add_ticks();
    double hidden = 0, all = 0;
    for (const Flight& f : story_.flights) {
      hidden += f.hidden * (f.time.end - f.time.start);
      all += f.time.end - f.time.start;
    }
    picture_.hidden_share = all > 0 ? hidden / all : 1;
    return std::move(picture_);
  }

 private:
  float x(double time) const {
    return picture_.area.x0 + static_cast<float>(time - view_.start) * scale_;
  }

  // The lanes of a rank's row: computation above, messages below.
  Rect lane(int rank, Lane which) const {
    const float top = picture_.area.y0 + row_ * static_cast<float>(rank);
    const bool tall = row_ >= kTallRow;
    const float pad = row_ >= 12 ? 0.08f * row_ : 0;
    const float compute_end = top + (tall ? 0.52f : 0.64f) * row_;
    const float receive_end = top + (tall ? 0.72f : 0.92f) * row_;
    switch (which) {
      case Lane::compute:
        return {0, top + pad, 0, compute_end};
      case Lane::receive:
        return {0, compute_end + 0.03f * row_, 0, receive_end};
      case Lane::send:
        return {0, receive_end + 0.03f * row_, 0, top + row_ - pad};
    }
    return {};
  }

  // False if the bar is out of view, or too narrow and joined to the one before.
  bool place(Rect& rect, Span time, float& last_x) const {
    if (time.end < view_.start || time.start > view_.end) return false;
    rect.x0 = std::max(picture_.area.x0, x(time.start));
    rect.x1 = std::min(picture_.area.x1, x(time.end));
    if (rect.x1 - rect.x0 < kLeastWidth) {
      if (rect.x0 < last_x) return false;
      rect.x1 = std::min(picture_.area.x1, rect.x0 + 1);
      rect.x0 = rect.x1 - 1;
    }
    last_x = rect.x1;
    return true;
  }

  void add(int rank, BarKind kind, Lane which, Span time, int copy, int tile, int flight,
           float& last_x) {
    Bar bar;
    bar.rank = rank;
    bar.kind = kind;
    bar.rect = lane(rank, which);
    if (!place(bar.rect, time, last_x)) return;
    bar.time = time;
    bar.tile = tile;
    bar.flight = flight;
    if (copy >= 0) {
      const Copy& c = story_.copies[at(copy)];
      bar.colour = colour_of(c);
      if (bar.rect.width() >= kTextWidth && bar.rect.height() >= kTextHeight &&
          bar.rect.width() >= 8 * static_cast<float>(c.short_label.size())) {
        bar.text = c.short_label;
      }
    }
    picture_.bars.push_back(bar);
  }

  void add_rank(int rank) {
    const RankStory& told = story_.ranks[at(rank)];
    const float top = picture_.area.y0 + row_ * static_cast<float>(rank);
    const int every = std::max(1, static_cast<int>(std::ceil(kLabelHeight / row_)));
    if (rank % every == 0 && top + kLabelHeight <= picture_.area.y1 + 0.5f) {
      picture_.rows.push_back({rank,
                               {all_.x0, top, picture_.area.x0, top + std::max(row_, kLabelHeight)},
                               texts_.say("place.rank", {std::to_string(rank)})});
    }
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    std::vector<Span> busy;
    float last = kNone;
    for (const int t : told.tiles) {
      const Tile& tile = story_.tiles[at(t)];
      if (tile.time.end <= tile.time.start) continue;
      busy.push_back(tile.time);
      add(rank, BarKind::compute, Lane::compute, tile.time, moving_copy(tile), t, -1, last);
    }
    const auto& steps = story_.schedule.rank(rank).steps;
    last = kNone;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      if (!std::holds_alternative<Wait>(steps[s].action)) continue;
      if (told.steps[s].end - told.steps[s].start <= 1e-9 * story_.end) continue;
      add(rank, BarKind::waiting, Lane::compute, told.steps[s], -1, -1, -1, last);
    }
    last = kNone;
    float last_exposed = kNone;
    for (const int f : told.arrivals) {
      const Flight& flight = story_.flights[at(f)];
      cut(
          flight.time, busy,
          [&](Span span) {
            add(rank, BarKind::receive_hidden, Lane::receive, span, flight.copy, -1, f, last);
          },
          [&](Span span) {
            add(rank, BarKind::receive_exposed, Lane::receive, span, flight.copy, -1, f,
                last_exposed);
          });
    }
    if (row_ < kTallRow) return;
    last = kNone;
    for (const int f : told.departures) {
      const Flight& flight = story_.flights[at(f)];
      add(rank, BarKind::send, Lane::send, {flight.time.start, flight.sent}, flight.copy, -1, f,
          last);
    }
  }

  // Of the two that a tile reads, the one that came from elsewhere; else the keys and values.
  int moving_copy(const Tile& tile) const {
    const auto came = [&](int copy) {
      return copy >= 0 && story_.copies[at(copy)].origin != tile.rank;
    };
    if (!came(tile.key_value_copy) && came(tile.query_copy)) return tile.query_copy;
    return tile.key_value_copy;
  }

  // What can be laid over the story's own clock, and what it is called.
  std::pair<const Trace*, const char*> other() const {
    const Clock clock = story_.options.clock;
    if (story_.given && clock != Clock::imported) return {&*story_.given, "given"};
    if (story_.simulated && (clock == Clock::ideal || clock == Clock::measured))
      return {&story_.simulated->result.trace, "simulated"};
    if (story_.measured && clock != Clock::measured) return {&*story_.measured, "measured"};
    return {nullptr, ""};
  }

  void add_ghosts() {
    const Clock clock = story_.options.clock;
    const auto [trace, what] = other();
    picture_.legend = {std::string("timeline.legend.") + name(clock), {}};
    if (story_.seconds_per_unit > 0)
      picture_.legend.arguments.push_back(duration_text(story_.end * story_.seconds_per_unit));
    if (!trace || trace->events.empty() || row_ < kGhostRow) return;
    picture_.other = what;
    picture_.legend.key += std::string(".over_") + what;
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = 0;
    for (const TraceEvent& e : trace->events) {
      first = std::min(first, e.start_nanoseconds);
      last = std::max(last, e.end_nanoseconds);
    }
    const double nanoseconds = std::max(1.0, static_cast<double>(last - first));
    if (picture_.legend.arguments.empty()) picture_.legend.arguments.emplace_back();
    picture_.legend.arguments.push_back(duration_text(1e-9 * nanoseconds));
    // Real clocks keep their proportion where both can be seen then; else, as of two machines,
    // lengths are made equal, since only the shapes can be compared.
    const double proportion = story_.seconds_per_unit > 0
                                  ? 1e-9 * nanoseconds / (story_.end * story_.seconds_per_unit)
                                  : 0;
    const bool keeps = proportion > 0.5 && proportion < 2 && std::string(what) != "simulated" &&
                       clock != Clock::simulated;
    picture_.legend.arguments.emplace_back(keeps ? "" : "@timeline.stretched|");
    const double units = keeps ? 1e-9 / story_.seconds_per_unit : story_.end / nanoseconds;
    std::vector<float> last_x(at(3 * story_.size()), -std::numeric_limits<float>::infinity());
    for (const TraceEvent& e : trace->events) {
      if (e.rank < 0 || e.rank >= story_.size()) continue;
      if (e.lane == Lane::send && row_ < kTallRow) continue;
      GhostBar ghost;
      ghost.rank = e.rank;
      ghost.lane = e.lane;
      ghost.time = {static_cast<double>(e.start_nanoseconds - first) * units,
                    static_cast<double>(e.end_nanoseconds - first) * units};
      ghost.rect = lane(e.rank, e.lane);
      if (place(ghost.rect, ghost.time, last_x[at(3 * e.rank + static_cast<int>(e.lane))])) {
        picture_.ghosts.push_back(ghost);
      }
    }
  }

  void add_ticks() {
    const double unit = story_.seconds_per_unit > 0 ? story_.seconds_per_unit : 1;
    const double width = (view_.end - view_.start) * unit;
    const double wanted =
        width * static_cast<double>(kTickSpacing / std::max(1.0f, picture_.area.width()));
    if (!(wanted > 0)) return;
    double step = std::pow(10, std::floor(std::log10(wanted)));
    for (const double factor : {2.0, 2.5, 2.0}) {
      if (step < wanted) step *= factor;
    }
    const double start = std::ceil(view_.start * unit / step) * step;
    for (int i = 0; start + i * step <= view_.end * unit && i < 1000; ++i) {
      const double time = start + i * step;
      picture_.ticks.emplace_back(x(time / unit), tick_text(time, step));
    }
  }

  std::string tick_text(double time, double step) const {
    if (time < step / 2) return "0";
    // One unit along the whole axis, that of its largest number; as many digits as the step has.
    const double last = view_.end * story_.seconds_per_unit;
    const double unit = last <= 0 ? 1 : last >= 1 ? 1 : last >= 1e-3 ? 1e3 : 1e6;
    int digits = 0;
    for (double s = step * unit; digits < 9 && std::abs(s - std::round(s)) > 1e-6 * s; s *= 10) {
      ++digits;
    }
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.*f%s", digits, time * unit,
                  last <= 0      ? ""
                  : last >= 1    ? " s"
                  : last >= 1e-3 ? " ms"
                                 : " \u00b5s");
    return text.data();
  }

  const Story& story_;
  TimelineView view_;
  Rect all_;
  const Texts& texts_;
  float scale_ = 1, row_ = 1;
  TimelinePicture picture_;
};

}  // namespace

TimelineView fit_all(const Story& story) {
  return {0, std::max(story.end, 1e-9)};
}

TimelineView zoomed(const Story& story, TimelineView view, double about, double factor) {
  view = completed(story, view);
  if (!(factor > 0)) return view;
  const double share = (about - view.start) / (view.end - view.start);
  const double width = std::min((view.end - view.start) / factor, std::max(story.end, 1e-9));
  return completed(story, {about - share * width, about + (1 - share) * width});
}

TimelineView panned(const Story& story, TimelineView view, double share) {
  view = completed(story, view);
  const double by = share * (view.end - view.start);
  return completed(story, {view.start + by, view.end + by});
}

TimelinePicture timeline_picture(const Story& story, Rect area, const TimelineView& view,
                                 float label_width, const Texts& texts) {
  return Painter(story, area, view, label_width, texts).paint();
}

float x_of(const TimelinePicture& picture, const Story& story, const TimelineView& view,
           double time) {
  const TimelineView full = completed(story, view);
  return picture.area.x0 +
         static_cast<float>((time - full.start) / (full.end - full.start)) * picture.area.width();
}

double time_at(const TimelinePicture& picture, const Story& story, const TimelineView& view,
               float x) {
  const TimelineView full = completed(story, view);
  const double share =
      static_cast<double>((x - picture.area.x0) / std::max(1.0f, picture.area.width()));
  return std::clamp(full.start + share * (full.end - full.start), 0.0, story.end);
}

}  // namespace ringlab::viz

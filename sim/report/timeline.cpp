#include "ringlab/sim/report/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ringlab/sim/report/chart.hpp"

namespace ringlab {
namespace {

using namespace detail;

using Interval = std::pair<std::int64_t, std::int64_t>;

// Sorted, and joined where they touch.
std::vector<Interval> joined(std::vector<Interval> list) {
  std::sort(list.begin(), list.end());
  std::vector<Interval> out;
  for (const Interval& i : list) {
    if (i.first == i.second) continue;
    if (!out.empty() && i.first <= out.back().second) {
      out.back().second = std::max(out.back().second, i.second);
    } else {
      out.push_back(i);
    }
  }
  return out;
}

// The parts of `list` that lie in `under`, and those that do not.
std::pair<std::vector<Interval>, std::vector<Interval>> split(const std::vector<Interval>& list,
                                                              const std::vector<Interval>& under) {
  std::vector<Interval> inside, outside;
  std::size_t at = 0;
  for (auto [begin, end] : list) {
    while (at < under.size() && under[at].second <= begin) ++at;
    std::size_t next = at;
    while (begin < end) {
      if (next == under.size() || under[next].first >= end) {
        outside.emplace_back(begin, end);
        break;
      }
      if (under[next].first > begin) outside.emplace_back(begin, under[next].first);
      begin = std::max(begin, under[next].first);
      const std::int64_t stop = std::min(end, under[next].second);
      inside.emplace_back(begin, stop);
      begin = stop;
      ++next;
    }
  }
  return {inside, outside};
}

struct Row {
  std::vector<const TraceEvent*> tiles;
  std::vector<Interval> compute, transfer;
};

std::int64_t length(const std::vector<Interval>& list) {
  std::int64_t sum = 0;
  for (const auto& [begin, end] : list) sum += end - begin;
  return sum;
}

class Drawing {
 public:
  Drawing(const Trace& trace, const TimelinePlot& plot) : plot_(plot) {
    for (const TraceEvent& e : trace.events) {
      Row& row = rows_[e.rank];
      first_ = std::min(first_, e.start_nanoseconds);
      last_ = std::max(last_, e.end_nanoseconds);
      const Interval when{e.start_nanoseconds, e.end_nanoseconds};
      if (e.lane == Lane::compute) {
        row.tiles.push_back(&e);
        row.compute.push_back(when);
      } else {
        row.transfer.push_back(when);
      }
    }
    for (auto& [rank, row] : rows_) {
      row.compute = joined(std::move(row.compute));
      row.transfer = joined(std::move(row.transfer));
    }
  }

  std::string draw() {
    y_ = canvas_.heading(plot_.title, plot_.subtitle);
    if (rows_.empty() || last_ == first_) {
      canvas_.text(kPlotMargin, y_ + 20, "Nothing happened.", {.colour = kSoftInk});
      return canvas_.document(y_ + 50, plot_.title);
    }
    y_ = canvas_.legend(y_ + 2, {{"computing", kBlue},
                                 {"transfer hidden under it", kSky},
                                 {"transfer exposed", kVermillion}});
    const std::vector<int> shown = shown_ranks();
    choose_height(shown.size());
    if (shown.size() < rows_.size()) {
      canvas_.text(kPlotMargin, y_ + 8,
                   fmt::format("{} of {} ranks, evenly spread", shown.size(), rows_.size()),
                   {.size = 12, .colour = kSoftInk});
      y_ += 20;
    }
    left_ = kPlotMargin + text_width(fmt::format("rank {}", rows_.rbegin()->first), 12) + 10;
    right_ = kPlotWidth - kPlotMargin - 60;
    canvas_.text(kPlotWidth - kPlotMargin, y_ + 8, "computing",
                 {.size = 12, .colour = kSoftInk, .anchor = Anchor::end});
    y_ += 16;
    axis(y_ + pitch_ * static_cast<double>(shown.size()) + 2);
    // Names on as many rows as have room for them.
    const std::size_t every =
        std::max<std::size_t>(1, static_cast<std::size_t>(14 / pitch_ + 0.99));
    for (std::size_t i = 0; i < shown.size(); ++i) {
      row(shown[i], rows_.at(shown[i]), i % every == 0);
      y_ += pitch_;
    }
    return canvas_.document(y_ + 56, plot_.title);
  }

 private:
  std::vector<int> shown_ranks() const {
    std::vector<int> all, out;
    for (const auto& [rank, row] : rows_) all.push_back(rank);
    const auto most = static_cast<std::size_t>(std::max(2, plot_.most_ranks));
    if (all.size() <= most) return all;
    for (std::size_t i = 0; i < most; ++i) out.push_back(all[i * (all.size() - 1) / (most - 1)]);
    return out;
  }

  void choose_height(std::size_t rows) {
    pitch_ = rows <= 8 ? 34 : std::max(9.0, 300.0 / static_cast<double>(rows));
  }

  double x(std::int64_t time) const {
    return left_ + (right_ - left_) * static_cast<double>(time - first_) /
                       static_cast<double>(last_ - first_);
  }

  void axis(double bottom) {
    const double total = static_cast<double>(last_ - first_) * 1e-9;
    const Ticks ticks = linear_ticks(PlotUnit::seconds, 0, total, 6);
    for (std::size_t i = 0; i < ticks.at.size(); ++i) {
      const double at = left_ + (right_ - left_) * ticks.at[i] / total;
      canvas_.line(at, y_ - 2, at, bottom, kGrid);
      canvas_.text(at, bottom + 17, ticks.labels[i],
                   {.size = 12, .colour = kSoftInk, .anchor = Anchor::middle});
    }
    canvas_.text(
        (left_ + right_) / 2, bottom + 38,
        fmt::format("time, {}; {} in all", ticks.unit, plot_value(PlotUnit::seconds, total)),
        {.anchor = Anchor::middle});
  }

  // Bars thinner than a fifth of a pixel, and gaps likewise, are drawn as one.
  void bars(const std::vector<Interval>& list, double y, double height, const char* colour) {
    constexpr double kThin = 0.2;
    double begin = 0, end = -1;
    const auto flush = [&] {
      if (end >= begin) {
        canvas_.rectangle(begin, y, std::max(end - begin, kThin), height, colour);
      }
    };
    for (const Interval& i : list) {
      const double from = x(i.first), to = x(i.second);
      if (end >= begin && from - end < kThin) {
        end = to;
        continue;
      }
      flush();
      begin = from;
      end = to;
    }
    flush();
  }

  void row(int rank, const Row& row, bool named) {
    const double gap = pitch_ > 20 ? 4 : 1.5, height = pitch_ - gap;
    const double upper = row.transfer.empty() ? height : height * 0.68, lower = height - upper;
    if (named) {
      canvas_.text(left_ - 10, y_ + height / 2 + 4, fmt::format("rank {}", rank),
                   {.size = 12, .colour = kInk, .anchor = Anchor::end});
      const double share =
          100.0 * static_cast<double>(length(row.compute)) / static_cast<double>(last_ - first_);
      canvas_.text(kPlotWidth - kPlotMargin, y_ + height / 2 + 4, fmt::format("{:.0f} %", share),
                   {.size = 12, .colour = kInk, .anchor = Anchor::end});
    }
    canvas_.rectangle(left_, y_, right_ - left_, height, "#f5f5f5");
    tiles(row, upper);
    const auto [hidden, exposed] = split(row.transfer, row.compute);
    bars(hidden, y_ + upper, lower, kSky);
    bars(exposed, y_ + upper, lower, kVermillion);
  }

  // Tiles are drawn one by one, with their hop, where a reader can tell them apart.
  void tiles(const Row& row, double height) {
    bars(row.compute, y_, height, kBlue);
    double before = -1;
    for (const TraceEvent* tile : row.tiles) {
      const double from = x(tile->start_nanoseconds), to = x(tile->end_nanoseconds);
      if (to - from < 4) continue;
      if (from - before < 0.5 && before >= 0) {
        canvas_.line(from, y_, from, y_ + height, "#ffffff", 1);
      }
      before = to;
      const std::string hop = std::to_string(tile->hop);
      if (height >= 12 && to - from > text_width(hop, 11) + 8) {
        canvas_.text((from + to) / 2, y_ + height / 2 + 4, hop,
                     {.size = 11, .colour = "#ffffff", .anchor = Anchor::middle});
      }
    }
  }

  const TimelinePlot& plot_;
  Canvas canvas_;
  std::map<int, Row> rows_;
  std::int64_t first_ = INT64_MAX, last_ = INT64_MIN;
  double y_ = 0, left_ = 0, right_ = 0, pitch_ = 0;
};

}  // namespace

std::string timeline_svg(const Trace& trace, const TimelinePlot& plot) {
  return Drawing(trace, plot).draw();
}

}  // namespace ringlab

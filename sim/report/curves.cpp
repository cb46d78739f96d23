#include "ringlab/sim/report/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {
namespace {

using namespace detail;

double forth(const PlotAxis& axis, double value) {
  return axis.logarithmic ? std::log(value) : value;
}
double back(const PlotAxis& axis, double value) {
  return axis.logarithmic ? std::exp(value) : value;
}

// Of a curve at x, straight between its points as drawn; x lies within.
double value_at(const PlotCurve& curve, const PlotAxis& x, const PlotAxis& y, double at) {
  const auto& p = curve.points;
  std::size_t i = 1;
  while (i + 1 < p.size() && p[i].first < at) ++i;
  const double from = forth(x, p[i - 1].first), to = forth(x, p[i].first);
  const double low = forth(y, p[i - 1].second), high = forth(y, p[i].second);
  return low + (high - low) * (forth(x, at) - from) / (to - from);
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct Box {
  double left, top, right, bottom;
  bool meets(const Box& o) const {
    return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
  }
  bool holds(double x, double y) const {
    return x >= left && x <= right && y >= top && y <= bottom;
  }
};

class Drawing {
 public:
  explicit Drawing(const CurvesPlot& plot) : plot_(plot) {
    for (const PlotCurve& curve : plot.curves) {
      double before = -std::numeric_limits<double>::infinity();
      for (const auto& [x, y] : curve.points) {
        RINGLAB_ENSURE(std::isfinite(x) && std::isfinite(y), "'" + curve.label + "' has numbers");
        RINGLAB_ENSURE(x > before, "x ascends in '" + curve.label + "'");
        RINGLAB_ENSURE((x > 0 || !plot.x.logarithmic) && (y > 0 || !plot.y.logarithmic),
                       "'" + curve.label + "' lies above 0 on a logarithmic axis");
        before = x;
        x_.take(x);
        y_.take(y);
      }
    }
  }

  std::string draw() {
    const double below_heading = canvas_.heading(plot_.title, plot_.subtitle);
    if (!(x_.high >= x_.low)) {
      canvas_.text(kPlotMargin, below_heading + 20, "There is nothing to draw.",
                   {.colour = kSoftInk});
      return canvas_.document(below_heading + 50, plot_.title);
    }
    widen();
    const Ticks tx = plot_.x.logarithmic ? log_ticks(plot_.x.unit, x_.low, x_.high)
                                         : linear_ticks(plot_.x.unit, x_.low, x_.high, 7);
    const Ticks ty = plot_.y.logarithmic ? log_ticks(plot_.y.unit, y_.low, y_.high)
                                         : linear_ticks(plot_.y.unit, y_.low, y_.high, 5);
    double tick_width = 0, label_width = 0;
    for (const std::string& label : ty.labels) {
      tick_width = std::max(tick_width, text_width(label, 12));
    }
    for (const PlotCurve& curve : plot_.curves) {
      label_width = std::max(label_width, text_width(curve.label, 13) * 1.05);
    }
    left_ = kPlotMargin + tick_width + 8;
    right_ = kPlotWidth - kPlotMargin - label_width - 14;
    top_ = below_heading + 34;
    bottom_ = top_ + 330;
    axes(tx, ty);
    for (std::size_t i = 0; i < plot_.curves.size(); ++i) curve(i);
    if (!plot_.crossing.empty()) mark_crossings();
    end_labels();
    return canvas_.document(bottom_ + 58, plot_.title);
  }

 private:
  // An axis has a length, a linear y starts at 0, and curves do not stick to the frame.
  void widen() {
    if (plot_.y.logarithmic) {
      const double room = std::max(std::pow(y_.high / y_.low, 0.04), 1.1);
      y_ = {y_.low / room, y_.high * room};
    } else {
      y_.low = std::min(0.0, y_.low);
      y_.high = y_.high > y_.low ? y_.high + 0.05 * (y_.high - y_.low) : y_.low + 1;
    }
    if (x_.low == x_.high) {
      x_ = plot_.x.logarithmic ? Range{x_.low / 2, x_.high * 2} : Range{x_.low - 1, x_.high + 1};
    }
  }

  double px(double x) const {
    const double low = forth(plot_.x, x_.low), high = forth(plot_.x, x_.high);
    return left_ + (right_ - left_) * (forth(plot_.x, x) - low) / (high - low);
  }
  double py(double y) const {
    const double low = forth(plot_.y, y_.low), high = forth(plot_.y, y_.high);
    return bottom_ - (bottom_ - top_) * (forth(plot_.y, y) - low) / (high - low);
  }

  static std::string axis_title(const PlotAxis& axis, const Ticks& ticks) {
    // "tokens per rank, tokens" would say it twice.
    const bool said = ticks.unit.empty() || axis.label.find(ticks.unit) != std::string::npos;
    return said ? axis.label : axis.label + ", " + ticks.unit;
  }

  void axes(const Ticks& tx, const Ticks& ty) {
    for (std::size_t i = 0; i < ty.at.size(); ++i) {
      const double y = py(ty.at[i]);
      canvas_.line(left_, y, right_, y, kGrid);
      canvas_.text(left_ - 8, y + 4, ty.labels[i],
                   {.size = 12, .colour = kSoftInk, .anchor = Anchor::end});
    }
    canvas_.line(left_, bottom_, right_, bottom_, kSoftInk);
    for (std::size_t i = 0; i < tx.at.size(); ++i) {
      const double x = px(tx.at[i]);
      canvas_.line(x, bottom_, x, bottom_ + 5, kSoftInk);
      canvas_.text(x, bottom_ + 19, tx.labels[i],
                   {.size = 12, .colour = kSoftInk, .anchor = Anchor::middle});
    }
    canvas_.text((left_ + right_) / 2, bottom_ + 42, axis_title(plot_.x, tx),
                 {.anchor = Anchor::middle});
    canvas_.text(kPlotMargin, top_ - 14, axis_title(plot_.y, ty));
  }

  const char* colour_of(std::size_t i) const {
    if (plot_.curves[i].dashed) return kSoftInk;
    // Yellow does not show as a line on white; the last stands for all beyond the sixth.
    constexpr std::array kLines = {0, 3, 2, 5, 1, 4, 7};
    return kPlotColours[static_cast<std::size_t>(kLines[std::min(i, kLines.size() - 1)])];
  }

  void curve(std::size_t i) {
    const PlotCurve& c = plot_.curves[i];
    std::vector<std::array<double, 2>> points;
    for (const auto& [x, y] : c.points) points.push_back({px(x), py(y)});
    if (points.empty()) return;
    canvas_.path(points, colour_of(i), c.dashed ? 1.6 : 2.4, c.dashed);
    for (const auto& [x, y] : points) {
      if (c.dots && c.points.size() <= 24) canvas_.circle(x, y, 2.6, colour_of(i), colour_of(i));
      drawn_.push_back({x, y});
    }
    for (std::size_t k = 1; k < points.size(); ++k) {
      for (double part = 0.05; part < 1; part += 0.05) {
        drawn_.push_back({points[k - 1][0] + part * (points[k][0] - points[k - 1][0]),
                          points[k - 1][1] + part * (points[k][1] - points[k - 1][1])});
      }
    }
  }

  void mark_crossings() {
    for (std::size_t a = 0; a < plot_.curves.size(); ++a) {
      for (std::size_t b = a + 1; b < plot_.curves.size(); ++b) {
        for (const auto& [x, y] : crossings(plot_.curves[a], plot_.curves[b], plot_.x, plot_.y)) {
          mark(x, y);
        }
      }
    }
  }

  // A label may stand on any of eight sides of its point; the one that covers least is taken.
  void mark(double x, double y) {
    const double at_x = px(x), at_y = py(y);
    canvas_.line(at_x, at_y, at_x, bottom_, kInk, 1, true);
    canvas_.circle(at_x, at_y, 5, "#ffffff", kInk);
    const std::string text = fmt::format("{} at {}", plot_.crossing, plot_value(plot_.x.unit, x));
    const double width = text_width(text, 13), gap = 12;
    double best_cost = std::numeric_limits<double>::infinity();
    Box best{};
    for (const double dy : {-1.0, 1.0, 0.0, -2.2, 2.2}) {
      for (const double dx : {1.0, -1.0, 0.0}) {
        if (dx == 0 && dy == 0) continue;
        const double left = dx > 0 ? at_x + gap : dx < 0 ? at_x - gap - width : at_x - width / 2;
        const double middle = at_y + dy * 22;
        const Box box{left, middle - 9, left + width, middle + 9};
        double cost = 0.3 * std::abs(dy);
        for (const auto& [cx, cy] : drawn_) cost += box.holds(cx, cy) ? 2 : 0;
        for (const Box& other : labels_) cost += box.meets(other) ? 50 : 0;
        // Its own line to the axis.
        if (box.left < at_x + 3 && box.right > at_x - 3 && box.bottom > at_y) cost += 10;
        if (box.left < left_ || box.right > right_ || box.top < top_ || box.bottom > bottom_) {
          cost += 100;
        }
        if (cost < best_cost) {
          best_cost = cost;
          best = box;
        }
      }
    }
    labels_.push_back(best);
    canvas_.text(best.left, best.bottom - 4.5, text, {.bold = true, .halo = true});
  }

  // At the end of each curve, moved apart where they would overlap.
  void end_labels() {
    struct Label {
      std::size_t curve;
      double y, wanted;
    };
    std::vector<Label> labels;
    for (std::size_t i = 0; i < plot_.curves.size(); ++i) {
      const auto& points = plot_.curves[i].points;
      if (points.empty()) continue;
      const double y = py(points.back().second);
      labels.push_back({i, y, y});
    }
    std::stable_sort(labels.begin(), labels.end(),
                     [](const Label& a, const Label& b) { return a.wanted < b.wanted; });
    constexpr double kPitch = 17;
    // Clusters of labels that touch are centred on where their members want to be.
    for (int round = 0; round < 200; ++round) {
      bool moved = false;
      for (std::size_t i = 1; i < labels.size(); ++i) {
        const double overlap = labels[i - 1].y + kPitch - labels[i].y;
        if (overlap <= 1e-6) continue;
        labels[i - 1].y -= overlap / 2;
        labels[i].y += overlap / 2;
        moved = true;
      }
      if (!moved) break;
    }
    for (const Label& label : labels) {
      const PlotCurve& c = plot_.curves[label.curve];
      const double from = px(c.points.back().first);
      // A curve that ends early is led to its label.
      if (right_ - from > 12 || std::abs(label.y - label.wanted) > 6) {
        canvas_.path({{from + 5, label.wanted}, {right_ + 10, label.y}}, kGrid, 1, false);
      }
      canvas_.text(right_ + 14, label.y + 4.5, c.label,
                   {.colour = colour_of(label.curve), .bold = true});
    }
  }

  const CurvesPlot& plot_;
  Canvas canvas_;
  Range x_, y_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
  std::vector<std::array<double, 2>> drawn_;
  std::vector<Box> labels_;
};

}  // namespace

std::vector<std::pair<double, double>> crossings(const PlotCurve& a, const PlotCurve& b,
                                                 const PlotAxis& x, const PlotAxis& y) {
  std::vector<std::pair<double, double>> out;
  if (a.points.size() < 2 || b.points.size() < 2) return out;
  const double low = std::max(a.points.front().first, b.points.front().first);
  const double high = std::min(a.points.back().first, b.points.back().first);
  std::vector<double> at;
  for (const auto* curve : {&a, &b}) {
    for (const auto& point : curve->points) {
      if (point.first >= low && point.first <= high) at.push_back(point.first);
    }
  }
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());
  // The last place at which the curves differed, and by how much.
  double before_at = 0, before = 0;
  bool equal = false;   // just before here ...
  double equal_at = 0;  // ... since there
  for (const double here : at) {
    const double difference = value_at(a, x, y, here) - value_at(b, x, y, here);
    if (difference == 0) {
      if (!equal) equal_at = here;
      equal = true;
      continue;
    }
    if (before != 0 && (before < 0) != (difference < 0)) {
      const double from = forth(x, before_at), to = forth(x, here);
      const double place =
          equal ? equal_at : back(x, from + (to - from) * before / (before - difference));
      out.emplace_back(place, back(y, value_at(a, x, y, place)));
    }
    equal = false;
    before_at = here;
    before = difference;
  }
  return out;
}

std::string curves_svg(const CurvesPlot& plot) {
  return Drawing(plot).draw();
}

}  // namespace ringlab

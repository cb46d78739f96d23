#include "ringlab/sim/report/memory_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/report/chart.hpp"

namespace ringlab {
namespace {

using namespace detail;

// The names that get a colour, in the order in which they first stand.
std::vector<std::string> names_of(const std::vector<MemoryBar>& bars) {
  std::vector<std::string> order;
  std::map<std::string, double> largest;
  for (const MemoryBar& bar : bars) {
    for (const auto& [name, bytes] : bar.parts) {
      RINGLAB_ENSURE(bytes >= 0 && std::isfinite(bytes), "'" + name + "' takes bytes");
      if (bytes == 0) continue;
      if (!largest.contains(name)) order.push_back(name);
      largest[name] = std::max(largest[name], bytes);
    }
  }
  if (order.size() <= kPlotColours.size()) return order;
  std::vector<std::string> by_size = order;
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](const auto& a, const auto& b) { return largest[a] > largest[b]; });
  by_size.resize(kPlotColours.size() - 1);
  std::vector<std::string> kept;
  for (const std::string& name : order) {
    if (std::find(by_size.begin(), by_size.end(), name) != by_size.end()) kept.push_back(name);
  }
  kept.emplace_back("other");
  return kept;
}

}  // namespace

std::string memory_bars_svg(const MemoryBarsPlot& plot) {
  const std::vector<std::string> names = names_of(plot.bars);
  const auto place_of = [&](const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return static_cast<std::size_t>(found == names.end() ? std::ssize(names) - 1
                                                         : found - names.begin());
  };
  std::vector<std::vector<double>> sizes;  // [bar][name]
  std::vector<double> totals;
  double label_width = 0;
  for (const MemoryBar& bar : plot.bars) {
    std::vector<double> of_bar(names.size(), 0);
    for (const auto& [name, bytes] : bar.parts) {
      if (bytes > 0) of_bar[place_of(name)] += bytes;
    }
    double total = 0;
    for (const double bytes : of_bar) total += bytes;
    sizes.push_back(std::move(of_bar));
    totals.push_back(total);
    label_width = std::max(label_width, text_width(bar.label, 13));
  }
  double most = plot.capacity_bytes;
  for (const double total : totals) most = std::max(most, total);

  Canvas canvas;
  double y = canvas.heading(plot.title, plot.subtitle);
  if (!(most > 0)) {
    canvas.text(kPlotMargin, y + 20, "Nothing is held.", {.colour = kSoftInk});
    return canvas.document(y + 50, plot.title);
  }
  std::vector<Canvas::LegendEntry> legend;
  for (std::size_t i = 0; i < names.size(); ++i) legend.push_back({names[i], kPlotColours[i]});
  y = canvas.legend(y + 2, legend);

  const double left = kPlotMargin + label_width + 12, right = kPlotWidth - kPlotMargin - 110;
  const auto x = [&](double bytes) { return left + (right - left) * bytes / most; };
  const bool capacity = plot.capacity_bytes > 0;
  if (capacity) y += 20;
  constexpr double kBar = 26, kPitch = 38;
  const double top = y + 4, bottom = top + kPitch * static_cast<double>(plot.bars.size()) - 4;
  const Ticks ticks = linear_ticks(PlotUnit::bytes, 0, most, 6);
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    canvas.line(x(ticks.at[i]), top - 4, x(ticks.at[i]), bottom, kGrid);
    canvas.text(x(ticks.at[i]), bottom + 17, ticks.labels[i],
                {.size = 12, .colour = kSoftInk, .anchor = Anchor::middle});
  }
  canvas.text((left + right) / 2, bottom + 38, fmt::format("memory of a rank, {}", ticks.unit),
              {.anchor = Anchor::middle});
  for (std::size_t b = 0; b < plot.bars.size(); ++b) {
    const double at = top + kPitch * static_cast<double>(b) + 2;
    canvas.text(left - 12, at + kBar / 2 + 4.5, plot.bars[b].label, {.anchor = Anchor::end});
    double begin = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double bytes = sizes[b][i], width = x(bytes) - x(0);
      if (bytes == 0) continue;
      canvas.rectangle(x(begin), at, width, kBar, kPlotColours[i]);
      std::string text = plot_value(PlotUnit::bytes, bytes);
      if (text_width(text, 11) + 8 < width) {
        canvas.text(x(begin) + width / 2, at + kBar / 2 + 4, text,
                    {.size = 11, .colour = ink_on(kPlotColours[i]), .anchor = Anchor::middle});
      }
      begin += bytes;
    }
    const bool over = capacity && totals[b] > plot.capacity_bytes;
    canvas.text(x(totals[b]) + 8, at + kBar / 2 + 4.5, plot_value(PlotUnit::bytes, totals[b]),
                {.colour = over ? kVermillion : kInk, .bold = true, .halo = true});
  }
  if (capacity) {
    const double at = x(plot.capacity_bytes);
    canvas.line(at, top - 4, at, bottom, kInk, 1.5, true);
    const std::string text =
        fmt::format("{}{}{}", plot.capacity_label, plot.capacity_label.empty() ? "" : " has ",
                    plot_value(PlotUnit::bytes, plot.capacity_bytes));
    // Leftwards where there is no room to the right.
    const bool fits = at + text_width(text, 12) / 2 < kPlotWidth - kPlotMargin;
    canvas.text(fits ? at : kPlotWidth - kPlotMargin, top - 11, text,
                {.size = 12, .anchor = fits ? Anchor::middle : Anchor::end});
  }
  return canvas.document(bottom + 58, plot.title);
}

}  // namespace ringlab

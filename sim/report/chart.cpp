#include "ringlab/sim/report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {
namespace {

struct Scale {
  double factor;
  const char* name;
};

// The largest unit that leaves at least 1 (with a little room, so that 0.9995 s is 1 s).
Scale scale_of(PlotUnit unit, double value) {
  static constexpr std::array kSeconds = {Scale{1, "s"}, Scale{1e-3, "ms"}, Scale{1e-6, "us"},
                                          Scale{1e-9, "ns"}};
  static constexpr std::array kBytes = {Scale{1e15, "PB"}, Scale{1e12, "TB"}, Scale{1e9, "GB"},
                                        Scale{1e6, "MB"},  Scale{1e3, "kB"},  Scale{1, "bytes"}};
  const auto pick = [&](const auto& list) {
    for (const Scale& scale : list) {
      if (std::abs(value) >= scale.factor * 0.9995) return scale;
    }
    return value == 0 ? list.front() : list.back();
  };
  switch (unit) {
    case PlotUnit::seconds:
      return pick(kSeconds);
    case PlotUnit::bytes:
      return pick(kBytes);
    case PlotUnit::tokens:
      return {1, "tokens"};
    case PlotUnit::ranks:
      return {1, value == 1 ? "rank" : "ranks"};
    case PlotUnit::percent:
      return {1, "%"};
    case PlotUnit::dollars:
      return {1, "$"};
    case PlotUnit::number:
      break;
  }
  return {1, ""};
}

// 24960 -> "24 960" with a space that does not break.
std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), "\u00a0");
  }
  return (value < 0 ? "-" : "") + digits;
}

// Three digits, no exponent where it can be helped, no zeros at the end.
std::string three_digits(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 1e7 || size < 1e-4) return fmt::format("{:.3g}", value);
  if (size >= 999.5) return grouped(value);
  const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 4;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

// Lengths of contexts are counted in powers of two: 131072 is 128K.
std::string binary_count(double value) {
  constexpr std::array kUnits = {"", "K", "M", "G"};
  double left = value;
  std::size_t unit = 0;
  while (left >= 1024 && std::fmod(left, 1024) == 0 && unit + 1 < kUnits.size()) {
    left /= 1024;
    ++unit;
  }
  if (unit > 0) return fmt::format("{:.0f}{}", left, kUnits[unit]);
  return grouped(std::round(value));
}

std::string number_text(PlotUnit unit, double scaled) {
  if (unit == PlotUnit::tokens) return binary_count(scaled);
  if (unit == PlotUnit::ranks) return grouped(std::round(scaled));
  return three_digits(scaled);
}

// 1, 2 or 5 times a power of ten, about as large as `raw`.
double nice_step(double raw) {
  const double decade = std::pow(10, std::floor(std::log10(raw)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (raw <= 1.4 * step * decade) return step * decade;
  }
  return 10 * decade;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        // XML has no way to write other control characters.
        out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
  }
  return out;
}

}  // namespace

std::string plot_value(PlotUnit unit, double value) {
  const Scale scale = scale_of(unit, value);
  const std::string text = number_text(unit, value / scale.factor);
  if (unit == PlotUnit::dollars) return "$" + text;
  return *scale.name ? text + "\u00a0" + scale.name : text;
}

namespace detail {

const char* ink_on(std::string_view colour) {
  const bool dark = colour == kBlue || colour == "#009E73" || colour == kVermillion;
  return dark ? "#ffffff" : "#000000";
}

double text_width(std::string_view text, double size) {
  double ems = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;  // inside a UTF-8 character
    if (std::string_view("il.,:;'|!j()[] ").find(c) != std::string_view::npos) {
      ems += 0.33;
    } else if (std::string_view("mwMW@%").find(c) != std::string_view::npos) {
      ems += 0.88;
    } else if (c >= 'A' && c <= 'Z') {
      ems += 0.7;
    } else {
      ems += 0.57;
    }
  }
  return ems * size;
}

void Canvas::rectangle(double x, double y, double width, double height, const char* fill) {
  fmt::format_to(std::back_inserter(body_),
                 "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                 "fill=\"{}\"/>\n",
                 x, y, width, height, fill);
}

void Canvas::line(double x1, double y1, double x2, double y2, const char* colour, double width,
                  bool dashed) {
  fmt::format_to(std::back_inserter(body_),
                 "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
                 "stroke-width=\"{}\"{}/>\n",
                 x1, y1, x2, y2, colour, width, dashed ? " stroke-dasharray=\"4 3\"" : "");
}

void Canvas::path(const std::vector<std::array<double, 2>>& points, const char* colour,
                  double width, bool dashed) {
  body_ += "<polyline points=\"";
  for (const auto& [x, y] : points) {
    fmt::format_to(std::back_inserter(body_), "{:.1f},{:.1f} ", x, y);
  }
  if (!points.empty()) body_.pop_back();
  fmt::format_to(std::back_inserter(body_),
                 "\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}/>"
                 "\n",
                 colour, width, dashed ? " stroke-dasharray=\"6 4\"" : "");
}

void Canvas::circle(double x, double y, double radius, const char* fill, const char* stroke) {
  fmt::format_to(std::back_inserter(body_),
                 "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"{}\" "
                 "stroke-width=\"2\"/>\n",
                 x, y, radius, fill, stroke);
}

void Canvas::text(double x, double y, std::string_view text, const TextStyle& style) {
  static constexpr std::array kAnchors = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  fmt::format_to(std::back_inserter(body_),
                 "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" fill=\"{}\"{}{}{}>{}</text>\n",
                 x, y, style.size, style.colour, kAnchors[static_cast<std::size_t>(style.anchor)],
                 style.bold ? " font-weight=\"600\"" : "",
                 style.halo ? " stroke=\"#ffffff\" stroke-width=\"4\" stroke-linejoin=\"round\" "
                              "paint-order=\"stroke\""
                            : "",
                 escaped(text));
}

double Canvas::heading(const std::string& title, const std::string& subtitle) {
  text(kPlotMargin, 38, title, {.size = 18, .bold = true});
  if (subtitle.empty()) return 56;
  text(kPlotMargin, 60, subtitle, {.size = 13, .colour = kSoftInk});
  return 78;
}

double Canvas::legend(double y, const std::vector<LegendEntry>& entries) {
  double x = kPlotMargin;
  for (const LegendEntry& entry : entries) {
    const double width = 18 + text_width(entry.label, 13) + 20;
    if (x > kPlotMargin && x + width - 20 > kPlotWidth - kPlotMargin) {
      x = kPlotMargin;
      y += 20;
    }
    rectangle(x, y, 12, 12, entry.colour);
    text(x + 18, y + 10.5, entry.label);
    x += width;
  }
  return y + 22;
}

std::string Canvas::document(double height, const std::string& title) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
      "font-family=\"Inter, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif\">\n"
      "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{3}</svg>\n",
      kPlotWidth, height, escaped(title), body_);
}

Ticks linear_ticks(PlotUnit unit, double low, double high, int wanted) {
  RINGLAB_ENSURE(high > low && std::isfinite(high - low), "an axis has a length");
  const Scale scale = scale_of(unit, high);
  const double step = std::max(nice_step((high - low) / scale.factor / wanted),
                               unit == PlotUnit::ranks || unit == PlotUnit::tokens ? 1.0 : 0.0);
  Ticks ticks;
  if (unit != PlotUnit::ranks) ticks.unit = scale.name;
  const double first = std::ceil(low / scale.factor / step - 1e-9);
  for (double i = first; i * step * scale.factor <= high * (1 + 1e-9); ++i) {
    ticks.at.push_back(i * step * scale.factor);
    ticks.labels.push_back(unit == PlotUnit::ranks || unit == PlotUnit::tokens
                               ? grouped(i * step)
                               : three_digits(i * step));
  }
  return ticks;
}

Ticks log_ticks(PlotUnit unit, double low, double high) {
  RINGLAB_ENSURE(low > 0 && high >= low, "a logarithmic axis lies above 0");
  Ticks ticks;
  const bool binary = unit == PlotUnit::tokens || unit == PlotUnit::ranks;
  const auto inside = [&](double x) { return x >= low * (1 - 1e-9) && x <= high * (1 + 1e-9); };
  if (binary) {
    const int first = static_cast<int>(std::ceil(std::log2(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log2(high) + 1e-9));
    const int step = std::max(1, (last - first + 8) / 8);
    for (int e = first; e <= last; e += step) ticks.at.push_back(std::exp2(e));
  } else {
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::ceil(std::log10(high)));
    const int step = std::max(1, (last - first) / 7);
    const std::vector<double> within =
        std::log10(high / low) < 2.5 ? std::vector{1.0, 2.0, 5.0} : std::vector{1.0};
    for (int e = first; e <= last; e += step) {
      for (const double m : within) {
        // Read from text, so that 1e-6 is the same number as in the source.
        const double at = std::stod(fmt::format("{}e{}", m, e));
        if (inside(at)) ticks.at.push_back(at);
      }
    }
  }
  for (const double at : ticks.at) {
    const Scale scale = binary ? Scale{1, ""} : scale_of(unit, at);
    std::string label = number_text(unit, at / scale.factor);
    if (!binary && *scale.name && unit != PlotUnit::dollars)
      label += std::string("\u00a0") + scale.name;
    ticks.labels.push_back(label);
  }
  if (unit == PlotUnit::tokens) ticks.unit = "tokens";
  if (unit == PlotUnit::dollars) ticks.unit = "$";
  return ticks;
}

}  // namespace detail
}  // namespace ringlab

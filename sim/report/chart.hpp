// What the plots are drawn with: SVG text of a fixed width, one font stack, Okabe and Ito's colours
// (jfly.uni-koeln.de/color), which people with any colour vision tell apart.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace ringlab {

/// What a figure counts, for ticks and labels.
enum class PlotUnit { number, seconds, bytes, tokens, ranks, percent, dollars };

/// "56.8 us", "24 960 tokens", "128K tokens", "45.6 GB", "52 %".
std::string plot_value(PlotUnit unit, double value);

namespace detail {

inline constexpr double kPlotWidth = 900, kPlotMargin = 28;
inline constexpr const char* kInk = "#1a1a1a";
inline constexpr const char* kSoftInk = "#5c5c5c";
inline constexpr const char* kGrid = "#e4e4e4";
inline constexpr const char* kBlue = "#0072B2";
inline constexpr const char* kSky = "#56B4E9";
inline constexpr const char* kVermillion = "#D55E00";
inline constexpr std::array kPlotColours = {"#0072B2", "#E69F00", "#009E73", "#D55E00",
                                            "#56B4E9", "#CC79A7", "#F0E442", "#999999"};
/// White or black, whichever reads better on the colour.
const char* ink_on(std::string_view colour);

/// Width in pixels of text in a Helvetica of this size; a guess that errs on the wide side.
double text_width(std::string_view text, double size);

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 13;
  const char* colour = kInk;
  Anchor anchor = Anchor::start;
  bool bold = false;
  bool halo = false;  // a white outline, for text that crosses lines
};

class Canvas {
 public:
  void rectangle(double x, double y, double width, double height, const char* fill);
  void line(double x1, double y1, double x2, double y2, const char* colour, double width = 1,
            bool dashed = false);
  void path(const std::vector<std::array<double, 2>>& points, const char* colour, double width,
            bool dashed);
  void circle(double x, double y, double radius, const char* fill, const char* stroke);
  void text(double x, double y, std::string_view text, const TextStyle& style = {});
  /// Title and subtitle at the top; the y below them.
  double heading(const std::string& title, const std::string& subtitle);
  /// Swatches with names, in lines as needed, from `y` down; the y below them.
  struct LegendEntry {
    std::string label;
    const char* colour;
  };
  double legend(double y, const std::vector<LegendEntry>& entries);

  /// The document; `title` is what screen readers say.
  std::string document(double height, const std::string& title) const;

 private:
  std::string body_;
};

/// Where ticks stand and what they say, for values in [low, high] on a linear scale from `low`.
struct Ticks {
  std::vector<double> at;
  std::vector<std::string> labels;  // without the unit
  std::string unit;                 // "ms", "GB", "tokens", ""
};
Ticks linear_ticks(PlotUnit unit, double low, double high, int wanted);
/// Powers of two for tokens and ranks, else decades, or 1-2-5 where these are few.
Ticks log_ticks(PlotUnit unit, double low, double high);

}  // namespace detail
}  // namespace ringlab

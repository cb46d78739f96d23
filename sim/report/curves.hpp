// Curves over one axis: the break-even of transfer and computation, scaling with ranks and with
// length. Each curve is labelled at its end, and where two cross, the place is marked and said.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ringlab/sim/report/chart.hpp"

namespace ringlab {

struct PlotAxis {
  std::string label;  // "tokens per rank"
  PlotUnit unit = PlotUnit::number;
  bool logarithmic = false;
};

struct PlotCurve {
  std::string label;
  std::vector<std::pair<double, double>> points;  // x ascending
  bool dashed = false;                            // a bound or an ideal
  bool dots = true;                               // at each point
};

struct CurvesPlot {
  std::string title, subtitle;
  PlotAxis x, y;
  std::vector<PlotCurve> curves;
  std::string crossing;  // "break-even": marks where curves cross; "" marks nothing
};

/// Where two curves cross, straight between their points as the axes draw them: on two logarithmic
/// axes exact for powers. Points in the order of x; curves that touch without crossing have none.
std::vector<std::pair<double, double>> crossings(const PlotCurve& a, const PlotCurve& b,
                                                 const PlotAxis& x, const PlotAxis& y);

/// SVG, 900 pixels wide. Up to six curves have colours of their own; dashed ones are grey. Throws
/// InvariantError for values that are not finite, x that does not ascend, and values not above 0 on
/// a logarithmic axis.
std::string curves_svg(const CurvesPlot& plot);

}  // namespace ringlab

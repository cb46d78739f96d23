// Memory by part as stacked bars, with what the GPU has as a line.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ringlab {

struct MemoryBar {
  std::string label;                                  // "rank 0", "zigzag ring, 8 GPUs"
  std::vector<std::pair<std::string, double>> parts;  // name and bytes
};

struct MemoryBarsPlot {
  std::string title, subtitle;
  std::vector<MemoryBar> bars;
  double capacity_bytes = 0;   // 0: no line
  std::string capacity_label;  // "an H100"
};

/// SVG, 900 pixels wide. Parts of one name have one colour in all bars; more than eight names are
/// drawn as the seven largest and "other". Throws InvariantError for bytes that are negative or not
/// finite.
std::string memory_bars_svg(const MemoryBarsPlot& plot);

}  // namespace ringlab

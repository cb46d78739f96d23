// What colours mean, as one line of swatches under a picture.
#pragma once

#include "ringlab/viz/panels/draw.hpp"

namespace ringlab::viz {

struct Swatch {
  enum class Kind { fill, outline, line, dot };
  std::string_view text;
  ImU32 colour;
  Kind kind = Kind::fill;
};

/// Draws as many as fit from the left; gives the width used.
float draw_swatches(const Ui& ui, const Rect& rect, const std::vector<Swatch>& swatches);

void draw_matrix_legend(const Ui& ui, const Rect& rect);

}  // namespace ringlab::viz

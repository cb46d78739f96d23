// The attention matrix: queries down, keys across, each cell in the colour of the rank that
// computes it, filled as time passes.
#pragma once

#include "ringlab/viz/model/matrix_picture.hpp"
#include "ringlab/viz/panels/draw.hpp"
#include "ringlab/viz/panels/pointing.hpp"

namespace ringlab::viz {

struct MatrixPanel {
  const Story& story;
  const Frame& frame;
  const MatrixPicture& picture;
  MatrixView& view;  // changed by wheel and drag
  int head = 0;
  std::string_view heading, caption;
};

/// The part of the panel in which the picture has to stand.
/// A square matrix stands in the middle of a wide panel.
Rect matrix_area(const Ui& ui, const Rect& rect, bool square);

void draw_matrix_panel(const Ui& ui, const Rect& rect, const MatrixPanel& panel,
                       Pointing& pointing);

}  // namespace ringlab::viz

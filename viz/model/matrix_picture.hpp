// The attention matrix as rectangles. The layout does not depend on time: what is drawn in a cell
// follows from Frame::tile_progress of its tile.
#pragma once

#include "ringlab/viz/model/frame.hpp"
#include "ringlab/viz/model/geometry.hpp"

namespace ringlab::viz {

/// The part of the matrix that is in view, in tokens.
struct MatrixView {
  double first_query = 0, queries = 0;  // 0 queries: all
  double first_key = 0, keys = 0;
  bool operator==(const MatrixView&) const = default;
};

/// Zooms about a point of the picture; factor > 1 goes in. Stays inside the matrix.
MatrixView zoomed(const Story& story, MatrixView view, Rect area, Point about, double factor);
MatrixView panned(const Story& story, MatrixView view, Rect area, Point by);

struct CellBox {
  int cell = 0;    // index into Matrix::cells
  int tile = -1;   // index into Story::tiles, for the head
  Rect rect;       // clipped to the area
  int colour = 0;  // of the computing rank
  TileClass kind = TileClass::full;
  float share = 1;                 // visible share of its pairs
  int strips = 0, strips_end = 0;  // into MatrixPicture::strips; none: fill the whole
};

struct AxisLabel {
  float at = 0;      // x or y
  std::string text;  // position
};

/// One score, where single scores are large enough to read.
struct ScoreBox {
  Index query = 0, key = 0;  // places on the axes
  Rect rect;
  bool visible = false;
  float score = 0;   // scaled q . k
  float weight = 0;  // softmax weight, 0 to 1
  int tile = -1;
  std::string text;  // "0.42", or empty where it would not fit
};

struct MatrixPicture {
  Rect area;  // of the cells: square tokens, inside what was given
  std::vector<CellBox> cells;
  std::vector<Rect> strips;
  std::vector<AxisLabel> query_labels, key_labels;
  std::vector<float> query_lines, key_lines;  // segment borders, where they are not too dense
  std::vector<ScoreBox> scores;               // empty unless zoomed in far enough and numbers exist
  Rect picked_row;                            // of the picked query; empty if out of view
};

/// Everything for one head. `picked_query` is a place on the query axis, or -1.
MatrixPicture matrix_picture(const Story& story, int head, Rect area, const MatrixView& view,
                             Index picked_query = -1);

/// What lies under a point: place on the axes and cell, or -1.
struct MatrixHit {
  Index query = -1, key = -1;
  int cell = -1, tile = -1;
};
MatrixHit matrix_hit(const Story& story, int head, const MatrixPicture& picture,
                     const MatrixView& view, Point point);

/// Global position of a place on an axis.
Index query_position(const Story& story, Index place);
Index key_position(const Story& story, Index place);
/// The place of a global position; -1 if there is none.
Index query_place(const Story& story, Index position);

}  // namespace ringlab::viz

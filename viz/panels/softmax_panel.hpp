// The online softmax of one query row, hop by hop: its numbers, the formula with them filled in,
// and the float64 answer beside it.
#pragma once

#include "ringlab/viz/model/softmax_table.hpp"
#include "ringlab/viz/panels/widgets.hpp"

namespace ringlab::viz {

struct SoftmaxPanel {
  const SoftmaxTable& table;
  double time = 0;
  int heads = 1;
  bool can_lower_query = true, can_raise_query = true;
  bool covered = false;  // blocks that are still to come are not shown: they are being asked for
  bool follow = false;   // the time has changed: keep the newest row in sight
};

struct SoftmaxAsk {
  int query = 0;  // -1, 1: to the query before, behind
  int head = 0;
  bool precision = false;  // the other one
  double time = -1;        // of a row that was clicked
  float bottom = 0;        // where the panel ends: it may be longer than the rectangle
};

SoftmaxAsk draw_softmax_panel(const Ui& ui, const Rect& rect, const SoftmaxPanel& panel);

}  // namespace ringlab::viz

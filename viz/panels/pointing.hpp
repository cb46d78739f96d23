// What the pointer is over, shared by all panels: one frame's panels write it, the next frame's
// show it, so that pointing at a block in the ring lights its cells in the matrix and its bars in
// time.
#pragma once

#include "ringlab/reference/sequence/layout.hpp"

namespace ringlab::viz {

struct Pointed {
  int rank = -1;
  int tile = -1;               // Story::tiles
  int flight = -1;             // Story::flights
  int copy = -1;               // Story::copies
  int cell = -1;               // Matrix::cells
  Index query = -1, key = -1;  // places on the axes of the matrix
  bool score = false;          // a single score

  bool anything() const { return rank >= 0 || tile >= 0 || flight >= 0 || copy >= 0 || cell >= 0; }
};

struct Pointing {
  Pointed shown;            // of the last frame
  Pointed next;             // of this one
  int picked_rank = -1;     // clicked: becomes the focus, or answers a prediction
  int picked_copy = -1;     // clicked: answers a prediction
  Index picked_query = -1;  // clicked: a global position
};

}  // namespace ringlab::viz

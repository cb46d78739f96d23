// The timeline: one row a rank, computation above, transfers below, what they hide and what they
// cost.
#pragma once

#include "ringlab/viz/model/frame.hpp"
#include "ringlab/viz/model/timeline_picture.hpp"
#include "ringlab/viz/panels/draw.hpp"
#include "ringlab/viz/panels/pointing.hpp"

namespace ringlab::viz {

struct TimelinePanel {
  const Story& story;
  const Frame& frame;
  const TimelinePicture& picture;
  TimelineView& view;  // changed by wheel and drag
  int focus_rank = 0;
  bool ghosts = false;   // draw the other trace
  bool covered = false;  // what is still to come is not shown: it is being asked for
};

/// The part of the panel in which the picture has to stand, labels included.
Rect timeline_area(const Ui& ui, const Rect& rect);
float timeline_label_width(const Ui& ui);

/// The time that was clicked or dragged to, or a negative number.
double draw_timeline_panel(const Ui& ui, const Rect& rect, const TimelinePanel& panel,
                           Pointing& pointing);

}  // namespace ringlab::viz

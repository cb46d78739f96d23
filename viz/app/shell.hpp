// Where the panes stand: a pure function of the screen's size, the scale and the person's
// splitters.
#pragma once

#include "ringlab/viz/app/settings.hpp"
#include "ringlab/viz/model/geometry.hpp"

namespace ringlab::viz {

/// The smallest size, in points, that shows three panes; below it they become tabs.
inline constexpr float kThreePanesWidth = 1024, kThreePanesHeight = 640;

/// A strip leaves at least so much, in points, for panes.
inline constexpr float kLeastPanesHeight = 190;

struct Shell {
  bool tabbed = false;
  Rect top, strip, transport;                  // strip: empty unless it was asked for
  Rect left, right;                            // three panes only
  Rect ring, matrix, bottom;                   // three panes only
  Rect only;                                   // tabbed: the one that is shown
  Rect split_left, split_right, split_middle;  // what can be dragged
};

/// `reading`: the left pane shows a page, and is as wide as the pictures can spare. `strip`: the
/// height of something over the transport; left out where too little would stay for the panes.
Shell shell_of(float width, float height, float scale, const Settings& settings,
               bool reading = false, float strip = 0);

}  // namespace ringlab::viz

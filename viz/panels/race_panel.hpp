// Several layouts of one problem side by side on one clock.
#pragma once

#include "ringlab/viz/model/race.hpp"
#include "ringlab/viz/panels/draw.hpp"

namespace ringlab::viz {

struct RacePanel {
  const std::vector<RaceLane>& lanes;
  double time = 0, end = 0;
};

void draw_race_panel(const Ui& ui, const Rect& rect, const RacePanel& panel);

}  // namespace ringlab::viz

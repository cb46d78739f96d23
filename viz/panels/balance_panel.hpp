// Memory and balance: what each rank holds against what full attention would hold, and its work hop
// by hop.
#pragma once

#include "ringlab/viz/model/bars.hpp"
#include "ringlab/viz/panels/draw.hpp"
#include "ringlab/viz/panels/pointing.hpp"

namespace ringlab::viz {

struct BalancePanel {
  const MemoryBars& memory;
  const WorkBars& work;
  int focus_rank = 0;
};

/// Gives where it ends: it may be longer than the rectangle.
float draw_balance_panel(const Ui& ui, const Rect& rect, const BalancePanel& panel,
                         Pointing& pointing);

}  // namespace ringlab::viz

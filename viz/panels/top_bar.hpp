// The bar on top: which scene, its figures in one line, and the controls that are always at hand.
#pragma once

#include "ringlab/viz/panels/widgets.hpp"

namespace ringlab::viz {

struct TopBar {
  std::string title, summary;
};

struct TopBarAsk {
  bool presets = false, copy = false, paste = false, smaller = false, larger = false, theme = false,
       help = false;
};

TopBarAsk draw_top_bar(const Ui& ui, const Rect& rect, const TopBar& bar);

}  // namespace ringlab::viz

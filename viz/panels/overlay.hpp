// What lies over the whole screen: the help that names every key and explains every colour and
// symbol, and the list of scenes. Escape or a click beside it closes it.
#pragma once

#include "ringlab/viz/panels/widgets.hpp"

namespace ringlab::viz {

struct KeyHelp {
  std::string keys;  // "Space"
  std::string text;
};

/// The keys, in the order of the help. The app's input and this list are made from one table.
struct HelpOverlay {
  std::vector<KeyHelp> keys;
};

/// True when it wants to be closed.
bool draw_help_overlay(const Ui& ui, const Rect& screen, const HelpOverlay& help);

struct SceneCard {
  std::string name, title, words;
  bool current = false;
};

struct ScenesAsk {
  bool close = false;
  std::string preset;
};
ScenesAsk draw_scenes_overlay(const Ui& ui, const Rect& screen,
                              const std::vector<SceneCard>& cards);

}  // namespace ringlab::viz

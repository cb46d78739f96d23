// The left pane: what this scene is about, and one sentence on what just happened and why.
#pragma once

#include "ringlab/viz/model/story.hpp"
#include "ringlab/viz/panels/widgets.hpp"

namespace ringlab::viz {

struct StoryPanel {
  std::string title, words;         // of the preset
  std::string clock;                // where the times come from; empty: needs no words
  const BreakPoint* now = nullptr;  // the last break point of the focus rank
  int focus_rank = 0, ranks = 1;
  const std::vector<Sentence>& notes;  // what was clamped
  /// Scenes to go on with: name of the preset and what to call it.
  std::vector<std::pair<std::string, std::string>> next;
};

struct StoryAsk {
  int rank = 0;        // -1, 1: told from the rank before, behind
  std::string preset;  // that was clicked
};

StoryAsk draw_story_panel(const Ui& ui, const Rect& rect, const StoryPanel& panel);

}  // namespace ringlab::viz

// Predictions: one strip over the transport, under every pane, with the question, its answers, what
// the last answer was worth and why.
#pragma once

#include "ringlab/viz/panels/widgets.hpp"

namespace ringlab::viz {

struct PredictPanel {
  std::string question;  // or what to do instead
  struct Option {
    bool block = false;  // drawn as a block, else as a rank
    std::string label;
    int colour = 0;
  };
  std::vector<Option> options;  // of an open question
  enum class Mark { none, right, wrong };
  Mark mark = Mark::none;
  std::string said;   // of the last answer, or a hint
  std::string tally;  // empty: nothing was answered yet
};

/// The height that the strip wants at this width.
float predict_height(const Ui& ui, float width, const PredictPanel& panel);

/// Index of the option that was clicked, or -1.
int draw_predict_panel(const Ui& ui, const Rect& rect, const PredictPanel& panel);

}  // namespace ringlab::viz

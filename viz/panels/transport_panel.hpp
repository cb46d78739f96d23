// Play, steps, speed, and the scrub bar with its named break points.
#pragma once

#include "ringlab/viz/model/playback.hpp"
#include "ringlab/viz/panels/widgets.hpp"

namespace ringlab::viz {

struct TransportAsk {
  bool predict = false;  // predictions: the other way round
};

/// Moves the playback itself; everything a click does has a key.
TransportAsk draw_transport(const Ui& ui, const Rect& rect, const Story& story, Playback& playback,
                            bool predicts);

}  // namespace ringlab::viz

// The ring: queries stay, key/value blocks travel. Boxes are ranks, chips are blocks, curves links.
#pragma once

#include "ringlab/viz/model/ring_picture.hpp"
#include "ringlab/viz/panels/draw.hpp"
#include "ringlab/viz/panels/pointing.hpp"

namespace ringlab::viz {

struct RingPanel {
  const RingPicture& picture;
  std::string title;               // in the middle: "hop 3 of 7"
  std::vector<std::string> lines;  // under it
  bool words_on_top = false;       // because links cross the middle
  std::string_view heading, caption;
  /// Answers of an open prediction: these can be clicked, and are marked.
  std::vector<int> asked_ranks;
  std::vector<std::string> asked_blocks;  // by the letter on them
};

/// The part of the panel in which the picture has to stand.
Rect ring_area(const Ui& ui, const Rect& rect, bool words_on_top);

void draw_ring_panel(const Ui& ui, const Rect& rect, const RingPanel& panel, Pointing& pointing);

}  // namespace ringlab::viz

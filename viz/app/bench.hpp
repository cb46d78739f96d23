// How long a frame takes, with the rasteriser's share apart.
#pragma once

#include <string>

#include "ringlab/viz/app/app.hpp"

namespace ringlab::viz {

struct VizBench {
  int ranks = 0, frames = 0;
  std::string renderer;
  double story_seconds = 0;  // from a scenario to everything that can be looked up
  double first_frame_seconds =
      0;                     // from nothing to the first picture, story, context and fonts included
  double build_seconds = 0;  // median: model and draw lists
  double slowest_build_seconds = 0;
  double frame_seconds = 0;   // median: build and picture
  double raster_seconds = 0;  // median: what the renderer took of it
  long vertices = 0;          // of the last frame
};

/// Opens the program with `greeting`, then plays the story of `state` once over `frames` frames in
/// memory, at a size in pixels.
VizBench bench_viz(const SharedState& greeting, const SharedState& state, int width, int height,
                   int frames);

}  // namespace ringlab::viz

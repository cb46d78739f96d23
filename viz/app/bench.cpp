#include "ringlab/viz/app/bench.hpp"

#include <imgui.h>

#include <algorithm>

namespace ringlab::viz {
namespace {

using Watch = std::chrono::steady_clock;

double since(Watch::time_point start) {
  return std::chrono::duration<double>(Watch::now() - start).count();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

VizBench bench_viz(const SharedState& greeting, const SharedState& state, int width, int height,
                   int frames) {
  VizBench bench;
  bench.frames = frames;
  Watch::time_point start = Watch::now();
  const std::unique_ptr<Surface> surface = open_headless(width, height);
  AppOptions options;
  options.state = greeting;
  App app(*surface, options);
  app.frame(1.0 / 60);
  surface->read();
  bench.first_frame_seconds = since(start);
  bench.renderer = surface->renderer();

  start = Watch::now();
  app.show(state);
  bench.story_seconds = since(start);
  bench.ranks = app.story().size();
  app.frame(1.0 / 60);

  std::vector<double> builds, whole, raster;
  for (int i = 0; i < frames; ++i) {
    app.playback().scrub(app.playback().end() * i / std::max(1, frames - 1));
    const Watch::time_point begin = Watch::now();
    app.frame(1.0 / 60);
    whole.push_back(since(begin));
    builds.push_back(app.build_seconds());
    raster.push_back(whole.back() - builds.back());
  }
  bench.build_seconds = median(builds);
  bench.slowest_build_seconds =
      builds.empty() ? 0 : *std::max_element(builds.begin(), builds.end());
  bench.frame_seconds = median(whole);
  bench.raster_seconds = median(raster);
  bench.vertices = ImGui::GetDrawData()->TotalVtxCount;
  return bench;
}

}  // namespace ringlab::viz

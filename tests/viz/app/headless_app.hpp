// The whole program in memory, for tests: no display, no remembered settings, and only where a test
// asks for it a picture.
#pragma once

#include "ringlab/viz/app/frame_faults.hpp"
#include "ringlab/viz/app/script.hpp"
#include "ringlab/viz/model/presets.hpp"
#include "tests/catch.hpp"

namespace ringlab::viz::test {

struct HeadlessApp {
  explicit HeadlessApp(const std::string& preset = "causal-zigzag", int width = 1280,
                       int height = 800, bool draws = false, SceneOfCommand scenes = {})
      : surface(draws ? open_headless(width, height) : open_blind(width, height)),
        app(*surface, options_of(preset, std::move(scenes))),
        hands(app, *surface, std::filesystem::temp_directory_path(), ".") {
    hands.frames(2);
  }

  static AppOptions options_of(const std::string& preset, SceneOfCommand scenes = {}) {
    AppOptions options;
    options.state = preset_named(preset).state;
    options.scene_of_command = std::move(scenes);
    return options;
  }

  /// Draws a frame and checks that nothing is wrong with it, whatever it shows.
  void check_frame(const std::string& what) {
    hands.frames(1);
    for (const std::string& fault : frame_faults(app.items())) {
      INFO(what);
      FAIL_CHECK(fault);
    }
  }

  std::unique_ptr<Surface> surface;
  App app;
  ScriptRunner hands;
};

}  // namespace ringlab::viz::test

// What is remembered from one time to the next: looks and sizes, in one small JSON file.
#pragma once

#include <filesystem>
#include <string>

#include "ringlab/viz/panels/style.hpp"

namespace ringlab::viz {

struct Settings {
  ThemeKind theme = ThemeKind::dark;
  float ui_scale = 1;  // on top of the screen's own density
  bool reduced_motion = false;
  bool predict = false;                // a question at each break point
  float left = 0.225f, right = 0.24f;  // shares of the width
  float reading = 0.31f;               // share of the left pane while it shows a page
  float upper = 0.58f;                 // share of the height of ring and matrix
  int width = 1280, height = 800;      // of the window
  bool operator==(const Settings&) const = default;
};

/// Values out of range are brought into it.
Settings clamped(Settings settings);

std::string to_json(const Settings& settings);
/// Unknown keys are passed over and wrong values left at their default: old and new programs share
/// the file. Throws InputError only for text that is no JSON object.
Settings parse_settings(const std::string& json, const std::string& source);

/// $XDG_CONFIG_HOME/ringlab/viz.json, or the same under ~/.config; empty where there is no home.
std::filesystem::path settings_path();

/// Defaults where there is no file or none that can be read.
Settings load_settings(const std::filesystem::path& path);
/// Written beside, then renamed. False where that is not possible: nothing depends on it.
bool save_settings(const Settings& settings, const std::filesystem::path& path);

}  // namespace ringlab::viz

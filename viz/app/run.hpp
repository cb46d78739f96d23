// What `ringlab viz` does: opens a window, or makes pictures, films and script runs without one.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "ringlab/viz/app/app.hpp"

namespace ringlab::viz {

struct VizOptions {
  SharedState state;
  std::optional<Trace> trace;
  SceneOfCommand scene_of_command;              // may be empty
  int lesson = 0;                               // to open; 0: none
  bool lesson_scene = true;                     // ... with its first scene
  ReadingProgress reading;                      // of the person at the window
  std::string at;                               // a moment, see moment.hpp
  std::filesystem::path screenshot;             // .png; empty: none
  std::filesystem::path record;                 // .gif, or a folder for PNGs; empty: none
  std::filesystem::path script;                 // empty: none
  std::optional<int> width, height;             // unset: as remembered, or 1280 x 800
  std::optional<ThemeKind> theme;               // unset: as remembered
  std::optional<float> scale;                   // unset: as remembered
  bool greets = false;                          // a window runs by itself until it is touched
  bool remember = true;                         // read and write the settings
  std::function<void(const std::string&)> say;  // a line for the person
};

/// True if all went well: false for a script whose expectations do not hold. Throws InputError and
/// RunError.
bool run_viz(const VizOptions& options);

/// Reads "1280x800". Throws InputError (field `size`).
void parse_size(const std::string& text, int& width, int& height);

}  // namespace ringlab::viz

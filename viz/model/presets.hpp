// The scenes that the program comes with.
#pragma once

#include "ringlab/viz/model/state.hpp"

namespace ringlab::viz {

struct Preset {
  std::string name;   // "causal-zigzag": for the command line
  std::string title;  // key of a text
  std::string words;  // key of a text: two or three sentences, what to look at
  SharedState state;
};

const std::vector<Preset>& presets();

/// Throws InputError (field `preset`) that lists the names.
const Preset& preset_named(const std::string& name);

}  // namespace ringlab::viz

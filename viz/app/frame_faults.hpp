// What can be wrong with a frame that was drawn, whatever it shows.
#pragma once

#include <string>
#include <vector>

#include "ringlab/viz/panels/items.hpp"

namespace ringlab::viz {

/// Sentences: vertices that are not finite or far off the screen, texts that are cut off or lie
/// over each other. Of the frame that was rendered last; `items` must have been recording.
std::vector<std::string> frame_faults(const Items& items);

}  // namespace ringlab::viz

// Which moment of a story: the text of --at and of the script's `at`.
#pragma once

#include <string>

#include "ringlab/viz/app/app.hpp"

namespace ringlab::viz {

/// "start", "end", "hop=3", "hop=3:arrive" (send, arrive, attend, merge, home), "time=1.5",
/// "break=7", and with them "rank=2", "query=37", "head=1": several with commas between. Throws
/// InputError (field `at`) for anything else and for what the story does not have.
void go_to_moment(App& app, const std::string& text);

}  // namespace ringlab::viz

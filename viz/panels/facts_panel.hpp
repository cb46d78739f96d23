// What is under the pointer: its facts and its formula with the numbers, beside the pointer.
#pragma once

#include "ringlab/viz/model/inspect.hpp"
#include "ringlab/viz/panels/draw.hpp"

namespace ringlab::viz {

void draw_facts(const Ui& ui, const Facts& facts);

}  // namespace ringlab::viz

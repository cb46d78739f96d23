// The distributed result against full attention in float64: how far, where, and how far rounding
// goes.
#pragma once

#include "ringlab/viz/model/proof.hpp"
#include "ringlab/viz/panels/draw.hpp"

namespace ringlab::viz {

/// Gives where it ends: it may be longer than the rectangle.
float draw_proof_panel(const Ui& ui, const Rect& rect, const Proof& proof);

}  // namespace ringlab::viz

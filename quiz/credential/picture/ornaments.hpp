// What makes the certificate one to frame: paper, border, rosette, and a seal with a bead for each
// answer.
#pragma once

#include <vector>

#include "ringlab/quiz/credential/picture/canvas.hpp"

namespace ringlab::quiz::detail {

void draw_paper(cairo_t* cr);
void draw_border(cairo_t* cr);
/// Fine overlapping waves round a centre, as on bank notes.
void draw_rosette(cairo_t* cr, double x, double y, double radius, const Ink& ink);
/// A ring of beads, one an answer in the order of asking: gold where right, open where wrong.
void draw_seal(cairo_t* cr, double x, double y, double radius, const std::vector<bool>& right);

}  // namespace ringlab::quiz::detail

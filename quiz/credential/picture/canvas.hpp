// A page to draw on with cairo and pango, as SVG or PNG: one drawing, two files.
//
// Text becomes outlines, so the file looks the same where the fonts are missing, and pango shapes
// Ethiopic and Latin alike.
#pragma once

#include <cairo.h>

#include <functional>
#include <string>

namespace ringlab::quiz::detail {

struct Ink {
  double red, green, blue, alpha = 1;
};

inline constexpr Ink kPaper{0.988, 0.976, 0.949};
inline constexpr Ink kNavy{0.094, 0.176, 0.290};
inline constexpr Ink kGold{0.667, 0.506, 0.196};
inline constexpr Ink kGrey{0.376, 0.392, 0.427};

/// A4 on its side, in points.
inline constexpr double kWidth = 841.89, kHeight = 595.28;

void set_ink(cairo_t* cr, const Ink& ink);

struct TextStyle {
  double size = 12;  // points
  Ink ink = kNavy;
  bool italic = false, bold = false;
  double spacing = 0;   // between letters, points
  double widest = 700;  // shrinks the text until it is no wider
  bool monospace = false;
  int align = 0;    // -1 left, 0 centre, 1 right of x
  double wrap = 0;  // width at which lines break; 0: one line
};

/// Draws the text with its (first) baseline at y; the width that it took. Throws InputError (field
/// `name`) for characters that no installed font has.
double draw_text(cairo_t* cr, const std::string& text, double x, double y, const TextStyle& style);

/// A QR code as squares, `size` points wide with its margin.
void draw_qr(cairo_t* cr, const std::string& text, double x, double y, double size);

std::string to_svg(const std::function<void(cairo_t*)>& draw);
/// `scale` pixels a point.
std::string to_png(const std::function<void(cairo_t*)>& draw, double scale);

/// Text in the composed form (NFC), in which equal names are equal bytes. Throws InputError (this
/// field) for what is no UTF-8.
std::string composed(const std::string& text, const std::string& field);

}  // namespace ringlab::quiz::detail

#include "ringlab/quiz/credential/picture/ornaments.hpp"

#include <cmath>
#include <numbers>

namespace ringlab::quiz::detail {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

void circle(cairo_t* cr, double x, double y, double radius) {
  cairo_new_sub_path(cr);
  cairo_arc(cr, x, y, radius, 0, kTurn);
}

void frame(cairo_t* cr, double margin, double line, const Ink& ink) {
  set_ink(cr, ink);
  cairo_set_line_width(cr, line);
  cairo_rectangle(cr, margin, margin, kWidth - 2 * margin, kHeight - 2 * margin);
  cairo_stroke(cr);
}

}  // namespace

void draw_paper(cairo_t* cr) {
  cairo_pattern_t* paper = cairo_pattern_create_radial(kWidth / 2, kHeight * 0.45, 40, kWidth / 2,
                                                       kHeight / 2, kWidth * 0.62);
  cairo_pattern_add_color_stop_rgb(paper, 0, 0.996, 0.992, 0.980);
  cairo_pattern_add_color_stop_rgb(paper, 1, 0.965, 0.945, 0.902);
  cairo_set_source(cr, paper);
  cairo_paint(cr);
  cairo_pattern_destroy(paper);
}

void draw_border(cairo_t* cr) {
  frame(cr, 20, 3.2, kNavy);
  frame(cr, 26.5, 0.7, kGold);
  frame(cr, 42, 0.7, kGold);
  // Two waves that cross between the gold lines: a chain of links all the way round. A whole number
  // of half waves fits each side, so they meet in the corners.
  const double low = 34.25, high_x = kWidth - 34.25, high_y = kHeight - 34.25, amplitude = 4.6;
  set_ink(cr, kNavy);
  cairo_set_line_width(cr, 0.75);
  for (const double sign : {1.0, -1.0}) {
    const auto side = [&](double x0, double y0, double x1, double y1) {
      const double length = std::hypot(x1 - x0, y1 - y0);
      const int halves = static_cast<int>(std::lround(length / 11.0));
      const double ux = (x1 - x0) / length, uy = (y1 - y0) / length;
      for (int i = 0; i <= halves * 12; ++i) {
        const double t = length * i / (halves * 12);
        const double wave = sign * amplitude * std::sin(std::numbers::pi * halves * t / length);
        const double x = x0 + ux * t - uy * wave, y = y0 + uy * t + ux * wave;
        if (i == 0) cairo_move_to(cr, x, y);
        cairo_line_to(cr, x, y);
      }
      cairo_stroke(cr);
    };
    side(low, low, high_x, low);
    side(high_x, low, high_x, high_y);
    side(high_x, high_y, low, high_y);
    side(low, high_y, low, low);
  }
  // A ring in each corner, over the crossing.
  for (const double x : {low, high_x}) {
    for (const double y : {low, high_y}) {
      set_ink(cr, kPaper);
      circle(cr, x, y, 9.5);
      cairo_fill(cr);
      set_ink(cr, kNavy);
      cairo_set_line_width(cr, 1.6);
      circle(cr, x, y, 9.5);
      cairo_stroke(cr);
      set_ink(cr, kGold);
      cairo_set_line_width(cr, 0.8);
      circle(cr, x, y, 6.4);
      cairo_stroke(cr);
      circle(cr, x, y, 2.4);
      cairo_fill(cr);
    }
  }
}

void draw_rosette(cairo_t* cr, double x, double y, double radius, const Ink& ink) {
  set_ink(cr, ink);
  cairo_set_line_width(cr, 0.45);
  constexpr int kCurves = 14, kPoints = 720;
  for (int curve = 0; curve < kCurves; ++curve) {
    const double phase = kTurn * curve / kCurves;
    for (int i = 0; i <= kPoints; ++i) {
      const double angle = kTurn * i / kPoints;
      const double r = radius * (0.80 + 0.13 * std::sin(16 * angle + phase) +
                                 0.07 * std::sin(8 * angle - 2 * phase));
      const double px = x + r * std::cos(angle), py = y + r * std::sin(angle);
      if (i == 0) cairo_move_to(cr, px, py);
      cairo_line_to(cr, px, py);
    }
    cairo_close_path(cr);
  }
  cairo_stroke(cr);
}

void draw_seal(cairo_t* cr, double x, double y, double radius, const std::vector<bool>& right) {
  draw_rosette(cr, x, y, radius * 0.80, {kGold.red, kGold.green, kGold.blue, 0.55});
  set_ink(cr, kPaper);
  circle(cr, x, y, radius * 0.50);
  cairo_fill(cr);
  set_ink(cr, kGold);
  cairo_set_line_width(cr, 0.7);
  circle(cr, x, y, radius * 0.50);
  cairo_stroke(cr);
  // The beads on their ring, clockwise from the top.
  set_ink(cr, kNavy);
  cairo_set_line_width(cr, 0.9);
  circle(cr, x, y, radius);
  cairo_stroke(cr);
  const double bead = std::min(radius * 0.105, radius * 2.4 / static_cast<double>(right.size()));
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double angle =
        kTurn * static_cast<double>(i) / static_cast<double>(right.size()) - kTurn / 4;
    const double px = x + radius * std::cos(angle), py = y + radius * std::sin(angle);
    set_ink(cr, right[i] ? kGold : kPaper);
    circle(cr, px, py, bead);
    cairo_fill_preserve(cr);
    set_ink(cr, kNavy);
    cairo_set_line_width(cr, 0.8);
    cairo_stroke(cr);
  }
}

}  // namespace ringlab::quiz::detail

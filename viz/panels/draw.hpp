// What every panel draws with: text that notes where it stands, blocks in their origin's colour,
// arrows and bars. Positions are screen pixels; sizes pass through Ui::px, so that one number
// scales.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "ringlab/viz/model/geometry.hpp"
#include "ringlab/viz/model/text.hpp"
#include "ringlab/viz/panels/compat.hpp"
#include "ringlab/viz/panels/items.hpp"
#include "ringlab/viz/panels/style.hpp"

namespace ringlab::viz {

/// What a panel needs besides its data.
struct Ui {
  const Theme& theme;
  const Fonts& fonts;
  Items& items;
  const Texts& texts;
  float scale = 1;
  bool reduced_motion = false;

  float px(float size) const { return size * scale; }
  std::string_view t(std::string_view key) const { return texts.get(key); }
};

inline ImVec2 vec(Point p) {
  return {p.x, p.y};
}
inline ImVec2 min_of(const Rect& r) {
  return {r.x0, r.y0};
}
inline ImVec2 max_of(const Rect& r) {
  return {r.x1, r.y1};
}
inline ImVec2 centre_of(const Rect& r) {
  return {(r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2};
}
inline Rect inset(const Rect& r, float x, float y) {
  return {r.x0 + x, r.y0 + y, r.x1 - x, r.y1 - y};
}
/// True if the pointer is in the rectangle and nothing lies over this window.
bool pointed_at(const Rect& r);

/// Of one line.
ImVec2 text_size(ImFont* font, std::string_view text);
/// The lines of a paragraph, broken at spaces.
std::vector<std::string_view> wrapped(ImFont* font, std::string_view text, float width);
/// From line to line in a paragraph.
float leading(const ImFont* font);
float paragraph_height(ImFont* font, std::string_view text, float width);

/// Draws one line with its upper left corner at `at`; gives its width.
float draw_text(const Ui& ui, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text);
/// Right-aligned: ends at `at.x`.
void draw_text_right(const Ui& ui, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text);
/// Centred on the point.
void draw_text_centred(const Ui& ui, ImFont* font, ImVec2 centre, ImU32 colour,
                       std::string_view text);
/// One line cut to a width with an ellipsis; gives the width used.
float draw_text_within(const Ui& ui, ImFont* font, ImVec2 at, float width, ImU32 colour,
                       std::string_view text);
/// A paragraph wrapped at `width`; gives its height.
float draw_paragraph(const Ui& ui, ImFont* font, ImVec2 at, float width, ImU32 colour,
                     std::string_view text);
/// The text cut to a width, with an ellipsis if something had to go.
std::string elided(ImFont* font, std::string_view text, float width);

/// A rectangle in the colour and pattern of an origin.
void draw_origin_rect(const Ui& ui, ImDrawList& list, const Rect& rect, int origin, float rounding,
                      float strength = 1);
/// A block: the rectangle with its letter, if that fits.
void draw_block(const Ui& ui, const Rect& rect, int origin, std::string_view letter,
                float strength = 1);
/// The lines of a pattern alone, clipped to the rectangle.
void draw_pattern(ImDrawList& list, const Rect& rect, Pattern pattern, ImU32 colour, float step);

/// A filled arrow head at `tip`, pointing along the unit vector.
void draw_arrow_head(ImDrawList& list, ImVec2 tip, ImVec2 along, float size, ImU32 colour);

/// A panel's headline, with a muted caption at the right end; gives the height used.
float draw_heading(const Ui& ui, const Rect& rect, std::string_view title,
                   std::string_view caption = {});
/// A hair line across.
void draw_rule(const Ui& ui, ImVec2 from, float width);

/// An invisible control for pictures that take clicks, drags and the wheel.
void place_invisible(const char* id, const Rect& rect);

/// Shows a text beside the pointer, in the look of the house.
void show_tooltip(const Ui& ui, std::string_view text);

}  // namespace ringlab::viz

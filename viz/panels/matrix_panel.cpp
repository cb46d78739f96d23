#include "ringlab/viz/panels/matrix_panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ringlab/viz/panels/legend.hpp"

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

// Three shades for each rank, mixed once a frame: a large matrix has thousands of cells.
struct Shades {
  std::array<ImU32, kPalette + 1> done, now;
  explicit Shades(const Theme& theme) {
    for (int i = 0; i <= kPalette; ++i) {
      const ImU32 colour = origin_colour(theme, i);
      now[static_cast<std::size_t>(i)] = colour;
      done[static_cast<std::size_t>(i)] = mix(colour, theme.background, 0.62f);
    }
  }
};

// On whole pixels: where an edge falls on the middle of a pixel, renderers decide differently.
void fill(const Rect& rect, ImU32 colour) {
  list().AddRectFilled({std::round(rect.x0), std::round(rect.y0)},
                       {std::round(rect.x1), std::round(rect.y1)}, colour);
}

void fill_cell(const Ui& ui, const MatrixPicture& picture, const CellBox& cell, ImU32 colour) {
  if (cell.kind != TileClass::partial) {
    fill(cell.rect, colour);
  } else if (cell.strips == cell.strips_end) {
    // Too fine for strips: the share of visible pairs as a shade.
    fill(cell.rect, mix(colour, ui.theme.masked, cell.share));
  } else {
    for (int s = cell.strips; s < cell.strips_end; ++s) {
      fill(picture.strips[static_cast<std::size_t>(s)], colour);
    }
  }
}

void draw_cells(const Ui& ui, const MatrixPanel& panel, const Pointing& pointing) {
  const Theme& t = ui.theme;
  const Shades shades(t);
  const bool large =
      !panel.picture.cells.empty() && panel.picture.cells[0].rect.width() >= ui.px(9);
  for (const CellBox& cell : panel.picture.cells) {
    const float progress =
        cell.tile < 0 ? 0 : panel.frame.tile_progress[static_cast<std::size_t>(cell.tile)];
    const auto hue = static_cast<std::size_t>(std::clamp(cell.colour, 0, kPalette));
    const ImU32 colour = progress <= 0   ? t.to_come
                         : progress >= 1 ? shades.done[hue]
                                         : shades.now[hue];
    fill_cell(ui, panel.picture, cell, colour);
    if (large && progress > 0 && cell.colour >= 8) {
      draw_pattern(list(), cell.rect, origin_pattern(cell.colour), with_alpha(t.background, 0.35f),
                   ui.px(4));
    }
  }
  // Outlines last, so that no neighbour paints over them.
  for (const CellBox& cell : panel.picture.cells) {
    const float progress =
        cell.tile < 0 ? 0 : panel.frame.tile_progress[static_cast<std::size_t>(cell.tile)];
    const bool pointed = cell.tile >= 0 && cell.tile == pointing.shown.tile;
    // Around cells of a few pixels an outline would be all that is seen.
    const bool tiny = std::min(cell.rect.width(), cell.rect.height()) < ui.px(4);
    if (pointed || (!tiny && progress > 0 && progress < 1)) {
      list().AddRect(min_of(cell.rect), max_of(cell.rect), pointed ? t.accent : t.now, 0, 0,
                     std::max(1.0f, large ? ui.px(1.5f) : 1.0f));
    }
  }
}

void draw_axes(const Ui& ui, const MatrixPicture& picture) {
  const Theme& t = ui.theme;
  const ImU32 line = with_alpha(t.background, 0.8f);
  for (const float y : picture.query_lines) {
    const float whole = std::round(y);
    list().AddRectFilled({picture.area.x0, whole}, {picture.area.x1, whole + 1}, line);
  }
  for (const float x : picture.key_lines) {
    const float whole = std::round(x);
    list().AddRectFilled({whole, picture.area.y0}, {whole + 1, picture.area.y1}, line);
  }
  const float half = ui.fonts.small->FontSize / 2;
  float last = -1e9f;
  for (const AxisLabel& label : picture.query_labels) {
    if (label.at - last < ui.px(13) || label.at > picture.area.y1) continue;
    last = label.at;
    draw_text_right(ui, ui.fonts.small, {picture.area.x0 - ui.px(6), label.at - half}, t.muted,
                    label.text);
  }
  last = -1e9f;
  for (const AxisLabel& label : picture.key_labels) {
    const float width = text_size(ui.fonts.small, label.text).x;
    const float x = std::min(label.at - width / 2, picture.area.x1 - width);
    if (x < last + ui.px(8) || label.at > picture.area.x1) continue;
    last = x + width;
    draw_text(ui, ui.fonts.small, {x, picture.area.y0 - ui.px(16)}, t.muted, label.text);
  }
}

void draw_scores(const Ui& ui, const MatrixPicture& picture) {
  for (const ScoreBox& score : picture.scores) {
    if (!score.visible) continue;
    // The weight as a bar from the left: how much of this value goes into the output.
    const float width = score.rect.width() * std::clamp(score.weight, 0.0f, 1.0f);
    list().AddRectFilled({score.rect.x0, score.rect.y1 - ui.px(3)},
                         {score.rect.x0 + width, score.rect.y1 - 1}, ui.theme.now);
    const ImVec2 size = text_size(ui.fonts.small, score.text);
    if (score.text.empty() || size.x > score.rect.width() || size.y > score.rect.height()) continue;
    const ImVec2 c = centre_of(score.rect), half{size.x / 2 + 1, size.y / 2};
    list().AddRectFilled(c - half, c + half, with_alpha(ui.theme.background, 0.72f), ui.px(2));
    draw_text_centred(ui, ui.fonts.small, c, ui.theme.text, score.text);
  }
}

void follow_pointer(const Ui& ui, const MatrixPanel& panel, Pointing& pointing) {
  const Rect& area = panel.picture.area;
  place_invisible("matrix/area", area);
  ui.items.add("matrix/area");
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Point point{mouse.x, mouse.y};
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0)) {
    const ImVec2 by = ImGui::GetIO().MouseDelta;
    panel.view = panned(panel.story, panel.view, area, {by.x, by.y});
    return;
  }
  if (!ImGui::IsItemHovered()) return;
  if (const float wheel = ImGui::GetIO().MouseWheel; wheel != 0) {
    panel.view = zoomed(panel.story, panel.view, area, point, std::pow(1.25f, wheel));
  }
  const MatrixHit hit = matrix_hit(panel.story, panel.head, panel.picture, panel.view, point);
  pointing.next.cell = hit.cell;
  pointing.next.tile = hit.tile;
  pointing.next.query = hit.query;
  pointing.next.key = hit.key;
  pointing.next.score = !panel.picture.scores.empty();
  const float threshold = ImGui::GetIO().MouseDragThreshold;
  const bool dragged = ImGui::GetIO().MouseDragMaxDistanceSqr[0] >= threshold * threshold;
  if (ImGui::IsMouseReleased(0) && !dragged && hit.query >= 0) {
    pointing.picked_query = query_position(panel.story, hit.query);
    if (hit.tile >= 0)
      pointing.picked_rank = panel.story.tiles[static_cast<std::size_t>(hit.tile)].rank;
  }
}

}  // namespace

Rect matrix_area(const Ui& ui, const Rect& rect, bool square) {
  const Rect area{rect.x0 + ui.px(34), rect.y0 + ui.px(44), rect.x1, rect.y1 - ui.px(26)};
  const float spare = square ? std::max(0.0f, area.width() - area.height()) / 2 : 0;
  return {area.x0 + std::floor(spare), area.y0, area.x1, area.y1};
}

void draw_matrix_panel(const Ui& ui, const Rect& rect, const MatrixPanel& panel,
                       Pointing& pointing) {
  const Theme& t = ui.theme;
  const MatrixPicture& picture = panel.picture;
  draw_heading(ui, rect, panel.heading, panel.caption);
  list().AddRectFilled(min_of(picture.area), max_of(picture.area), t.masked);
  list().PushClipRect(min_of(picture.area) - ImVec2{1, 1}, max_of(picture.area) + ImVec2{1, 1},
                      true);
  draw_cells(ui, panel, pointing);
  draw_scores(ui, picture);
  if (picture.picked_row.height() > 0) {
    const Rect row =
        inset(picture.picked_row, 0, std::min(0.0f, (picture.picked_row.height() - ui.px(3)) / 2));
    list().AddRect(min_of(row), max_of(row), t.accent, 0, 0, std::max(1.0f, ui.px(1)));
  }
  list().PopClipRect();
  draw_axes(ui, picture);
  if (picture.picked_row.height() > 0) {
    // A pointer at the picked query, outside the cells.
    draw_arrow_head(list(), {picture.area.x1 + ui.px(1), picture.picked_row.center().y}, {-1, 0},
                    ui.px(8), t.accent);
  }
  follow_pointer(ui, panel, pointing);
  draw_matrix_legend(ui, {picture.area.x0, picture.area.y1 + ui.px(8), rect.x1, rect.y1});
}

}  // namespace ringlab::viz

#include "ringlab/viz/panels/timeline_panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ringlab/viz/panels/legend.hpp"

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

struct Shades {
  std::array<ImU32, kPalette + 1> done, now, ahead;
  explicit Shades(const Theme& theme) {
    for (std::size_t i = 0; i <= kPalette; ++i) {
      const ImU32 colour = origin_colour(theme, static_cast<int>(i));
      now[i] = colour;
      done[i] = mix(colour, theme.background, 0.62f);
      ahead[i] = mix(colour, theme.to_come, 0.16f);
    }
  }
};

void draw_bar(const Ui& ui, const TimelinePanel& panel, const Shades& shades, const Bar& bar) {
  const Theme& t = ui.theme;
  const double time = panel.frame.time;
  const bool ahead = bar.time.start >= time, now = !ahead && bar.time.end > time;
  const auto hue = static_cast<std::size_t>(std::clamp(bar.colour, 0, kPalette));
  const float rounding =
      bar.rect.height() >= ui.px(8) && bar.rect.width() >= ui.px(6) ? ui.px(2) : 0;
  switch (bar.kind) {
    case BarKind::compute: {
      const ImU32 colour = now ? shades.now[hue] : ahead ? shades.ahead[hue] : shades.done[hue];
      list().AddRectFilled(min_of(bar.rect), max_of(bar.rect), colour, rounding);
      if (bar.colour >= 8 && bar.rect.height() >= ui.px(10) && bar.rect.width() >= ui.px(10)) {
        draw_pattern(list(), bar.rect, origin_pattern(bar.colour), with_alpha(t.background, 0.35f),
                     ui.px(4));
      }
      const ImVec2 size = text_size(ui.fonts.small, bar.text);
      if (!bar.text.empty() && size.x + ui.px(6) <= bar.rect.width() &&
          size.y <= bar.rect.height() + ui.px(4)) {
        draw_text(ui, ui.fonts.small, {bar.rect.x0 + ui.px(4), bar.rect.center().y - size.y / 2},
                  ahead ? t.faint : ink_on(colour), bar.text);
      }
      return;
    }
    case BarKind::send:
    case BarKind::receive_hidden: {
      const ImU32 colour = ahead ? mix(t.hidden, t.background, 0.35f)
                           : now ? mix(t.text, t.hidden, 0.4f)
                                 : t.hidden;
      list().AddRectFilled(min_of(bar.rect), max_of(bar.rect), colour,
                           std::min(rounding, bar.rect.height() / 2));
      return;
    }
    case BarKind::receive_exposed: {
      list().AddRectFilled(min_of(bar.rect), max_of(bar.rect),
                           ahead ? mix(t.exposed, t.background, 0.4f) : t.exposed,
                           std::min(rounding, bar.rect.height() / 2));
      return;
    }
    case BarKind::waiting: {
      // Nothing is computed: an empty place, with the colour of what it waits for at its foot.
      const ImU32 colour = with_alpha(t.exposed, ahead ? 0.35f : 0.8f);
      if (bar.rect.height() >= ui.px(8) && bar.rect.width() >= ui.px(4)) {
        draw_pattern(list(), bar.rect, Pattern::rising, with_alpha(t.exposed, ahead ? 0.18f : 0.4f),
                     ui.px(5));
      } else {
        list().AddRectFilled(min_of(bar.rect), max_of(bar.rect), with_alpha(colour, 0.25f));
      }
      return;
    }
  }
}

float row_top(const TimelinePanel& panel, int rank) {
  const Rect& area = panel.picture.area;
  return std::round(area.y0 + area.height() * static_cast<float>(rank) /
                                  static_cast<float>(std::max(1, panel.story.size())));
}

// Rows of a few pixels: one bar a rank, in which only exposed transfers show beside the work.
void draw_dense(const TimelinePanel& panel, const Theme& t, const Shades& shades) {
  for (const Bar& bar : panel.picture.bars) {
    if (bar.kind != BarKind::compute && bar.kind != BarKind::receive_exposed) continue;
    const double time = panel.frame.time;
    const bool ahead = bar.time.start >= time, now = !ahead && bar.time.end > time;
    const auto hue = static_cast<std::size_t>(std::clamp(bar.colour, 0, kPalette));
    const ImU32 colour = bar.kind == BarKind::receive_exposed
                             ? (ahead ? mix(t.exposed, t.background, 0.4f) : t.exposed)
                         : now   ? shades.now[hue]
                         : ahead ? t.to_come
                                 : shades.done[hue];
    list().AddRectFilled({bar.rect.x0, row_top(panel, bar.rank)},
                         {bar.rect.x1, row_top(panel, bar.rank + 1)}, colour);
  }
}

void draw_rows(const Ui& ui, const TimelinePanel& panel) {
  const Theme& t = ui.theme;
  float last = -1e9f;
  for (const RowLabel& row : panel.picture.rows) {
    const bool focus = row.rank == panel.focus_rank;
    if (focus) {
      list().AddRectFilled({row.rect.x0, row_top(panel, row.rank)},
                           {panel.picture.area.x1, row_top(panel, row.rank + 1)},
                           with_alpha(t.accent, 0.1f), ui.px(3));
    }
    ImFont* font = row.rect.height() >= ui.px(16) ? ui.fonts.body : ui.fonts.small;
    const float y = row.rect.center().y - font->FontSize / 2;
    if (y < last + font->FontSize || row.text.empty()) continue;
    // A lone label may be higher than its row of pixels; the next one then waits its turn.
    if (y < panel.picture.area.y0 - ui.px(4) ||
        y + font->FontSize > panel.picture.area.y1 + ui.px(5))
      continue;
    last = y;
    draw_text_within(ui, font, {row.rect.x0, y}, row.rect.width() - ui.px(4),
                     focus ? t.text : t.muted, row.text);
  }
}

void draw_ticks(const Ui& ui, const TimelinePicture& picture) {
  float last = picture.area.x0 - ui.px(8);
  for (const auto& [x, text] : picture.ticks) {
    if (x < picture.area.x0 || x > picture.area.x1) continue;
    list().AddRectFilled({x, picture.area.y0}, {x + 1, picture.area.y1},
                         with_alpha(ui.theme.line, 0.6f));
    const float width = text_size(ui.fonts.small, text).x;
    const float left = std::clamp(x - width / 2, picture.area.x0, picture.area.x1 - width);
    if (left < last + ui.px(8)) continue;
    last = left + width;
    draw_text(ui, ui.fonts.small, {left, picture.area.y1 + ui.px(4)}, ui.theme.faint, text);
  }
}

void draw_cursor(const Ui& ui, const TimelinePanel& panel) {
  const Rect& area = panel.picture.area;
  const float x = x_of(panel.picture, panel.story, panel.view, panel.frame.time);
  if (x < area.x0 - 1 || x > area.x1 + 1) return;
  const float half = std::max(0.75f, ui.px(0.75f));
  list().AddRectFilled({x - half, area.y0 - ui.px(4)}, {x + half, area.y1}, ui.theme.now);
  list().AddTriangleFilled({x - ui.px(5), area.y0 - ui.px(8)}, {x + ui.px(5), area.y0 - ui.px(8)},
                           {x, area.y0 - ui.px(2)}, ui.theme.now);
}

// Over what is to come. It draws back with the cursor as the story plays on.
void draw_cover(const Ui& ui, const TimelinePanel& panel) {
  const Rect& area = panel.picture.area;
  const float now = x_of(panel.picture, panel.story, panel.view, panel.frame.time);
  const Rect cover{std::max(area.x0, now), area.y0, area.x1, area.y1};
  if (cover.width() < 1) return;
  list().AddRectFilled(min_of(cover), max_of(cover), mix(ui.theme.card, ui.theme.background, 0.6f));
  draw_pattern(list(), cover, Pattern::rising, with_alpha(ui.theme.line, 0.6f), ui.px(9));
  const ImVec2 size = text_size(ui.fonts.display, "?");
  if (cover.width() < ui.px(120) || cover.height() < size.y) return;
  draw_text_centred(ui, ui.fonts.display, centre_of(cover), ui.theme.muted, "?");
}

const Bar* bar_under(const TimelinePicture& picture, Point point) {
  for (const Bar& bar : picture.bars) {
    if (bar.kind != BarKind::waiting && bar.rect.contains(point)) return &bar;
  }
  return nullptr;
}

}  // namespace

Rect timeline_area(const Ui& ui, const Rect& rect) {
  return {rect.x0, rect.y0 + ui.px(4), rect.x1, rect.y1 - ui.px(18)};
}

float timeline_label_width(const Ui& ui) {
  return ui.px(52);
}

double draw_timeline_panel(const Ui& ui, const Rect& rect, const TimelinePanel& panel,
                           Pointing& pointing) {
  static_cast<void>(rect);
  const Theme& t = ui.theme;
  const TimelinePicture& picture = panel.picture;
  draw_rows(ui, panel);
  draw_ticks(ui, picture);
  list().PushClipRect(min_of(picture.area), max_of(picture.area), true);
  const Shades shades(t);
  const bool dense = picture.area.height() < ui.px(7) * static_cast<float>(panel.story.size());
  if (dense) draw_dense(panel, t, shades);
  const float now = x_of(picture, panel.story, panel.view, panel.frame.time);
  for (const Bar& bar : picture.bars) {
    if (!dense && !(panel.covered && bar.rect.x0 >= now - 1)) draw_bar(ui, panel, shades, bar);
  }
  for (const GhostBar& ghost : picture.ghosts) {
    if (panel.ghosts) list().AddRect(min_of(ghost.rect), max_of(ghost.rect), t.accent, 0, 0, 1);
  }
  for (const Bar& bar : picture.bars) {
    const bool lit = (bar.tile >= 0 && bar.tile == pointing.shown.tile) ||
                     (bar.flight >= 0 && bar.flight == pointing.shown.flight);
    if (lit)
      list().AddRect(min_of(bar.rect), max_of(bar.rect), t.accent, 0, 0,
                     std::max(1.0f, ui.px(1.5f)));
  }
  list().PopClipRect();
  if (panel.covered) draw_cover(ui, panel);
  draw_cursor(ui, panel);

  place_invisible("timeline/area", picture.area);
  ui.items.add("timeline/area");
  const ImGuiIO& io = ImGui::GetIO();
  const bool active = ImGui::IsItemActive();
  if (!active && !ImGui::IsItemHovered()) return -1;
  if (io.MouseWheel != 0) {
    const double about = time_at(picture, panel.story, panel.view, io.MousePos.x);
    panel.view =
        zoomed(panel.story, panel.view, about, std::pow(1.25, static_cast<double>(io.MouseWheel)));
  }
  if (active && io.KeyShift && ImGui::IsMouseDragging(0)) {
    panel.view =
        panned(panel.story, panel.view, -io.MouseDelta.x / std::max(1.0f, picture.area.width()));
    return -1;
  }
  const bool under_cover = panel.covered && io.MousePos.x > now;
  const Bar* bar = bar_under(picture, {io.MousePos.x, io.MousePos.y});
  if (bar != nullptr && !under_cover) {
    pointing.next.tile = bar->tile;
    pointing.next.flight = bar->flight;
    if (ImGui::IsItemClicked()) pointing.picked_rank = bar->rank;
  }
  return active ? time_at(picture, panel.story, panel.view, io.MousePos.x) : -1;
}

}  // namespace ringlab::viz

#include "ringlab/viz/panels/widgets.hpp"

#include <algorithm>
#include <cmath>

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

// The invisible part of every control: its place, its name, what the pointer does to it.
struct Touch {
  bool clicked, hovered, held;
};

Touch touch(const Ui& ui, const char* id, const Rect& rect, bool enabled) {
  place_cursor(min_of(rect));
  const ImVec2 size{std::max(1.0f, rect.width()), std::max(1.0f, rect.height())};
  ImGui::BeginDisabled(!enabled);
  const bool clicked = ImGui::InvisibleButton(id, size);
  ImGui::EndDisabled();
  ui.items.add(id);
  return {clicked, ImGui::IsItemHovered(), ImGui::IsItemActive()};
}

ImU32 fill_of(const Ui& ui, const Touch& touch, const ButtonLook& look) {
  const Theme& t = ui.theme;
  if (look.enabled && touch.held) return mix(t.accent, t.card, 0.35f);
  if (look.enabled && touch.hovered) return t.card_hover;
  if (look.on) return mix(t.accent, t.card, 0.22f);
  return look.plain ? with_alpha(t.card, 0) : t.card;
}

void draw_box(const Ui& ui, const Rect& rect, const Touch& touch, const ButtonLook& look) {
  const float rounding = ui.px(5);
  list().AddRectFilled(min_of(rect), max_of(rect), fill_of(ui, touch, look), rounding);
  if (look.on || (ui.theme.kind == ThemeKind::high_contrast && !look.plain)) {
    list().AddRect(min_of(rect), max_of(rect), look.on ? ui.theme.accent : ui.theme.line, rounding,
                   0, std::max(1.0f, ui.px(1)));
  }
}

}  // namespace

void place_cursor(ImVec2 at) {
  ImGui::SetCursorScreenPos({std::round(at.x), std::round(at.y)});
}

float button_width(const Ui& ui, std::string_view label) {
  return std::ceil(text_size(ui.fonts.body, label).x + ui.px(20));
}

bool button(const Ui& ui, const char* id, const Rect& rect, std::string_view label,
            ButtonLook look) {
  const Touch touched = touch(ui, id, rect, look.enabled);
  draw_box(ui, rect, touched, look);
  const ImU32 ink = look.enabled ? ui.theme.text : ui.theme.faint;
  const float room = rect.width() - ui.px(6);
  const std::string shown = elided(ui.fonts.body, label, room);
  draw_text_centred(ui, ui.fonts.body, centre_of(rect), ink, shown);
  if (touched.hovered && shown.size() != label.size()) show_tooltip(ui, label);
  return touched.clicked;
}

bool icon_button(const Ui& ui, const char* id, const Rect& rect, Icon icon,
                 std::string_view tooltip, ButtonLook look) {
  const Touch touched = touch(ui, id, rect, look.enabled);
  draw_box(ui, rect, touched, look);
  draw_icon(ui, list(), icon, centre_of(rect), std::min(rect.width(), rect.height()) * 0.42f,
            look.enabled ? ui.theme.text : ui.theme.faint);
  if (touched.hovered && !tooltip.empty()) show_tooltip(ui, tooltip);
  return touched.clicked;
}

void draw_icon(const Ui& ui, ImDrawList& dl, Icon icon, ImVec2 c, float size, ImU32 colour) {
  const float h = size / 2, bar = std::max(1.5f, size * 0.16f);
  const auto triangle = [&](float from, float to) {
    dl.AddTriangleFilled({c.x + from, c.y - h}, {c.x + from, c.y + h}, {c.x + to, c.y}, colour);
  };
  const auto upright = [&](float x) {
    dl.AddRectFilled({c.x + x - bar / 2, c.y - h}, {c.x + x + bar / 2, c.y + h}, colour);
  };
  switch (icon) {
    case Icon::home:
      upright(-h);
      triangle(h, -h * 0.7f);
      break;
    case Icon::back:
      triangle(h * 0.7f, -h * 0.8f);
      break;
    case Icon::play:
      triangle(-h * 0.7f, h);
      break;
    case Icon::pause:
      dl.AddRectFilled({c.x - h * 0.8f, c.y - h}, {c.x - h * 0.25f, c.y + h}, colour);
      dl.AddRectFilled({c.x + h * 0.25f, c.y - h}, {c.x + h * 0.8f, c.y + h}, colour);
      break;
    case Icon::forward:
      triangle(-h * 0.7f, h * 0.8f);
      break;
    case Icon::end:
      upright(h);
      triangle(-h, h * 0.7f);
      break;
    case Icon::plus:
      dl.AddRectFilled({c.x - bar / 2, c.y - h}, {c.x + bar / 2, c.y + h}, colour);
      [[fallthrough]];
    case Icon::minus:
      dl.AddRectFilled({c.x - h, c.y - bar / 2}, {c.x + h, c.y + bar / 2}, colour);
      break;
    case Icon::help:
      draw_text_centred(ui, ui.fonts.strong, c, colour, "?");
      break;
    case Icon::theme:
      dl.AddCircle(c, h, colour, 24, bar);
      dl.PathArcTo(c, h, -1.5707963f, 1.5707963f, 16);
      dl.PathFillConvex(colour);
      break;
    case Icon::close:
      dl.AddLine({c.x - h, c.y - h}, {c.x + h, c.y + h}, colour, bar);
      dl.AddLine({c.x - h, c.y + h}, {c.x + h, c.y - h}, colour, bar);
      break;
    case Icon::loop:
      // Runs through without stopping: two heads on one line.
      dl.AddTriangleFilled({c.x - h, c.y - h * 0.8f}, {c.x - h, c.y + h * 0.8f}, {c.x, c.y},
                           colour);
      dl.AddTriangleFilled({c.x, c.y - h * 0.8f}, {c.x, c.y + h * 0.8f}, {c.x + h, c.y}, colour);
      break;
    case Icon::aim:
      // A guess at where it goes: a target.
      dl.AddCircle(c, h, colour, 24, bar);
      dl.AddCircleFilled(c, h * 0.42f, colour, 16);
      break;
    case Icon::eye:
      // Jumps instead of motion: dots.
      for (int i = -1; i <= 1; ++i) {
        dl.AddCircleFilled({c.x + static_cast<float>(i) * h * 0.8f, c.y}, bar * 0.8f, colour, 10);
      }
      break;
  }
}

void draw_verdict(const Ui& ui, ImDrawList& dl, ImVec2 c, float radius, bool right) {
  const ImU32 colour = right ? ui.theme.good : ui.theme.bad, ink = ink_on(colour);
  const float u = radius * 0.5f, v = u * 0.8f, line = std::max(1.5f, radius * 0.28f);
  dl.AddCircleFilled(c, radius, colour, 24);
  if (right) {
    dl.AddLine(c + ImVec2{-u, 0}, c + ImVec2{-u * 0.2f, v}, ink, line);
    dl.AddLine(c + ImVec2{-u * 0.2f, v}, c + ImVec2{u, -v}, ink, line);
  } else {
    dl.AddLine(c + ImVec2{-v, -v}, c + ImVec2{v, v}, ink, line);
    dl.AddLine(c + ImVec2{-v, v}, c + ImVec2{v, -v}, ink, line);
  }
}

float tabs(const Ui& ui, const Rect& rect, const std::vector<TabLabel>& labels, int& chosen) {
  const float height = ui.px(24), gap = ui.px(16);
  float wanted = -gap;
  for (const TabLabel& label : labels) wanted += text_size(ui.fonts.heading, label.text).x + gap;
  const bool tight = wanted > rect.width();
  ImFont* font = tight ? ui.fonts.body : ui.fonts.heading;
  const float step = tight ? ui.px(10) : gap;
  float total = -step;
  for (const TabLabel& label : labels) total += text_size(font, label.text).x + step;
  const float shrink = std::min(1.0f, rect.width() / std::max(1.0f, total));
  float x = rect.x0;
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
    const TabLabel& label = labels[static_cast<std::size_t>(i)];
    const float width = std::floor(text_size(font, label.text).x * shrink);
    const Rect place{x, rect.y0, x + width, rect.y0 + height};
    const Touch touched = touch(ui, label.id, place, true);
    if (touched.clicked) chosen = i;
    const ImU32 ink = i == chosen       ? ui.theme.text
                      : touched.hovered ? ui.theme.accent
                                        : ui.theme.faint;
    draw_text_within(ui, font, {x, rect.y0}, width, ink, label.text);
    if (i == chosen && labels.size() > 1) {
      list().AddRectFilled({x, place.y1 - ui.px(3)}, {place.x1, place.y1 - ui.px(1)},
                           ui.theme.accent, ui.px(1));
    }
    x += width + step * shrink;
  }
  return height + ui.px(8);
}

int stepper(const Ui& ui, const char* id, const Rect& rect, std::string_view value, bool can_lower,
            bool can_raise) {
  const float h = rect.height();
  const std::string lower = std::string(id) + "-", raise = std::string(id) + "+";
  int result = 0;
  if (icon_button(ui, lower.c_str(), {rect.x0, rect.y0, rect.x0 + h, rect.y1}, Icon::minus, {},
                  {.enabled = can_lower})) {
    result = -1;
  }
  if (icon_button(ui, raise.c_str(), {rect.x1 - h, rect.y0, rect.x1, rect.y1}, Icon::plus, {},
                  {.enabled = can_raise})) {
    result = 1;
  }
  const std::string shown = elided(ui.fonts.body, value, rect.width() - 2 * h - ui.px(4));
  draw_text_centred(ui, ui.fonts.body, centre_of(rect), ui.theme.text, shown);
  return result;
}

bool check_box(const Ui& ui, const char* id, const Rect& rect, std::string_view label, bool on) {
  const Touch touched = touch(ui, id, rect, true);
  const float side = ui.px(14), y = rect.center().y;
  const Rect box{rect.x0, y - side / 2, rect.x0 + side, y + side / 2};
  list().AddRectFilled(min_of(box), max_of(box),
                       on                ? ui.theme.accent
                       : touched.hovered ? ui.theme.card_hover
                                         : ui.theme.card,
                       ui.px(3));
  list().AddRect(min_of(box), max_of(box), on ? ui.theme.accent : ui.theme.faint, ui.px(3));
  if (on) {
    const ImU32 ink = ink_on(ui.theme.accent);
    list().AddLine({box.x0 + side * 0.22f, y}, {box.x0 + side * 0.42f, y + side * 0.22f}, ink,
                   ui.px(2));
    list().AddLine({box.x0 + side * 0.42f, y + side * 0.22f},
                   {box.x0 + side * 0.8f, y - side * 0.24f}, ink, ui.px(2));
  }
  const float x = box.x1 + ui.px(8);
  draw_text_within(ui, ui.fonts.body, {x, y - ui.fonts.body->FontSize / 2}, rect.x1 - x,
                   ui.theme.text, label);
  return touched.clicked;
}

bool begin_scroll(const Ui& ui, const char* id, const Rect& rect) {
  place_cursor(min_of(rect));
  const ImVec2 size{std::max(1.0f, rect.width()), std::max(1.0f, rect.height())};
  const bool visible = ImGui::BeginChild(id, size, false, ImGuiWindowFlags_None);
  ui.items.push_pane(id, min_of(rect), max_of(rect), true);
  return visible;
}

void end_scroll(const Ui& ui, float bottom) {
  // Tells Dear ImGui how far the content goes: it only knows of widgets.
  const ImVec2 top = ImGui::GetWindowPos();
  place_cursor({top.x, bottom - 1});
  ImGui::Dummy({1, 1});
  ui.items.pop_pane();
  ImGui::EndChild();
}

}  // namespace ringlab::viz

#include "ringlab/viz/panels/draw.hpp"

#include <algorithm>
#include <cmath>

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

const char* begin_of(std::string_view text) {
  return text.data();
}
const char* end_of(std::string_view text) {
  return text.data() + text.size();
}

// A byte of UTF-8 that does not begin a letter.
bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}

ImVec2 rounded(ImVec2 at) {
  return {std::round(at.x), std::round(at.y)};
}

}  // namespace

bool pointed_at(const Rect& r) {
  return ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
         ImGui::IsMouseHoveringRect(min_of(r), max_of(r));
}

ImVec2 text_size(ImFont* font, std::string_view text) {
  if (text.empty()) return {0, font->FontSize};
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, begin_of(text), end_of(text), nullptr);
}

std::vector<std::string_view> wrapped(ImFont* font, std::string_view text, float width) {
  // Only at spaces: Dear ImGui's own wrapping would also break 65.5 after the point.
  std::vector<std::string_view> lines;
  const auto width_of = [&](std::size_t from, std::size_t to) {
    return text_size(font, text.substr(from, to - from)).x;
  };
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t paragraph = std::min(text.find('\n', start), text.size());
    std::size_t end = start;
    while (end < paragraph) {
      const std::size_t word = std::min(text.find(' ', end + 1), paragraph);
      if (width_of(start, word) > width) break;
      end = word;
    }
    if (end == start && start < paragraph) {
      // A word that is wider than the column: as many letters as fit, but at least one.
      do {
        ++end;
        while (end < paragraph && is_continuation(text[end])) ++end;
        std::size_t next = end + 1;
        while (next < paragraph && is_continuation(text[next])) ++next;
        if (end >= paragraph || width_of(start, next) > width) break;
      } while (true);
    }
    lines.push_back(text.substr(start, end - start));
    start = end;
    if (start == paragraph) {
      ++start;
    } else {
      while (start < paragraph && text[start] == ' ') ++start;
    }
  }
  return lines;
}

float leading(const ImFont* font) {
  return std::round(font->FontSize * 1.22f);
}

float paragraph_height(ImFont* font, std::string_view text, float width) {
  return static_cast<float>(wrapped(font, text, width).size()) * leading(font);
}

float draw_text(const Ui& ui, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text) {
  if (text.empty()) return 0;
  at = rounded(at);
  list().AddText(font, font->FontSize, at, colour, begin_of(text), end_of(text));
  const ImVec2 size = text_size(font, text);
  if (ui.items.recording) ui.items.add_text(text, at, at + size);
  return size.x;
}

void draw_text_right(const Ui& ui, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text) {
  draw_text(ui, font, {at.x - text_size(font, text).x, at.y}, colour, text);
}

void draw_text_centred(const Ui& ui, ImFont* font, ImVec2 centre, ImU32 colour,
                       std::string_view text) {
  const ImVec2 size = text_size(font, text);
  draw_text(ui, font, {centre.x - size.x / 2, centre.y - size.y / 2}, colour, text);
}

float draw_text_within(const Ui& ui, ImFont* font, ImVec2 at, float width, ImU32 colour,
                       std::string_view text) {
  if (text_size(font, text).x <= width) return draw_text(ui, font, at, colour, text);
  return draw_text(ui, font, at, colour, elided(font, text, width));
}

float draw_paragraph(const Ui& ui, ImFont* font, ImVec2 at, float width, ImU32 colour,
                     std::string_view text) {
  const float step = leading(font);
  float y = at.y;
  for (const std::string_view line : wrapped(font, text, width)) {
    draw_text(ui, font, {at.x, y}, colour, line);
    y += step;
  }
  return y - at.y;
}

std::string elided(ImFont* font, std::string_view text, float width) {
  if (text_size(font, text).x <= width) return std::string(text);
  const float room = width - text_size(font, "…").x;
  std::size_t end = text.size();
  while (end > 0) {
    --end;
    while (end > 0 && is_continuation(text[end])) --end;
    if (text_size(font, text.substr(0, end)).x <= room) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

void draw_pattern(ImDrawList& dl, const Rect& r, Pattern pattern, ImU32 colour, float step) {
  if (pattern == Pattern::solid || r.width() < 2 || r.height() < 2) return;
  dl.PushClipRect(min_of(r), max_of(r), true);
  const float w = r.width(), h = r.height(), line = std::max(1.0f, step / 4);
  const bool horizontal = pattern == Pattern::horizontal || pattern == Pattern::grid;
  const bool vertical = pattern == Pattern::vertical || pattern == Pattern::grid;
  const bool rising = pattern == Pattern::rising || pattern == Pattern::cross;
  const bool falling = pattern == Pattern::falling || pattern == Pattern::cross;
  if (horizontal) {
    for (float y = r.y0 + step / 2; y < r.y1; y += step) {
      dl.AddLine({r.x0, y}, {r.x1, y}, colour, line);
    }
  }
  if (vertical) {
    for (float x = r.x0 + step / 2; x < r.x1; x += step) {
      dl.AddLine({x, r.y0}, {x, r.y1}, colour, line);
    }
  }
  for (float x = 0; (rising || falling) && x < w + h; x += step * 1.4f) {
    if (rising) dl.AddLine({r.x0 + x, r.y0}, {r.x0 + x - h, r.y1}, colour, line);
    if (falling) dl.AddLine({r.x1 - x, r.y0}, {r.x1 - x + h, r.y1}, colour, line);
  }
  if (pattern == Pattern::dots) {
    for (float y = r.y0 + step / 2; y < r.y1; y += step) {
      for (float x = r.x0 + step / 2; x < r.x1; x += step) {
        dl.AddCircleFilled({x, y}, line, colour, 6);
      }
    }
  }
  dl.PopClipRect();
}

void draw_origin_rect(const Ui& ui, ImDrawList& dl, const Rect& rect, int origin, float rounding,
                      float strength) {
  const ImU32 full = origin_colour(ui.theme, origin);
  const ImU32 colour = strength >= 1 ? full : mix(full, ui.theme.background, strength);
  dl.AddRectFilled(min_of(rect), max_of(rect), colour, rounding);
  if (origin >= 8) {
    draw_pattern(dl, rect, origin_pattern(origin), with_alpha(ink_on(colour), 0.45f), ui.px(4));
  }
}

void draw_block(const Ui& ui, const Rect& rect, int origin, std::string_view letter,
                float strength) {
  draw_origin_rect(ui, list(), rect, origin, std::min(ui.px(4), rect.height() / 3), strength);
  ImFont* font = rect.height() >= ui.px(17) ? ui.fonts.strong : ui.fonts.small;
  const ImVec2 size = text_size(font, letter);
  if (letter.empty() || size.x > rect.width() - ui.px(2) || rect.height() < ui.px(11)) return;
  const ImU32 full = origin_colour(ui.theme, origin);
  const ImU32 fill = strength >= 1 ? full : mix(full, ui.theme.background, strength);
  if (origin >= 8) {
    const ImVec2 half{size.x / 2 + ui.px(2), size.y / 2};
    list().AddRectFilled(centre_of(rect) - half, centre_of(rect) + half, fill, ui.px(3));
  }
  draw_text_centred(ui, font, centre_of(rect), ink_on(fill), letter);
}

void draw_arrow_head(ImDrawList& dl, ImVec2 tip, ImVec2 along, float size, ImU32 colour) {
  const ImVec2 back = tip - along * size;
  const ImVec2 side{-along.y * size * 0.5f, along.x * size * 0.5f};
  dl.AddTriangleFilled(tip, back + side, back - side, colour);
}

float draw_heading(const Ui& ui, const Rect& rect, std::string_view title,
                   std::string_view caption) {
  const float used =
      draw_text_within(ui, ui.fonts.heading, min_of(rect), rect.width(), ui.theme.text, title);
  const float room = rect.width() - used - ui.px(16);
  if (!caption.empty() && room > ui.px(48)) {
    const std::string fitting = elided(ui.fonts.small, caption, room);
    const float drop = ui.fonts.heading->Ascent - ui.fonts.small->Ascent;
    draw_text_right(ui, ui.fonts.small, {rect.x1, rect.y0 + drop}, ui.theme.muted, fitting);
  }
  return ui.px(24);
}

void draw_rule(const Ui& ui, ImVec2 from, float width) {
  const float y = std::round(from.y);
  list().AddRectFilled({from.x, y}, {from.x + width, y + std::max(1.0f, std::floor(ui.scale))},
                       ui.theme.line);
}

void place_invisible(const char* id, const Rect& rect) {
  ImGui::SetCursorScreenPos(min_of(rect));
  ImGui::InvisibleButton(id, {std::max(1.0f, rect.width()), std::max(1.0f, rect.height())});
}

void show_tooltip(const Ui& ui, std::string_view text) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(8)));
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ui.px(340));
  ImGui::TextUnformatted(begin_of(text), end_of(text));
  ImGui::PopTextWrapPos();
  if (ui.items.recording) {
    ui.items.push_pane("tooltip", ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), false, 3);
    ui.items.add_text(text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    ui.items.pop_pane();
  }
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

}  // namespace ringlab::viz

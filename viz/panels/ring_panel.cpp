#include "ringlab/viz/panels/ring_panel.hpp"

#include <algorithm>
#include <cmath>

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

ImVec2 unit(ImVec2 v) {
  const float length = std::sqrt(v.x * v.x + v.y * v.y);
  return length > 0 ? v * (1 / length) : ImVec2{1, 0};
}

// Dashes along the curve: a slow link.
void draw_dashed(const Wire& wire, ImU32 colour, float width) {
  constexpr int kPieces = 24;
  for (int i = 0; i < kPieces; i += 2) {
    const auto at = [&](int k) { return vec(on_wire(wire, static_cast<float>(k) / kPieces)); };
    list().AddLine(at(i), at(i + 1), colour, width);
  }
}

void draw_wire(const Ui& ui, const Wire& wire, bool many) {
  const Theme& t = ui.theme;
  const bool busy = wire.load > 0;
  const ImU32 idle = mix(t.faint, t.background, many ? 0.35f : 0.55f);
  const ImU32 colour = wire.quiet ? mix(t.faint, t.background, busy ? 0.4f : 0.2f)
                       : busy     ? mix(t.text, t.background, 0.75f)
                                  : idle;
  const float width = wire.quiet ? std::max(1.0f, ui.px(1)) : ui.px(wire.width) * (many ? 0.8f : 1);
  if (busy && !many) {
    // The glow of a link that carries something.
    list().AddBezierQuadratic(vec(wire.start), vec(wire.control), vec(wire.end),
                              with_alpha(t.accent, 0.22f), width + ui.px(6));
  }
  if (wire.slow) {
    draw_dashed(wire, busy ? t.exposed : mix(t.exposed, t.background, 0.6f), std::max(1.0f, width));
  } else {
    list().AddBezierQuadratic(vec(wire.start), vec(wire.control), vec(wire.end), colour, width);
  }
  if (!wire.label.empty()) {
    draw_text_centred(ui, ui.fonts.small, vec(wire.label_at), t.exposed, wire.label);
  }
  if (wire.quiet || (many && !busy)) return;
  const ImVec2 tip = vec(on_wire(wire, 1));
  const ImVec2 along = unit(tip - vec(on_wire(wire, 0.9f)));
  draw_arrow_head(list(), tip, along, ui.px(many ? 5 : 7), wire.slow ? t.exposed : colour);
}

// What travels is filled, what stays at home stands in outline, so that the two can be told apart
// without colour.
void draw_chip(const Ui& ui, const Chip& chip, float pixels, bool moving, Pointing& pointing) {
  const Theme& t = ui.theme;
  const ImU32 colour = origin_colour(t, chip.colour);
  if (chip.dot) {
    list().AddCircleFilled(centre_of(chip.rect), chip.rect.height() / 2,
                           mix(colour, t.background, 0.8f), 12);
    return;
  }
  const float rounding = std::min(ui.px(4), chip.rect.height() / 4);
  if (chip.active && chip.solid) {
    const Rect halo = inset(chip.rect, -ui.px(2), -ui.px(2));
    list().AddRect(min_of(halo), max_of(halo), with_alpha(t.now, 0.85f), rounding + ui.px(2), 0,
                   std::max(1.0f, ui.px(1)));
  }
  ImU32 fill = t.background, ink = t.text;
  if (chip.solid) {
    const float strength = chip.faded ? 0.45f : 1.0f;
    fill = chip.faded ? mix(colour, t.background, strength) : colour;
    draw_origin_rect(ui, list(), chip.rect, chip.colour, rounding, strength);
    ink = ink_on(fill);
  } else {
    list().AddRectFilled(min_of(chip.rect), max_of(chip.rect), t.background, rounding);
    list().AddRect(min_of(chip.rect), max_of(chip.rect),
                   chip.faded ? mix(colour, t.background, 0.6f) : colour, rounding, 0,
                   std::max(1.0f, ui.px(1.5f)));
  }
  const bool gradient = chip.quantity == Quantity::key_value_gradient ||
                        chip.quantity == Quantity::query_gradient ||
                        chip.quantity == Quantity::output_gradient;
  if (gradient) {
    // A gradient: a light edge below.
    list().AddRectFilled({chip.rect.x0 + 1, chip.rect.y1 - std::max(2.0f, ui.px(3))},
                         {chip.rect.x1 - 1, chip.rect.y1 - 1}, t.now);
  }
  if (!chip.text.empty()) {
    ImFont* font = pixels >= ui.px(12) ? ui.fonts.strong : ui.fonts.small;
    if (text_size(font, chip.text).x > chip.rect.width() - ui.px(2)) font = ui.fonts.small;
    const ImVec2 size = text_size(font, chip.text);
    if (size.x <= chip.rect.width() + 1 && size.y <= chip.rect.height() + ui.px(5)) {
      if (chip.solid && chip.colour >= 8) {
        const ImVec2 half{size.x / 2 + ui.px(1), size.y / 2 - ui.px(1)};
        const ImVec2 c = centre_of(chip.rect);
        list().AddRectFilled(c - half, c + half, fill, ui.px(2));
      }
      if (moving) {
        // Ways cross, so letters in flight may too: they are no text with a place of its own.
        const ImVec2 c = centre_of(chip.rect);
        list().AddText(font, font->FontSize,
                       {std::round(c.x - size.x / 2), std::round(c.y - size.y / 2)}, ink,
                       chip.text.data(), chip.text.data() + chip.text.size());
      } else {
        draw_text_centred(ui, font, centre_of(chip.rect), ink, chip.text);
      }
    }
  }
  if (!pointed_at(chip.rect)) return;
  pointing.next.copy = chip.copy;
  if (ImGui::IsMouseClicked(0)) pointing.picked_copy = chip.copy;
}

// On the upper right corner: waiting is what costs time, finished is what the others still work
// for.
void draw_badge(const Ui& ui, const RankBox& box) {
  const Theme& t = ui.theme;
  if (box.doing != Doing::waiting && box.doing != Doing::finished) return;
  const float radius = std::min(ui.px(7), box.rect.height() * 0.2f);
  if (radius < 2) return;
  const ImVec2 c{box.rect.x1 - radius * 0.3f, box.rect.y0 + radius * 0.3f};
  const bool waiting = box.doing == Doing::waiting;
  list().AddCircleFilled(c, radius + std::max(1.0f, ui.px(1.5f)), t.background, 20);
  list().AddCircleFilled(c, radius, waiting ? t.exposed : t.good, 20);
  const ImU32 ink = ink_on(waiting ? t.exposed : t.good);
  const float u = radius * 0.5f, line = std::max(1.0f, radius * 0.28f);
  if (radius < 4) return;
  if (waiting) {
    list().AddRectFilled(c + ImVec2{-u * 0.7f, -u}, c + ImVec2{-u * 0.15f, u}, ink);
    list().AddRectFilled(c + ImVec2{u * 0.15f, -u}, c + ImVec2{u * 0.7f, u}, ink);
  } else {
    list().AddLine(c + ImVec2{-u, 0}, c + ImVec2{-u * 0.2f, u * 0.8f}, ink, line);
    list().AddLine(c + ImVec2{-u * 0.2f, u * 0.8f}, c + ImVec2{u, -u * 0.8f}, ink, line);
  }
}

void draw_box(const Ui& ui, const RankBox& box, float pixels, Pointing& pointing) {
  const Theme& t = ui.theme;
  const ImU32 colour = origin_colour(t, box.colour);
  const float rounding = std::min(ui.px(8), box.rect.height() / 4);
  const bool lit = pointing.shown.rank == box.rank;
  list().AddRectFilled(min_of(box.rect), max_of(box.rect),
                       lit ? t.card_hover : mix(t.card, t.background, 0.75f), rounding);
  const float border = box.focus ? ui.px(3) : ui.px(1.5f);
  list().AddRect(
      min_of(box.rect), max_of(box.rect),
      box.doing == Doing::waiting && !box.focus ? mix(colour, t.background, 0.6f) : colour,
      rounding, 0, std::max(1.0f, border));
  if (box.focus && box.rect.width() > ui.px(30)) {
    const Rect halo = inset(box.rect, -ui.px(3), -ui.px(3));
    list().AddRect(min_of(halo), max_of(halo), with_alpha(t.accent, 0.55f), rounding + ui.px(3), 0,
                   ui.px(1.5f));
  }
  if (box.show_title && !box.title.empty()) {
    ImFont* font = ui.fonts.small;
    const ImVec2 size = text_size(font, box.title);
    const float y = box.chips.empty() ? box.rect.center().y : box.rect.y0 + ui.px(2) + size.y / 2;
    if (size.x <= box.rect.width()) {
      draw_text_centred(ui, font, {box.rect.center().x, y}, box.focus ? t.text : t.muted,
                        box.title);
    }
  }
  if (pointed_at(box.rect)) {
    pointing.next.rank = box.rank;
    if (ImGui::IsMouseClicked(0)) pointing.picked_rank = box.rank;
  }
  for (const Chip& chip : box.chips) draw_chip(ui, chip, pixels, false, pointing);
  if (box.doing == Doing::computing && box.rect.height() >= ui.px(14)) {
    // Work in progress fills the lower edge from left to right.
    const float half = std::max(1.0f, std::min(ui.px(2), box.rect.height() * 0.06f));
    const float room = box.rect.width() - 2 * rounding;
    list().AddRectFilled({box.rect.x0 + rounding, box.rect.y1 - half},
                         {box.rect.x0 + rounding + room * box.fraction, box.rect.y1 + half}, t.now,
                         half);
  }
  draw_badge(ui, box);
  ui.items.add("ring/rank" + std::to_string(box.rank), min_of(box.rect), max_of(box.rect));
}

struct RankNumber {
  std::string text;
  ImVec2 centre;
  Rect rect;
  bool focus = false;
};

// Boxes that are too small for their title have their number beside them, towards the middle of
// their ring; in a dense ring every so many.
std::vector<RankNumber> numbers_of(const Ui& ui, const RingPicture& picture, const Rect& area) {
  std::vector<RankNumber> numbers;
  const int ranks = static_cast<int>(picture.boxes.size());
  if (ranks == 0 || picture.boxes.front().show_title) return numbers;
  const int every = ranks <= 24 ? 1 : ranks <= 40 ? 4 : 8;
  for (const RankBox& box : picture.boxes) {
    if (box.rank % every != 0) continue;
    const ImVec2 c = centre_of(box.rect);
    Point middle = area.center();
    for (const NodeBox& node : picture.nodes) {
      if (node.rect.contains(box.rect.center())) middle = node.rect.center();
    }
    const ImVec2 inwards = unit(vec(middle) - c);
    RankNumber number{.text = std::to_string(box.rank), .focus = box.focus};
    const ImVec2 size = text_size(ui.fonts.small, number.text);
    // Just clear of the box along that direction.
    const float x = (box.rect.width() + size.x) / 2 + ui.px(3),
                y = (box.rect.height() + size.y) / 2;
    const float reach = std::min(std::abs(inwards.x) > 1e-3f ? x / std::abs(inwards.x) : 1e9f,
                                 std::abs(inwards.y) > 1e-3f ? y / std::abs(inwards.y) : 1e9f);
    number.centre = c + inwards * reach;
    number.rect = {number.centre.x - size.x / 2, number.centre.y - size.y / 2,
                   number.centre.x + size.x / 2, number.centre.y + size.y / 2};
    numbers.push_back(std::move(number));
  }
  return numbers;
}

void draw_numbers(const Ui& ui, const std::vector<RankNumber>& numbers) {
  for (const RankNumber& number : numbers) {
    draw_text_centred(ui, ui.fonts.small, number.centre,
                      number.focus ? ui.theme.text : ui.theme.faint, number.text);
  }
}

// The width of the free band of this height about the middle, clear of boxes and numbers.
float free_width(const Ui& ui, const RingPicture& picture, const std::vector<RankNumber>& numbers,
                 const Rect& area, float height) {
  const Point c = area.center();
  float half = area.width() / 2;
  const auto keep_clear = [&](const Rect& rect) {
    if (rect.y0 > c.y + height / 2 || rect.y1 < c.y - height / 2) return;
    half = std::min(half, std::max(rect.x0 - c.x, c.x - rect.x1) - ui.px(10));
  };
  for (const RankBox& box : picture.boxes) keep_clear(box.rect);
  for (const RankNumber& number : numbers) keep_clear(number.rect);
  return std::max(0.0f, 2 * half);
}

// Words in the middle: as many lines as there is room for.
void draw_words(const Ui& ui, const Rect& rect, const RingPanel& panel,
                const std::vector<RankNumber>& numbers) {
  const Theme& t = ui.theme;
  const Rect area = ring_area(ui, rect, panel.words_on_top);
  if (panel.words_on_top) {
    // Whole words only: what has no room is left out.
    std::string words = panel.title;
    for (const std::string& line : panel.lines) {
      const std::string more = words + "  ·  " + line;
      if (text_size(ui.fonts.small, more).x <= rect.width()) words = more;
    }
    draw_text_within(ui, ui.fonts.small, {rect.x0, rect.y0 + ui.px(26)}, rect.width(), t.muted,
                     words);
    return;
  }
  const float line = leading(ui.fonts.body), title = leading(ui.fonts.display);
  for (int lines = static_cast<int>(panel.lines.size()); lines >= 0; --lines) {
    const float height = title + line * static_cast<float>(lines);
    const float width = free_width(ui, panel.picture, numbers, area, height);
    ImFont* font =
        text_size(ui.fonts.display, panel.title).x <= width ? ui.fonts.display : ui.fonts.strong;
    bool fits = text_size(font, panel.title).x <= width;
    for (int i = 0; i < lines; ++i) {
      fits = fits && text_size(ui.fonts.body, panel.lines[static_cast<std::size_t>(i)]).x <= width;
    }
    if (!fits) continue;
    const float x = area.center().x;
    float y = area.center().y - height / 2;
    draw_text_centred(ui, font, {x, y + title / 2}, t.text, panel.title);
    y += title;
    for (int i = 0; i < lines; ++i) {
      draw_text_centred(ui, ui.fonts.body, {x, y + line / 2}, t.muted,
                        panel.lines[static_cast<std::size_t>(i)]);
      y += line;
    }
    return;
  }
}

// What can be clicked to answer a prediction.
void draw_asked(const Ui& ui, const RingPanel& panel) {
  const auto mark = [&](const Rect& rect, float rounding) {
    const Rect halo = inset(rect, -ui.px(4), -ui.px(4));
    list().AddRect(min_of(halo), max_of(halo), ui.theme.accent, rounding, 0,
                   std::max(1.0f, ui.px(2)));
  };
  const auto asked = [&](const Chip& chip) {
    return std::find(panel.asked_blocks.begin(), panel.asked_blocks.end(), chip.text) !=
           panel.asked_blocks.end();
  };
  for (const RankBox& box : panel.picture.boxes) {
    if (std::find(panel.asked_ranks.begin(), panel.asked_ranks.end(), box.rank) !=
        panel.asked_ranks.end()) {
      mark(box.rect, ui.px(10));
    }
    for (const Chip& chip : box.chips) {
      if (asked(chip)) mark(chip.rect, ui.px(6));
    }
  }
  for (const Chip& chip : panel.picture.travelling) {
    if (asked(chip)) mark(chip.rect, ui.px(6));
  }
}

}  // namespace

Rect ring_area(const Ui& ui, const Rect& rect, bool words_on_top) {
  return {rect.x0, rect.y0 + ui.px(words_on_top ? 48 : 28), rect.x1, rect.y1};
}

void draw_ring_panel(const Ui& ui, const Rect& rect, const RingPanel& panel, Pointing& pointing) {
  const Theme& t = ui.theme;
  const RingPicture& picture = panel.picture;
  draw_heading(ui, rect, panel.heading, panel.caption);
  for (const NodeBox& node : picture.nodes) {
    if (!node.band.empty()) {
      std::vector<ImVec2> line;
      for (const Point& p : node.band) line.push_back(vec(p));
      list().AddPolyline(line.data(), static_cast<int>(line.size()),
                         mix(t.card, t.background, 0.8f), 0, node.band_width);
      const ImVec2 size = text_size(ui.fonts.small, node.title);
      const float c = picture.centre.center().x;
      const float x = node.title_at.x > c ? node.title_at.x - size.x : node.title_at.x;
      draw_text(ui, ui.fonts.small, {x, node.title_at.y - size.y / 2}, t.faint, node.title);
      continue;
    }
    list().AddRectFilled(min_of(node.rect), max_of(node.rect), with_alpha(t.card, 0.35f),
                         ui.px(10));
    list().AddRect(min_of(node.rect), max_of(node.rect), t.line, ui.px(10), 0,
                   std::max(1.0f, ui.px(1)));
    const ImVec2 size = text_size(ui.fonts.small, node.title);
    const Rect title{node.rect.x0, node.rect.y0, node.rect.x0 + ui.px(12) + size.x,
                     node.rect.y0 + ui.px(4) + size.y};
    const bool free = std::none_of(picture.boxes.begin(), picture.boxes.end(),
                                   [&](const RankBox& box) { return box.rect.overlaps(title); });
    if (free && size.x + ui.px(8) < node.rect.width()) {
      draw_text(ui, ui.fonts.small, {node.rect.x0 + ui.px(8), node.rect.y0 + ui.px(2)}, t.faint,
                node.title);
    }
  }
  const bool many = picture.wires.size() > 40;
  for (const bool quiet : {true, false}) {
    for (const Wire& wire : picture.wires) {
      if (wire.load <= 0 && wire.quiet == quiet) draw_wire(ui, wire, many);
    }
  }
  for (const bool quiet : {true, false}) {
    for (const Wire& wire : picture.wires) {
      if (wire.load > 0 && wire.quiet == quiet) draw_wire(ui, wire, many);
    }
  }
  for (const RankBox& box : picture.boxes) draw_box(ui, box, picture.text_pixels, pointing);
  for (const bool dots : {true, false}) {
    for (const Chip& chip : picture.travelling) {
      if (chip.dot == dots) draw_chip(ui, chip, picture.text_pixels, true, pointing);
    }
  }

  draw_asked(ui, panel);
  const std::vector<RankNumber> numbers =
      numbers_of(ui, picture, ring_area(ui, rect, panel.words_on_top));
  draw_numbers(ui, numbers);
  draw_words(ui, rect, panel, numbers);
}

}  // namespace ringlab::viz

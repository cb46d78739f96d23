#include "ringlab/viz/panels/balance_panel.hpp"

#include <algorithm>
#include <cmath>

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

struct Rows {
  Rect area;
  float height = 0;
  int count = 0;
  Rect row(int i) const {
    const float y = area.y0 + height * static_cast<float>(i);
    const float gap = height >= 6 ? height * 0.22f : 0;
    return {area.x0, y, area.x1, y + height - gap};
  }
};

Rows rows_in(const Ui& ui, const Rect& rect, float y, float room, std::size_t count) {
  Rows rows;
  rows.count = static_cast<int>(count);
  rows.height =
      std::clamp(room / static_cast<float>(std::max<std::size_t>(1, count)), 1.0f, ui.px(18));
  rows.area = {rect.x0 + ui.px(22), y, rect.x1, y + rows.height * static_cast<float>(count)};
  return rows;
}

// The rank's number at the left, where it fits.
void draw_number(const Ui& ui, const Rows& rows, int i, int rank, bool focus) {
  const int every = std::max(1, static_cast<int>(std::ceil(ui.px(14) / rows.height)));
  if (i % every != 0) return;
  draw_text_right(ui, ui.fonts.small,
                  {rows.area.x0 - ui.px(6), rows.row(i).center().y - ui.fonts.small->FontSize / 2},
                  focus ? ui.theme.text : ui.theme.muted, std::to_string(rank));
}

void draw_parts(const Ui& ui, const Rect& row, const RankBar& bar, Index scale, bool letters,
                bool work, Pointing& pointing) {
  if (scale <= 0) return;
  float x = row.x0;
  const float unit = row.width() / static_cast<float>(scale);
  for (const BarPart& part : bar.parts) {
    const float width = static_cast<float>(part.amount) * unit;
    const Rect place{x, row.y0, x + std::max(0.0f, width - (width > 4 ? 1.0f : 0.0f)), row.y1};
    if (work) {
      list().AddRectFilled(min_of(place), max_of(place), ui.theme.to_come);
      const Rect filled{place.x0, place.y0,
                        place.x0 + place.width() * std::clamp(part.done, 0.0f, 1.0f), place.y1};
      if (part.done > 0)
        draw_origin_rect(ui, list(), filled, part.colour, 0, part.done < 1 ? 1.0f : 0.62f);
    } else {
      draw_origin_rect(ui, list(), place, part.colour, 0);
    }
    const ImVec2 size = text_size(ui.fonts.small, part.text);
    if (letters && !part.text.empty() && size.x + ui.px(4) < place.width() &&
        size.y <= row.height() + ui.px(3) && (!work || part.done > 0.5f)) {
      const ImU32 full = origin_colour(ui.theme, part.colour);
      draw_text_centred(
          ui, ui.fonts.small, centre_of(place),
          ink_on(work && part.done >= 1 ? mix(full, ui.theme.background, 0.62f) : full), part.text);
    }
    if (pointed_at(place)) {
      pointing.next.rank = bar.rank;
      if (part.copy >= 0) pointing.next.copy = part.copy;
    }
    x += width;
  }
}

float draw_words(const Ui& ui, const Rect& rect, float y, const std::vector<Sentence>& words) {
  for (const Sentence& sentence : words) {
    y += draw_paragraph(ui, ui.fonts.small, {rect.x0, y}, rect.width(), ui.theme.muted,
                        ui.texts.say(sentence)) +
         ui.px(4);
  }
  return y;
}

float words_height(const Ui& ui, float width, const std::vector<Sentence>& words) {
  float height = 0;
  for (const Sentence& sentence : words) {
    height += paragraph_height(ui.fonts.small, ui.texts.say(sentence), width) + ui.px(4);
  }
  return height;
}

}  // namespace

float draw_balance_panel(const Ui& ui, const Rect& rect, const BalancePanel& panel,
                         Pointing& pointing) {
  const Theme& t = ui.theme;
  const MemoryBars& memory = panel.memory;
  const float words = words_height(ui, rect.width(), memory.words) +
                      words_height(ui, rect.width(), panel.work.words);
  const float heads = 2 * ui.px(26) + ui.px(30);
  const float room = std::max(ui.px(60), (rect.height() - words - heads) / 2);

  float y = rect.y0;
  draw_heading(ui, {rect.x0, y, rect.x1, y + ui.px(20)}, ui.t("ui.balance.memory"));
  y += ui.px(26);
  // The frame of each row is what a rank would hold that gathers everything.
  const Index scale = std::max(memory.full_key_value_bytes, memory.largest);
  const Rows held = rows_in(ui, rect, y, room, memory.ranks.size());
  for (int i = 0; i < held.count; ++i) {
    const RankBar& bar = memory.ranks[static_cast<std::size_t>(i)];
    const Rect row = held.row(i);
    draw_number(ui, held, i, bar.rank, bar.rank == panel.focus_rank);
    list().AddRectFilled(min_of(row), max_of(row), t.masked);
    draw_parts(ui, row, bar, scale, row.height() >= ui.px(10), false, pointing);
    if (held.height >= 6) list().AddRect(min_of(row), max_of(row), t.line);
    if (bar.peak > 0 && scale > 0) {
      const float x =
          row.x0 + row.width() * static_cast<float>(bar.peak) / static_cast<float>(scale);
      list().AddRectFilled({x - 1, row.y0}, {x, row.y1}, t.muted);
    }
  }
  y = draw_words(ui, rect, held.area.y1 + ui.px(8), memory.words) + ui.px(14);

  draw_heading(ui, {rect.x0, y, rect.x1, y + ui.px(20)}, ui.t("ui.balance.work"));
  y += ui.px(26);
  const Rows work = rows_in(ui, rect, y, room, panel.work.ranks.size());
  for (int i = 0; i < work.count; ++i) {
    const RankBar& bar = panel.work.ranks[static_cast<std::size_t>(i)];
    const Rect row = work.row(i);
    draw_number(ui, work, i, bar.rank, bar.rank == panel.focus_rank);
    list().AddRectFilled(min_of(row), max_of(row), t.masked);
    draw_parts(ui, row, bar, panel.work.largest, row.height() >= ui.px(10), true, pointing);
  }
  return draw_words(ui, rect, work.area.y1 + ui.px(8), panel.work.words);
}

}  // namespace ringlab::viz

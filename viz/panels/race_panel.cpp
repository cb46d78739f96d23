#include "ringlab/viz/panels/race_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

// On whole pixels: renderers differ about half ones.
void fill(ImVec2 from, ImVec2 to, ImU32 colour, float rounding = 0) {
  list().AddRectFilled({std::round(from.x), std::round(from.y)},
                       {std::round(to.x), std::round(to.y)}, colour, rounding);
}

// One column a rank, as high as the share of the time in which it computed; its state below.
void draw_ranks(const Ui& ui, const Rect& rect, const RaceLane& lane) {
  const Theme& t = ui.theme;
  const std::size_t ranks = lane.busy.size();
  if (ranks == 0) return;
  const float step = rect.width() / static_cast<float>(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    const float x = rect.x0 + step * static_cast<float>(r);
    const float width = std::max(1.0f, step - (step > 4 ? ui.px(2) : 0));
    const float height = rect.height() * std::clamp(lane.busy[r], 0.0f, 1.0f);
    fill({x, rect.y0}, {x + width, rect.y1}, t.masked);
    const ImU32 colour = origin_colour(t, static_cast<int>(r));
    const bool idle = lane.doing[r] == Doing::waiting || lane.doing[r] == Doing::idle;
    fill({x, rect.y1 - height}, {x + width, rect.y1},
         idle ? mix(colour, t.background, 0.55f) : colour);
    if (lane.doing[r] == Doing::waiting) {
      fill({x, rect.y1 + ui.px(2)}, {x + width, rect.y1 + ui.px(4)}, t.exposed);
    }
  }
}

void draw_lane(const Ui& ui, const Rect& rect, const RaceLane& lane, double end) {
  const Theme& t = ui.theme;
  const float label = std::min(ui.px(120), rect.width() * 0.28f),
              figures = std::min(ui.px(186), rect.width() * 0.34f);
  const float y = rect.y0;
  const float used =
      draw_text_within(ui, ui.fonts.strong, {rect.x0, y}, label - ui.px(8), t.text, lane.name);
  static_cast<void>(used);
  const bool won = lane.finished && lane.place == 1;
  const std::string place =
      lane.finished
          ? ui.texts.say(won ? "ui.race.first" : "ui.race.finished", {std::to_string(lane.place)})
          : ui.texts.say("ui.transport.hop", {std::to_string(lane.hop)});
  draw_text_within(ui, ui.fonts.small, {rect.x0, y + ui.px(18)}, label - ui.px(8),
                   won ? t.good : t.muted, place);

  const Rect track{rect.x0 + label, y + ui.px(2), rect.x1 - figures - ui.px(12), y + ui.px(14)};
  // The track is as long as this lane's own run takes: the shortest wins.
  const float length = end > 0 ? track.width() * static_cast<float>(lane.finish / end) : 0;
  fill(min_of(track), {track.x0 + length, track.y1}, t.to_come, ui.px(3));
  const float head = track.x0 + length * lane.done;
  fill(min_of(track), {head, track.y1}, won ? t.good : t.accent, ui.px(3));
  fill({track.x0 + length - 1, track.y0 - ui.px(3)}, {track.x0 + length + 1, track.y1 + ui.px(3)},
       t.text);

  const float x = rect.x1 - figures;
  draw_text_within(
      ui, ui.fonts.small, {x, y}, figures, t.text,
      ui.texts.say("ui.race.useful", {fmt::format("{:.0f} %", 100 * lane.efficiency)}));
  draw_text_within(
      ui, ui.fonts.small, {x, y + ui.px(18)}, figures, t.muted,
      ui.texts.say("ui.race.time", {number_text(lane.finish, 4),
                                    bytes_text(static_cast<double>(lane.bytes_sent))}));
  const Rect ranks{track.x0, track.y1 + ui.px(6), track.x1, rect.y1 - ui.px(12)};
  if (ranks.height() >= ui.px(8)) draw_ranks(ui, ranks, lane);
}

}  // namespace

void draw_race_panel(const Ui& ui, const Rect& rect, const RacePanel& panel) {
  if (panel.lanes.empty()) return;
  const float height = std::min(ui.px(96), rect.height() / static_cast<float>(panel.lanes.size()));
  float y = rect.y0;
  for (const RaceLane& lane : panel.lanes) {
    draw_lane(ui, {rect.x0, y, rect.x1, y + height - ui.px(4)}, lane, panel.end);
    y += height;
  }
}

}  // namespace ringlab::viz

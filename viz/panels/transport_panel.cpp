#include "ringlab/viz/panels/transport_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ringlab/viz/model/frame.hpp"

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

float x_at(const Rect& bar, double time, double end) {
  return end > 0 ? bar.x0 + bar.width() * static_cast<float>(time / end) : bar.x0;
}

// Where each hop begins, for the labels over the bar.
void draw_hops(const Ui& ui, const Rect& bar, const Story& story, const Playback& playback) {
  const Theme& t = ui.theme;
  float last = bar.x0 - ui.px(12);
  int hop = -1;
  for (const BreakPoint& point : playback.breaks()) {
    if (point.hop <= hop) continue;
    hop = point.hop;
    const float x = x_at(bar, point.time, story.end);
    const float top = bar.center().y - ui.px(11);
    const float line = std::floor(x);  // a whole pixel: renderers differ about half ones
    list().AddRectFilled({line, std::round(top)}, {line + 1, std::round(bar.center().y)}, t.faint);
    const std::string full = ui.texts.say("ui.transport.hop", {std::to_string(hop)});
    const float width = text_size(ui.fonts.small, full).x;
    const float left = std::min(x, bar.x1 + ui.px(8) - width);
    if (left < last + ui.px(8)) continue;
    last = left + width;
    draw_text(ui, ui.fonts.small, {left, bar.y0}, point.time <= playback.time() ? t.muted : t.faint,
              full);
  }
}

ImU32 colour_of_break(const Theme& t, BreakKind kind) {
  switch (kind) {
    case BreakKind::arrive:
      return t.accent;
    case BreakKind::send:
      return t.muted;
    case BreakKind::home:
      return t.good;
    default:
      return t.text;
  }
}

void scrub_bar(const Ui& ui, const Rect& bar, const Story& story, Playback& playback) {
  const Theme& t = ui.theme;
  const float y = std::round(bar.center().y), thick = ui.px(2);
  const float now = x_at(bar, playback.time(), story.end);
  place_invisible("transport/scrub", {bar.x0 - ui.px(8), bar.y0, bar.x1 + ui.px(8), bar.y1});
  ui.items.add("transport/scrub");
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  draw_hops(ui, bar, story, playback);
  list().AddRectFilled({bar.x0, y - thick}, {bar.x1, y + thick}, t.line, thick);
  list().AddRectFilled({bar.x0, y - thick}, {now, y + thick}, t.text, thick);
  const auto& breaks = playback.breaks();
  const float spacing = breaks.size() < 2 ? 1e9f : bar.width() / static_cast<float>(breaks.size());
  if (spacing >= ui.px(5)) {
    for (const BreakPoint& point : breaks) {
      const ImVec2 at{x_at(bar, point.time, story.end), y};
      const bool past = point.time <= playback.time();
      list().AddCircleFilled(at, ui.px(3), past ? t.text : t.bar, 12);
      list().AddCircle(at, ui.px(3), past ? t.text : colour_of_break(t, point.kind), 12,
                       ui.px(1.5f));
    }
  }
  list().AddCircleFilled({now, y}, ui.px(active || hovered ? 8 : 7), t.now, 24);
  list().AddCircle({now, y}, ui.px(active || hovered ? 8 : 7), t.bar, 24, ui.px(1.5f));
  if (!breaks.empty()) {
    const int index = playback.break_index();
    const BreakPoint& point = breaks[static_cast<std::size_t>(std::max(0, index))];
    const std::string words =
        fmt::format("{}   {}/{}", name_of(point, ui.texts), index + 1, breaks.size());
    draw_text_within(ui, ui.fonts.small, {bar.x0, bar.y1 - ui.fonts.small->FontSize}, bar.width(),
                     t.muted, words);
  }
  const float mouse = ImGui::GetIO().MousePos.x;
  const double pointed =
      story.end *
      std::clamp(static_cast<double>((mouse - bar.x0) / std::max(1.0f, bar.width())), 0.0, 1.0);
  if (active) playback.scrub(pointed);
  if (hovered && !active) {
    const BreakPoint* nearest = nullptr;
    float best = ui.px(8);
    for (const BreakPoint& point : breaks) {
      const float distance = std::abs(x_at(bar, point.time, story.end) - mouse);
      if (distance < best) best = distance, nearest = &point;
    }
    if (nearest != nullptr) show_tooltip(ui, name_of(*nearest, ui.texts));
  }
}

}  // namespace

TransportAsk draw_transport(const Ui& ui, const Rect& rect, const Story& story, Playback& playback,
                            bool predicts) {
  TransportAsk ask;
  const float side = ui.px(32), gap = ui.px(6), y = rect.center().y - side / 2;
  float x = rect.x0 + ui.px(16);
  const auto place = [&](float width) {
    const Rect r{x, y, x + width, y + side};
    x += width + gap;
    return r;
  };
  const bool narrow = rect.width() < ui.px(800);
  if (icon_button(ui, "transport/home", place(side), Icon::home, ui.t("ui.key.home"),
                  {.enabled = !playback.at_start()}))
    playback.home();
  if (icon_button(ui, "transport/back", place(side), Icon::back, ui.t("ui.key.back"),
                  {.enabled = !playback.at_start()}))
    playback.step_back();
  if (icon_button(ui, "transport/play", place(ui.px(44)),
                  playback.playing() ? Icon::pause : Icon::play, ui.t("ui.key.play"),
                  {.on = playback.playing()})) {
    playback.toggle();
  }
  if (icon_button(ui, "transport/forward", place(side), Icon::forward, ui.t("ui.key.forward"),
                  {.enabled = !playback.at_end()}))
    playback.step_forward();
  if (icon_button(ui, "transport/end", place(side), Icon::end, ui.t("ui.key.end"),
                  {.enabled = !playback.at_end()}))
    playback.go_to_end();
  if (icon_button(ui, "transport/predict", place(side), Icon::aim, ui.t("ui.transport.predict"),
                  {.on = predicts})) {
    ask.predict = true;
  }
  x += ui.px(8);
  if (!narrow) {
    const int step =
        stepper(ui, "transport/speed", place(ui.px(112)), fmt::format("{:.3g}×", playback.speed()),
                playback.speed() > 0.051, playback.speed() < 19.9);
    if (step != 0) playback.set_speed(playback.speed() * (step > 0 ? 2.0 : 0.5));
    if (icon_button(ui, "transport/run", place(side), Icon::loop, ui.t("ui.transport.run_through"),
                    {.on = !playback.stop_at_breaks()})) {
      playback.set_stop_at_breaks(!playback.stop_at_breaks());
    }
    if (icon_button(ui, "transport/jumps", place(side), Icon::eye, ui.t("ui.transport.jumps"),
                    {.on = playback.reduced_motion()})) {
      playback.set_reduced_motion(!playback.reduced_motion());
    }
  }
  const Rect bar{x + ui.px(16), rect.y0 + ui.px(8), rect.x1 - ui.px(24), rect.y1 - ui.px(6)};
  scrub_bar(ui, bar, story, playback);
  return ask;
}

}  // namespace ringlab::viz

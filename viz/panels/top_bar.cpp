#include "ringlab/viz/panels/top_bar.hpp"

#include <algorithm>

namespace ringlab::viz {

TopBarAsk draw_top_bar(const Ui& ui, const Rect& rect, const TopBar& bar) {
  const Theme& t = ui.theme;
  TopBarAsk ask;
  const float height = ui.px(26), y = rect.center().y - height / 2, gap = ui.px(6);
  const auto baseline = [&](ImFont* font) { return rect.center().y - font->FontSize / 2; };

  // From the right: what must never fall off.
  float right = rect.x1 - ui.px(16);
  const auto place = [&](float width) {
    const Rect r{right - width, y, right, y + height};
    right -= width + gap;
    return r;
  };
  ask.help = icon_button(ui, "top/help", place(height), Icon::help, ui.t("ui.key.help"));
  ask.theme = icon_button(ui, "top/theme", place(height), Icon::theme, ui.t("ui.top.theme"));
  ask.larger = button(ui, "top/larger", place(ui.px(32)), "A+", {});
  ask.smaller = button(ui, "top/smaller", place(ui.px(32)), "A−", {});
  if (rect.width() > ui.px(720)) {
    right -= gap;
    ask.paste = button(ui, "top/paste", place(button_width(ui, ui.t("ui.top.paste"))),
                       ui.t("ui.top.paste"));
    ask.copy =
        button(ui, "top/copy", place(button_width(ui, ui.t("ui.top.copy"))), ui.t("ui.top.copy"));
  }
  float x = rect.x0 + ui.px(16);
  if (rect.width() > ui.px(560)) {
    x += draw_text(ui, ui.fonts.heading, {x, baseline(ui.fonts.heading)}, t.text, "RingLab") +
         ui.px(16);
  }
  const float room = right - x - gap;
  const float wanted = text_size(ui.fonts.body, bar.title).x + ui.px(40);
  const float width = std::clamp(wanted, ui.px(60), std::max(ui.px(60), room));
  ask.presets = button(ui, "top/presets", {x, y, x + width, y + height}, bar.title + "  ▾");
  x += width + ui.px(14);
  if (right - x > ui.px(90)) {
    draw_text_within(ui, ui.fonts.body, {x, baseline(ui.fonts.body)}, right - x - ui.px(8), t.muted,
                     bar.summary);
  }
  return ask;
}

}  // namespace ringlab::viz

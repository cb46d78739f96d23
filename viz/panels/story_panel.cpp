#include "ringlab/viz/panels/story_panel.hpp"

#include <algorithm>

#include "ringlab/viz/model/frame.hpp"

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

// The card: its text is laid out first, for its box lies under it.
float draw_card(const Ui& ui, float x0, float x1, float y, const StoryPanel& panel) {
  const Theme& t = ui.theme;
  const float pad = ui.px(12), width = x1 - x0 - 2 * pad - ui.px(3);
  std::vector<std::string> texts;
  float height = 2 * pad + ui.px(22);
  for (const Sentence& sentence : panel.now->sentences) {
    texts.push_back(ui.texts.say(sentence));
    height += paragraph_height(ui.fonts.body, texts.back(), width) + ui.px(8);
  }
  height -= ui.px(8);
  list().AddRectFilled({x0, y}, {x1, y + height}, t.card, ui.px(6));
  list().AddRectFilled({x0, y}, {x0 + ui.px(3), y + height},
                       origin_colour(t, colour_of(panel.focus_rank)), ui.px(2));
  const float x = x0 + pad + ui.px(3);
  float at = y + pad;
  draw_text_within(ui, ui.fonts.strong, {x, at}, width, t.text,
                   ui.texts.say("ui.story.now", {name_of(*panel.now, ui.texts)}));
  at += ui.px(22);
  for (const std::string& text : texts) {
    at += draw_paragraph(ui, ui.fonts.body, {x, at}, width, t.text, text) + ui.px(8);
  }
  return y + height;
}

}  // namespace

StoryAsk draw_story_panel(const Ui& ui, const Rect& rect, const StoryPanel& panel) {
  const Theme& t = ui.theme;
  StoryAsk ask;
  begin_scroll(ui, "story", rect);
  const float top = ImGui::GetWindowPos().y - ImGui::GetScrollY();
  const float x0 = rect.x0, x1 = rect.x1 - (ImGui::GetScrollMaxY() > 0 ? ui.px(10) : 0),
              width = x1 - x0;
  float y = top;
  y += draw_paragraph(ui, ui.fonts.heading, {x0, y}, width, t.text, panel.title) + ui.px(8);
  y += draw_paragraph(ui, ui.fonts.body, {x0, y}, width, t.muted, panel.words) + ui.px(16);
  if (!panel.clock.empty()) {
    y += draw_paragraph(ui, ui.fonts.small, {x0, y - ui.px(6)}, width, t.faint, panel.clock) +
         ui.px(8);
  }
  if (panel.now != nullptr) {
    const float height = ui.px(26);
    const int step =
        stepper(ui, "story/rank", {x0, y, x0 + std::min(width, ui.px(190)), y + height},
                ui.texts.say("ui.story.told_from", {std::to_string(panel.focus_rank)}),
                panel.ranks > 1, panel.ranks > 1);
    ask.rank = step;
    y += height + ui.px(8);
    y = draw_card(ui, x0, x1, y, panel) + ui.px(16);
  }
  for (const Sentence& note : panel.notes) {
    list().AddCircleFilled({x0 + ui.px(4), y + ui.px(8)}, ui.px(3), t.exposed, 12);
    y += draw_paragraph(ui, ui.fonts.small, {x0 + ui.px(14), y}, width - ui.px(14), t.muted,
                        ui.texts.say(note)) +
         ui.px(6);
  }
  if (!panel.notes.empty()) y += ui.px(10);
  if (!panel.next.empty()) {
    draw_text(ui, ui.fonts.strong, {x0, y}, t.text, ui.t("ui.story.try"));
    y += ui.px(22);
    for (const auto& [name, title] : panel.next) {
      const Rect place{x0, y, x1, y + ui.px(24)};
      const std::string id = "story/try/" + name;
      place_invisible(id.c_str(), place);
      ui.items.add(id);
      const bool over = ImGui::IsItemHovered();
      if (ImGui::IsItemClicked()) ask.preset = name;
      if (over) list().AddRectFilled(min_of(place), max_of(place), t.card_hover, ui.px(4));
      draw_arrow_head(list(), {x0 + ui.px(14), place.center().y}, {1, 0}, ui.px(7), t.accent);
      draw_text_within(ui, ui.fonts.body,
                       {x0 + ui.px(22), place.center().y - ui.fonts.body->FontSize / 2},
                       width - ui.px(22), t.accent, title);
      y += ui.px(26);
    }
  }
  end_scroll(ui, y);
  return ask;
}

}  // namespace ringlab::viz

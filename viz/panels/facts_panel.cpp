#include "ringlab/viz/panels/facts_panel.hpp"

#include <algorithm>

namespace ringlab::viz {

void draw_facts(const Ui& ui, const Facts& facts) {
  const Theme& t = ui.theme;
  const float line = ui.px(19), pad = ui.px(10);
  float name_width = 0, value_width = 0,
        width = text_size(ui.fonts.strong, facts.title).x + ui.px(20);
  for (const Fact& fact : facts.facts) {
    name_width = std::max(name_width, text_size(ui.fonts.small, fact.name).x);
    value_width = std::max(value_width, text_size(ui.fonts.small, fact.value).x);
  }
  width = std::max(width, name_width + ui.px(16) + value_width);
  for (const std::string& formula : facts.formula)
    width = std::max(width, text_size(ui.fonts.mono, formula).x);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  width = std::min(width, screen.x - 4 * pad);
  const float height = ui.px(22) + line * static_cast<float>(facts.facts.size()) +
                       (facts.formula.empty() ? 0 : ui.px(6)) +
                       line * static_cast<float>(facts.formula.size());

  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
  ImGui::BeginTooltip();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height});
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ui.items.push_pane("facts", from, from + size, true, 3);
  float y = at.y, x = at.x;
  if (facts.colour >= 0) {
    draw_block(ui, {x, y + ui.px(1), x + ui.px(12), y + ui.px(13)}, facts.colour, {});
    x += ui.px(20);
  }
  draw_text_within(ui, ui.fonts.strong, {x, y}, at.x + width - x, t.text, facts.title);
  y += ui.px(22);
  for (const Fact& fact : facts.facts) {
    draw_text(ui, ui.fonts.small, {at.x, y}, t.muted, fact.name);
    draw_text_within(ui, ui.fonts.small, {at.x + name_width + ui.px(16), y},
                     width - name_width - ui.px(16), t.text, fact.value);
    y += line;
  }
  if (!facts.formula.empty()) y += ui.px(6);
  for (const std::string& formula : facts.formula) {
    draw_text_within(ui, ui.fonts.mono, {at.x, y}, width, t.text, formula);
    y += line;
  }
  ui.items.pop_pane();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

}  // namespace ringlab::viz

#include "ringlab/viz/panels/predict_panel.hpp"

#include <algorithm>
#include <cmath>

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

struct Places {
  float inner = 0;           // width
  float tally = 0;           // width, at the right end of the first line
  bool one_row = false;      // question and options side by side
  float question = 0;        // height
  float question_width = 0;  // of its column
  float said = 0;            // height
  float height = 0;
};

float option_width(const Ui& ui, const PredictPanel::Option& option) {
  return std::max(ui.px(44), text_size(ui.fonts.strong, option.label).x + ui.px(24));
}

float options_width(const Ui& ui, const PredictPanel& panel) {
  float width = 0;
  for (const auto& option : panel.options) width += option_width(ui, option) + ui.px(8);
  return width;
}

// A question and its options take this much whether there are any or not, so that the panes above
// do not jump when one comes; more only where the words want it.
Places places_of(const Ui& ui, float width, const PredictPanel& panel) {
  Places p;
  p.inner = width - ui.px(32);
  p.tally = panel.tally.empty() ? 0 : text_size(ui.fonts.body, panel.tally).x + ui.px(16);
  p.one_row = p.inner >= ui.px(800);
  const float row = ui.px(28);
  p.question_width =
      p.one_row ? std::max(ui.px(280), p.inner - p.tally - options_width(ui, panel) - ui.px(16))
                : p.inner - p.tally;
  const float text = paragraph_height(ui.fonts.strong, panel.question, p.question_width);
  p.question = p.one_row ? std::max(row, text) : std::max(leading(ui.fonts.strong), text);
  const float least_said = leading(ui.fonts.body) * (p.one_row ? 1.0f : 2.0f);
  p.said = std::max(least_said, paragraph_height(ui.fonts.body, panel.said, p.inner - ui.px(22)));
  p.height =
      ui.px(8) + p.said + ui.px(6) + p.question + (p.one_row ? 0 : ui.px(4) + row) + ui.px(8);
  return p;
}

bool draw_option(const Ui& ui, const std::string& id, const Rect& place,
                 const PredictPanel::Option& option) {
  const Theme& t = ui.theme;
  place_invisible(id.c_str(), place);
  ui.items.add(id);
  const bool over = ImGui::IsItemHovered(), clicked = ImGui::IsItemClicked();
  const float rounding = ui.px(5);
  if (option.block) {
    const Rect body = inset(place, ui.px(2), ui.px(2));
    draw_origin_rect(ui, list(), body, option.colour, rounding);
    const ImU32 fill = origin_colour(t, option.colour);
    if (option.colour >= 8) {
      // A pattern runs under the letter: a quiet ground makes it readable.
      const ImVec2 half = text_size(ui.fonts.strong, option.label) * 0.5f + ImVec2{ui.px(2), 0};
      list().AddRectFilled(centre_of(body) - half, centre_of(body) + half, fill, ui.px(2));
    }
    draw_text_centred(ui, ui.fonts.strong, centre_of(body), ink_on(fill), option.label);
  } else {
    list().AddRectFilled(min_of(place), max_of(place), over ? t.card_hover : t.card, rounding);
    list().AddRect(min_of(place), max_of(place), origin_colour(t, option.colour), rounding, 0,
                   std::max(1.0f, ui.px(1.5f)));
    draw_text_centred(ui, ui.fonts.strong, centre_of(place), t.text, option.label);
  }
  if (over) {
    const Rect halo = inset(place, -ui.px(2), -ui.px(2));
    list().AddRect(min_of(halo), max_of(halo), t.accent, rounding + ui.px(2), 0,
                   std::max(1.0f, ui.px(1.5f)));
  }
  return clicked;
}

}  // namespace

float predict_height(const Ui& ui, float width, const PredictPanel& panel) {
  return std::ceil(places_of(ui, width, panel).height);
}

int draw_predict_panel(const Ui& ui, const Rect& rect, const PredictPanel& panel) {
  const Theme& t = ui.theme;
  const Places p = places_of(ui, rect.width(), panel);
  int clicked = -1;
  const float x0 = rect.x0 + ui.px(16), x1 = rect.x1 - ui.px(16), row = ui.px(28);
  float y = rect.y0 + ui.px(8);
  list().AddRectFilled(min_of(rect), {rect.x0 + ui.px(4), rect.y1}, t.accent);
  if (!panel.said.empty()) {
    const bool marked = panel.mark != PredictPanel::Mark::none;
    const float indent = marked ? ui.px(22) : 0;
    if (marked) {
      draw_verdict(ui, list(), {x0 + ui.px(7), y + ui.px(8)}, ui.px(7),
                   panel.mark == PredictPanel::Mark::right);
    }
    draw_paragraph(ui, ui.fonts.body, {x0 + indent, y}, p.inner - indent, marked ? t.text : t.muted,
                   panel.said);
  }
  y += p.said + ui.px(6);
  const float text = paragraph_height(ui.fonts.strong, panel.question, p.question_width);
  draw_paragraph(ui, ui.fonts.strong,
                 {x0, y + (p.one_row ? std::max(0.0f, (p.question - text) / 2) : 0)},
                 p.question_width, panel.options.empty() ? t.muted : t.text, panel.question);
  if (!panel.tally.empty()) {
    draw_text_right(ui, ui.fonts.body,
                    {x1, y + (p.one_row ? (row - ui.fonts.body->FontSize) / 2 : 0)}, t.muted,
                    panel.tally);
  }
  float x = x0;
  if (p.one_row) {
    // Right behind the question, where the eye is.
    const float used =
        p.question > row + 1 ? p.question_width : text_size(ui.fonts.strong, panel.question).x;
    x += std::min(used, p.question_width) + ui.px(16);
  } else {
    y += p.question + ui.px(4);
  }
  for (std::size_t i = 0; i < panel.options.size(); ++i) {
    const float width = option_width(ui, panel.options[i]);
    const std::string id = "predict/option" + std::to_string(i + 1);
    if (draw_option(ui, id, {x, y, x + width, y + row}, panel.options[i])) {
      clicked = static_cast<int>(i);
    }
    x += width + ui.px(8);
  }
  return clicked;
}

}  // namespace ringlab::viz

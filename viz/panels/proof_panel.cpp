#include "ringlab/viz/panels/proof_panel.hpp"

#include <algorithm>
#include <cmath>

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

// A ruler of powers of ten: the bound of rounding as a line, the difference as a bar.
float draw_ruler(const Ui& ui, const Rect& rect, float y, const ProofLine& line) {
  const Theme& t = ui.theme;
  constexpr double kLeast = -12, kMost = 0;
  const auto x_of_value = [&](double value) {
    const double power = value > 0 ? std::clamp(std::log10(value), kLeast, kMost) : kLeast;
    return rect.x0 + rect.width() * static_cast<float>((power - kLeast) / (kMost - kLeast));
  };
  const float height = ui.px(10);
  list().AddRectFilled({rect.x0, y}, {rect.x1, y + height}, t.to_come, ui.px(3));
  list().AddRectFilled({rect.x0, y}, {std::max(rect.x0 + 2, x_of_value(line.relative)), y + height},
                       line.good ? t.good : t.bad, ui.px(3));
  const float bound = x_of_value(line.bound);
  list().AddRectFilled({bound - 1, y - ui.px(3)}, {bound + 1, y + height + ui.px(3)}, t.text);
  y += height + ui.px(4);
  for (int power = -12; power <= 0; power += 4) {
    const float x = x_of_value(std::pow(10.0, power));
    const std::string text = power == 0 ? "1" : "1e" + std::to_string(power);
    const float width = text_size(ui.fonts.small, text).x;
    draw_text(ui, ui.fonts.small, {std::clamp(x - width / 2, rect.x0, rect.x1 - width), y}, t.faint,
              text);
  }
  return y + ui.px(20);
}

}  // namespace

float draw_proof_panel(const Ui& ui, const Rect& rect, const Proof& proof) {
  const Theme& t = ui.theme;
  float y = rect.y0;
  if (proof.lines.empty()) {
    return y + draw_paragraph(ui, ui.fonts.body, {rect.x0, y}, rect.width(), t.muted,
                              ui.texts.say(proof.why_not));
  }
  const std::string_view verdict = ui.t(proof.good ? "ui.proof.exact" : "ui.proof.differs");
  draw_text_within(ui, ui.fonts.strong, {rect.x0, y}, rect.width(), proof.good ? t.good : t.bad,
                   verdict);
  y += ui.px(22);
  y += draw_paragraph(ui, ui.fonts.small, {rect.x0, y}, rect.width(), t.muted,
                      ui.t("ui.proof.how")) +
       ui.px(14);
  for (const ProofLine& line : proof.lines) {
    draw_text(ui, ui.fonts.strong, {rect.x0, y}, t.text, line.quantity);
    draw_text_right(ui, ui.fonts.mono, {rect.x1, y + ui.px(1)}, line.good ? t.good : t.bad,
                    ui.texts.say("ui.proof.largest", {number_text(line.largest, 3)}));
    y = draw_ruler(ui, rect, y + ui.px(20), line);
    y += draw_paragraph(ui, ui.fonts.small, {rect.x0, y}, rect.width(), t.muted,
                        ui.texts.say(line.words)) +
         ui.px(14);
  }
  return y;
}

}  // namespace ringlab::viz

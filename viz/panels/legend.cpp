#include "ringlab/viz/panels/legend.hpp"

#include <algorithm>

namespace ringlab::viz {

float draw_swatches(const Ui& ui, const Rect& rect, const std::vector<Swatch>& swatches) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float side = ui.px(10), y = rect.y0, height = ui.fonts.small->FontSize;
  float x = rect.x0;
  for (const Swatch& swatch : swatches) {
    const float width = side + ui.px(5) + text_size(ui.fonts.small, swatch.text).x;
    if (x + width > rect.x1) break;
    const ImVec2 from{x, y + (height - side) / 2 + 1}, to{x + side, y + (height + side) / 2 + 1};
    const float middle = (from.y + to.y) / 2;
    switch (swatch.kind) {
      case Swatch::Kind::fill:
        list.AddRectFilled(from, to, swatch.colour, ui.px(2));
        break;
      case Swatch::Kind::outline:
        list.AddRect(from, to, swatch.colour, ui.px(2), 0, std::max(1.0f, ui.px(1.5f)));
        break;
      case Swatch::Kind::line:
        list.AddRectFilled({from.x, middle - ui.px(2)}, {to.x, middle + ui.px(2)}, swatch.colour,
                           ui.px(1));
        break;
      case Swatch::Kind::dot:
        list.AddCircleFilled({(from.x + to.x) / 2, middle}, ui.px(4), swatch.colour, 12);
        break;
    }
    draw_text(ui, ui.fonts.small, {x + side + ui.px(5), y}, ui.theme.muted, swatch.text);
    x += width + ui.px(12);
  }
  return x - rect.x0;
}

void draw_matrix_legend(const Ui& ui, const Rect& rect) {
  const Theme& t = ui.theme;
  const ImU32 sample = origin_colour(t, 2);
  draw_swatches(ui, rect,
                {{ui.t("ui.legend.done"), mix(sample, t.background, 0.62f)},
                 {ui.t("ui.legend.now"), t.now, Swatch::Kind::outline},
                 {ui.t("ui.legend.to_come"), t.to_come},
                 {ui.t("ui.legend.masked"), t.line, Swatch::Kind::outline}});
}

}  // namespace ringlab::viz

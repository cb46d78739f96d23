#include "ringlab/viz/panels/overlay.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

// A window over everything; gives the rectangle inside its frame. `close` becomes true when a
// person clicks beside it or on the cross.
Rect begin_overlay(const Ui& ui, const char* id, const Rect& screen, float width, float height,
                   std::string_view title, bool& close) {
  ImGui::GetForegroundDrawList();  // exists from here on, for tooltips above
  ImGui::SetNextWindowPos(min_of(screen));
  ImGui::SetNextWindowSize({screen.width(), screen.height()});
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, with_alpha(IM_COL32(0, 0, 0, 255), 0.55f));
  ImGui::Begin(
      id, nullptr,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  width = std::min(width, screen.width() - ui.px(24));
  height = std::min(height, screen.height() - ui.px(24));
  const Rect box = Rect::around(screen.center(), std::floor(width), std::floor(height));
  list().AddRectFilled(min_of(box), max_of(box), ui.theme.background, ui.px(10));
  list().AddRect(min_of(box), max_of(box), ui.theme.line, ui.px(10), 0, std::max(1.0f, ui.px(1)));
  ui.items.push_pane(id, min_of(box), max_of(box), false, 1);
  const float side = ui.px(26), pad = ui.px(24);
  draw_text_within(ui, ui.fonts.display, {box.x0 + pad, box.y0 + pad}, box.width() - 3 * pad - side,
                   ui.theme.text, title);
  const std::string cross = std::string(id) + "/close";
  close = icon_button(
      ui, cross.c_str(),
      {box.x1 - pad - side, box.y0 + ui.px(20), box.x1 - pad, box.y0 + ui.px(20) + side},
      Icon::close, {});
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsMouseClicked(0) && !box.contains({mouse.x, mouse.y})) close = true;
  return {box.x0 + pad, box.y0 + ui.px(64), box.x1 - pad, box.y1 - pad};
}

void end_overlay(const Ui& ui) {
  ui.items.pop_pane();
  ImGui::End();
}

// One row of the legend: a sample that is drawn as on the screen, and what it means.
struct LegendRow {
  const char* key;
  std::function<void(const Rect&)> sample;
};

std::vector<LegendRow> legend(const Ui& ui) {
  const Theme& t = ui.theme;
  const auto bar = [&ui](const Rect& r, ImU32 colour) {
    list().AddRectFilled(min_of(r), max_of(r), colour, ui.px(2));
  };
  const auto thin = [](const Rect& r, float h) {
    return Rect{r.x0, r.center().y - h / 2, r.x1, r.center().y + h / 2};
  };
  return {
      {"ui.help.block",
       [&ui](const Rect& r) {
         draw_block(ui, {r.x0, r.y0, r.x0 + r.height() * 1.3f, r.y1}, 2, "C");
       }},
      {"ui.help.pattern",
       [&ui](const Rect& r) {
         draw_block(ui, {r.x0, r.y0, r.x0 + r.height() * 1.3f, r.y1}, 10, "K");
       }},
      {"ui.help.query",
       [&ui, &t](const Rect& r) {
         const Rect q{r.x0, r.y0, r.x0 + r.height() * 1.3f, r.y1};
         list().AddRect(min_of(q), max_of(q), origin_colour(t, 2), ui.px(4), 0, ui.px(1.5f));
         draw_text_centred(ui, ui.fonts.small, centre_of(q), t.text, "Q");
       }},
      {"ui.help.active",
       [&ui, &t](const Rect& r) {
         const Rect q{r.x0 + ui.px(2), r.y0, r.x0 + r.height() * 1.3f, r.y1};
         draw_block(ui, q, 2, "C");
         const Rect halo = inset(q, -ui.px(2), -ui.px(2));
         list().AddRect(min_of(halo), max_of(halo), t.now, ui.px(5), 0, ui.px(1.5f));
       }},
      {"ui.help.box",
       [&ui, &t](const Rect& r) {
         list().AddRectFilled(min_of(r), max_of(r), mix(t.card, t.background, 0.75f), ui.px(5));
         list().AddRect(min_of(r), max_of(r), origin_colour(t, 0), ui.px(5), 0, ui.px(1.5f));
         list().AddRectFilled({r.x0 + ui.px(4), r.y1 - ui.px(4)}, {r.center().x, r.y1 - ui.px(1)},
                              t.now, ui.px(2));
       }},
      {"ui.help.focus",
       [&ui, &t](const Rect& r) {
         list().AddRect(min_of(r), max_of(r), origin_colour(t, 2), ui.px(5), 0, ui.px(3));
         const Rect halo = inset(r, -ui.px(3), -ui.px(3));
         list().AddRect(min_of(halo), max_of(halo), with_alpha(t.accent, 0.55f), ui.px(8), 0,
                        ui.px(1.5f));
       }},
      {"ui.help.waiting",
       [&ui, &t](const Rect& r) {
         const ImVec2 c{r.x0 + r.height() / 2, r.center().y};
         const float u = ui.px(3.5f);
         const ImU32 ink = ink_on(t.exposed);
         list().AddCircleFilled(c, ui.px(7), t.exposed, 20);
         list().AddRectFilled(c + ImVec2{-u * 0.7f, -u}, c + ImVec2{-u * 0.15f, u}, ink);
         list().AddRectFilled(c + ImVec2{u * 0.15f, -u}, c + ImVec2{u * 0.7f, u}, ink);
       }},
      {"ui.help.finished",
       [&ui, &t](const Rect& r) {
         const ImVec2 c{r.x0 + r.height() / 2, r.center().y};
         const float u = ui.px(3.5f);
         const ImU32 ink = ink_on(t.good);
         list().AddCircleFilled(c, ui.px(7), t.good, 20);
         list().AddLine(c + ImVec2{-u, 0}, c + ImVec2{-u * 0.2f, u * 0.8f}, ink, ui.px(2));
         list().AddLine(c + ImVec2{-u * 0.2f, u * 0.8f}, c + ImVec2{u, -u * 0.8f}, ink, ui.px(2));
       }},
      {"ui.help.link",
       [&ui, &t](const Rect& r) {
         list().AddLine({r.x0, r.center().y}, {r.x1, r.center().y}, with_alpha(t.accent, 0.22f),
                        ui.px(8));
         list().AddLine({r.x0, r.center().y}, {r.x1, r.center().y},
                        mix(t.text, t.background, 0.75f), ui.px(2));
         draw_arrow_head(list(), {r.x1, r.center().y}, {1, 0}, ui.px(7), t.text);
       }},
      {"ui.help.dot",
       [&ui, &t](const Rect& r) {
         const float y = r.center().y;
         list().AddLine({r.x0, y}, {r.x1, y}, mix(t.faint, t.background, 0.4f), ui.px(1));
         list().AddCircleFilled(centre_of(r), ui.px(3),
                                mix(origin_colour(t, 2), t.background, 0.8f), 12);
       }},
      {"ui.help.node",
       [&t, thin](const Rect& r) {
         const Rect band = thin(r, r.height() * 0.7f);
         list().AddRectFilled(min_of(band), max_of(band), mix(t.card, t.background, 0.8f));
       }},
      {"ui.help.slow",
       [&ui, &t](const Rect& r) {
         for (float x = r.x0; x < r.x1; x += ui.px(8)) {
           list().AddLine({x, r.center().y}, {std::min(r.x1, x + ui.px(4)), r.center().y},
                          t.exposed, ui.px(1.5f));
         }
       }},
      {"ui.help.done",
       [bar, &t](const Rect& r) { bar(r, mix(origin_colour(t, 2), t.background, 0.62f)); }},
      {"ui.help.now",
       [bar, &t, &ui](const Rect& r) {
         bar(r, origin_colour(t, 2));
         list().AddRect(min_of(r), max_of(r), t.now, 0, 0, ui.px(1.5f));
       }},
      {"ui.help.to_come", [bar, &t](const Rect& r) { bar(r, t.to_come); }},
      {"ui.help.masked",
       [bar, &t](const Rect& r) {
         bar(r, t.masked);
         list().AddRect(min_of(r), max_of(r), t.line);
       }},
      {"ui.help.picked",
       [&ui, &t](const Rect& r) {
         list().AddRect({r.x0, r.center().y - ui.px(3)}, {r.x1 - ui.px(8), r.center().y + ui.px(3)},
                        t.accent);
         draw_arrow_head(list(), {r.x1 - ui.px(7), r.center().y}, {-1, 0}, ui.px(7), t.accent);
       }},
      {"ui.help.hidden", [bar, thin, &t, &ui](const Rect& r) { bar(thin(r, ui.px(5)), t.hidden); }},
      {"ui.help.exposed",
       [bar, thin, &t, &ui](const Rect& r) { bar(thin(r, ui.px(5)), t.exposed); }},
      {"ui.help.idle",
       [&t, &ui](const Rect& r) {
         draw_pattern(list(), r, Pattern::rising, with_alpha(t.exposed, 0.5f), ui.px(5));
       }},
      {"ui.help.ghost", [&t](const Rect& r) { list().AddRect(min_of(r), max_of(r), t.accent); }},
      {"ui.help.cursor",
       [&t, &ui](const Rect& r) {
         const float x = r.x0 + r.height() / 2;
         list().AddRectFilled({x - ui.px(0.75f), r.y0}, {x + ui.px(0.75f), r.y1}, t.now);
         list().AddTriangleFilled({x - ui.px(4), r.y0}, {x + ui.px(4), r.y0}, {x, r.y0 + ui.px(5)},
                                  t.now);
       }},
      {"ui.help.break",
       [&t, &ui](const Rect& r) {
         list().AddCircleFilled({r.x0 + r.height() / 2, r.center().y}, ui.px(3), t.text, 12);
         list().AddCircle({r.x0 + r.height() * 1.3f, r.center().y}, ui.px(3), t.accent, 12,
                          ui.px(1.5f));
       }},
      {"ui.help.lesson_link",
       [&t, &ui](const Rect& r) {
         const float y = r.y1 - ui.px(4), line = std::max(1.0f, std::floor(ui.scale));
         list().AddRectFilled({r.x0, y}, {r.x0 + ui.px(28), y + line}, t.accent);
         draw_text(ui, ui.fonts.small, {r.x0, r.y0}, t.accent, "hop 3");
       }},
      {"ui.help.lesson_term",
       [&t, &ui](const Rect& r) {
         const float y = r.y1 - ui.px(4), line = std::max(1.0f, std::floor(ui.scale));
         draw_text(ui, ui.fonts.small, {r.x0, r.y0}, t.text, "ring");
         for (float x = r.x0; x < r.x0 + ui.px(24); x += 3 * line) {
           list().AddRectFilled({x, y}, {x + line, y + line}, t.faint);
         }
       }},
      {"ui.help.predict",
       [&t, &ui](const Rect& r) {
         list().AddRect({r.x0, r.y0}, {r.x0 + ui.px(24), r.y1}, t.accent, ui.px(5), 0, ui.px(2));
       }},
      {"ui.help.covered",
       [&t, &ui](const Rect& r) {
         draw_pattern(list(), r, Pattern::rising, with_alpha(t.line, 0.6f), ui.px(9));
         draw_text_centred(ui, ui.fonts.strong, centre_of(r), t.muted, "?");
       }},
      {"ui.help.right",
       [&ui](const Rect& r) {
         draw_verdict(ui, list(), {r.x0 + ui.px(9), r.center().y}, ui.px(8), true);
         draw_verdict(ui, list(), {r.x0 + ui.px(29), r.center().y}, ui.px(8), false);
       }},
      {"ui.help.outline",
       [&t, &ui, bar](const Rect& r) {
         list().AddRect(min_of(r), max_of(r), t.line);
         bar({r.x0, r.y0, r.x0 + r.width() * 0.4f, r.y1}, origin_colour(t, 0));
         list().AddRectFilled({r.x0 + r.width() * 0.6f, r.y0},
                              {r.x0 + r.width() * 0.6f + ui.px(1), r.y1}, t.muted);
       }},
  };
}

float draw_keys(const Ui& ui, float x0, float x1, float y, const HelpOverlay& help) {
  const Theme& t = ui.theme;
  const float column = std::min(ui.px(132), (x1 - x0) * 0.4f);
  draw_text(ui, ui.fonts.heading, {x0, y}, t.text, ui.t("ui.help.keys"));
  y += ui.px(28);
  for (const KeyHelp& row : help.keys) {
    draw_text_within(ui, ui.fonts.strong, {x0, y}, column - ui.px(8), t.text, row.keys);
    const float height =
        draw_paragraph(ui, ui.fonts.body, {x0 + column, y}, x1 - x0 - column, t.muted, row.text);
    y += std::max(height, ui.fonts.body->FontSize) + ui.px(5);
  }
  return y;
}

float draw_legend(const Ui& ui, float x0, float x1, float y) {
  const Theme& t = ui.theme;
  const float sample = ui.px(40), height = ui.px(18), gap = ui.px(16);
  draw_text(ui, ui.fonts.heading, {x0, y}, t.text, ui.t("ui.help.colours"));
  y += ui.px(28);
  for (const LegendRow& row : legend(ui)) {
    row.sample({x0, y, x0 + sample, y + height});
    const float text =
        draw_paragraph(ui, ui.fonts.body,
                       {x0 + sample + gap, y + (height - ui.fonts.body->FontSize) / 2 - ui.px(1)},
                       x1 - x0 - sample - gap, t.muted, ui.t(row.key));
    y += std::max(text, height) + ui.px(4);
  }
  return y;
}

}  // namespace

bool draw_help_overlay(const Ui& ui, const Rect& screen, const HelpOverlay& help) {
  bool close = false;
  const Rect inside =
      begin_overlay(ui, "help", screen, ui.px(1140), ui.px(770), ui.t("ui.help.title"), close);
  begin_scroll(ui, "help/body", inside);
  const float top = ImGui::GetWindowPos().y - ImGui::GetScrollY();
  const float right = inside.x1 - ui.px(14), gap = ui.px(40);
  float bottom = 0;
  if (inside.width() > ui.px(620)) {
    const float middle = inside.x0 + (right - inside.x0) * 0.42f;
    bottom = std::max(draw_keys(ui, inside.x0, middle, top, help),
                      draw_legend(ui, middle + gap, right, top));
  } else {
    bottom = draw_keys(ui, inside.x0, right, top, help) + ui.px(20);
    bottom = draw_legend(ui, inside.x0, right, bottom);
  }
  end_scroll(ui, bottom);
  end_overlay(ui);
  return close;
}

ScenesAsk draw_scenes_overlay(const Ui& ui, const Rect& screen,
                              const std::vector<SceneCard>& cards) {
  const Theme& t = ui.theme;
  ScenesAsk ask;
  const Rect inside = begin_overlay(ui, "scenes", screen, ui.px(980), ui.px(700),
                                    ui.t("ui.scenes.title"), ask.close);
  begin_scroll(ui, "scenes/body", inside);
  const float top = ImGui::GetWindowPos().y - ImGui::GetScrollY();
  const int columns = inside.width() > ui.px(760) ? 3 : inside.width() > ui.px(480) ? 2 : 1;
  const float gap = ui.px(12), right = inside.x1 - ui.px(14);
  const float width =
      (right - inside.x0 - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const float pad = ui.px(12);
  float y = top;
  for (std::size_t first = 0; first < cards.size(); first += static_cast<std::size_t>(columns)) {
    const std::size_t last = std::min(cards.size(), first + static_cast<std::size_t>(columns));
    float height = 0;
    for (std::size_t i = first; i < last; ++i) {
      height = std::max(height, paragraph_height(ui.fonts.small, cards[i].words, width - 2 * pad));
    }
    height += 2 * pad + ui.px(20);
    for (std::size_t i = first; i < last; ++i) {
      const SceneCard& card = cards[i];
      const float x = inside.x0 + static_cast<float>(i - first) * (width + gap);
      const Rect place{x, y, x + width, y + height};
      const std::string id = "scenes/" + card.name;
      place_invisible(id.c_str(), place);
      ui.items.add(id);
      const bool over = ImGui::IsItemHovered();
      if (ImGui::IsItemClicked()) ask.preset = card.name;
      list().AddRectFilled(min_of(place), max_of(place), over ? t.card_hover : t.card, ui.px(6));
      if (card.current)
        list().AddRect(min_of(place), max_of(place), t.accent, ui.px(6), 0, ui.px(2));
      draw_text_within(ui, ui.fonts.strong, {x + pad, y + pad}, width - 2 * pad, t.text,
                       card.title);
      draw_paragraph(ui, ui.fonts.small, {x + pad, y + pad + ui.px(20)}, width - 2 * pad, t.muted,
                     card.words);
    }
    y += height + gap;
  }
  end_scroll(ui, y);
  end_overlay(ui);
  return ask;
}

}  // namespace ringlab::viz

#include "ringlab/viz/panels/softmax_panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

// Left edge of the hop, then right edges of what follows, as shares of the width.
constexpr std::array<float, 6> kEdges{0.0f, 0.15f, 0.41f, 0.60f, 0.80f, 1.0f};

constexpr float kAnswerLine = 20;

float edge(const Rect& rect, std::size_t column) {
  return rect.x0 + rect.width() * kEdges[column];
}

void draw_row(const Ui& ui, const Rect& place, const SoftmaxRow& row, bool done, bool current,
              bool covered) {
  const Theme& t = ui.theme;
  if (current) {
    list().AddRectFilled({place.x0 - ui.px(6), place.y0}, {place.x1 + ui.px(6), place.y1},
                         mix(t.accent, t.background, 0.2f), ui.px(4));
  }
  ImFont* font = ui.fonts.mono;
  const float y = place.center().y - font->FontSize / 2;
  const ImU32 ink = current ? t.text : done ? t.muted : t.faint;
  draw_text(ui, font, {place.x0, y}, ink, row.hop_text);
  const float x = edge(place, 1);
  const float chip = std::max(ui.px(22), text_size(ui.fonts.strong, row.block).x + ui.px(6));
  if (covered && !done) {
    draw_text(ui, ui.fonts.strong, {x + ui.px(6), y}, t.faint, "?");
  } else {
    draw_block(ui, {x, place.y0 + ui.px(2), x + chip, place.y1 - ui.px(2)}, std::max(0, row.origin),
               row.block, done ? 1.0f : 0.35f);
  }
  const std::array<const std::string*, 4> figures{&row.m_text, &row.l_text, &row.shrink_text,
                                                  &row.lse_text};
  for (std::size_t i = 0; i < 4; ++i) {
    draw_text_right(ui, font, {edge(place, i + 2), y}, ink,
                    done ? std::string_view(*figures[i]) : "·");
  }
}

// A formula that is too long for one line goes on before an equals sign or a plus.
std::vector<std::string> broken(const Ui& ui, const std::string& formula, float width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < formula.size();) {
    const std::size_t next = std::min(formula.find(" = ", at + 1), formula.find(" + ", at + 1));
    const std::string part = formula.substr(at, next - at);
    if (line.empty() || text_size(ui.fonts.mono, line + part).x <= width) {
      line += part;
    } else {
      lines.push_back(line);
      line = "  " + part;
    }
    at = std::min(next, formula.size());
  }
  lines.push_back(line);
  return lines;
}

std::vector<std::string> formula_lines(const Ui& ui, const std::vector<std::string>& formulas,
                                       float width) {
  std::vector<std::string> lines;
  for (const std::string& formula : formulas) {
    for (const std::string& part : broken(ui, formula, width)) {
      for (const std::string_view line : wrapped(ui.fonts.mono, part, width)) {
        lines.emplace_back(line);
      }
    }
  }
  return lines;
}

float formula_height(const Ui& ui, std::size_t lines) {
  return ui.px(16) + leading(ui.fonts.mono) * static_cast<float>(lines);
}

// Gives where it ends.
float draw_formula(const Ui& ui, const Rect& rect, float y, const std::vector<std::string>& lines) {
  const float end = y + formula_height(ui, lines.size());
  list().AddRectFilled({rect.x0, y}, {rect.x1, end}, ui.theme.card, ui.px(6));
  float at = y + ui.px(8);
  for (const std::string& line : lines) {
    draw_text(ui, ui.fonts.mono, {rect.x0 + ui.px(8), at}, ui.theme.text, line);
    at += leading(ui.fonts.mono);
  }
  return end;
}

float draw_pickers(const Ui& ui, const Rect& rect, float y, const SoftmaxPanel& panel,
                   SoftmaxAsk& ask) {
  const float height = ui.px(26), half = (rect.width() - ui.px(12)) / 2;
  const std::string query =
      ui.texts.say("ui.softmax.query", {std::to_string(panel.table.query_position)});
  const std::string head = ui.texts.say("ui.softmax.head", {std::to_string(panel.table.head)});
  ask.query = stepper(ui, "softmax/query", {rect.x0, y, rect.x0 + half, y + height}, query,
                      panel.can_lower_query, panel.can_raise_query);
  ask.head = stepper(ui, "softmax/head", {rect.x1 - half, y, rect.x1, y + height}, head,
                     panel.table.head > 0, panel.table.head + 1 < panel.heads);
  y += height + ui.px(6);
  const bool wide = panel.table.precision == StatePrecision::float32;
  const bool first = button(ui, "softmax/float32", {rect.x0, y, rect.x0 + half, y + height},
                            ui.t("ui.softmax.float32"), {.on = wide});
  const bool second = button(ui, "softmax/bfloat16", {rect.x1 - half, y, rect.x1, y + height},
                             ui.t("ui.softmax.bfloat16"), {.on = !wide});
  ask.precision = (first && !wide) || (second && wide);
  return y + height + ui.px(12);
}

float draw_answer(const Ui& ui, const Rect& rect, float y, const SoftmaxTable& table, int done) {
  const Theme& t = ui.theme;
  const auto line = [&](std::string_view name, std::string_view value, ImU32 colour) {
    draw_text(ui, ui.fonts.body, {rect.x0, y}, t.muted, name);
    draw_text_right(ui, ui.fonts.mono, {rect.x1, y + ui.px(1)}, colour, value);
    y += ui.px(kAnswerLine);
  };
  const auto four = [](const std::vector<double>& out) {
    std::string text;
    for (std::size_t i = 0; i < out.size() && i < 3; ++i)
      text += (i == 0 ? "" : " ") + number_text(out[i], 3);
    return text;
  };
  if (done > 0)
    line(ui.t("ui.softmax.out"), four(table.rows[static_cast<std::size_t>(done - 1)].out), t.text);
  line(ui.t("ui.softmax.right_out"), four(table.right_out), t.muted);
  line(ui.t("ui.softmax.right_lse"), number_text(table.right_lse, 6), t.muted);
  if (done == static_cast<int>(table.rows.size())) {
    line(ui.t("ui.softmax.error"), number_text(table.lse_error, 2), t.good);
  }
  return y;
}

}  // namespace

SoftmaxAsk draw_softmax_panel(const Ui& ui, const Rect& rect, const SoftmaxPanel& panel) {
  const Theme& t = ui.theme;
  const SoftmaxTable& table = panel.table;
  SoftmaxAsk ask;
  float y = draw_pickers(ui, rect, rect.y0, panel, ask);
  if (table.rows.empty()) {
    const std::string why = table.why_not.key.empty() ? std::string(ui.t("ui.softmax.sees_nothing"))
                                                      : ui.texts.say(table.why_not);
    ask.bottom = y + draw_paragraph(ui, ui.fonts.body, {rect.x0, y}, rect.width(), t.muted, why);
    return ask;
  }
  const Rect head{rect.x0, y, rect.x1, y + ui.px(16)};
  draw_text(ui, ui.fonts.small, {edge(head, 0), y}, t.faint, ui.t("ui.softmax.hop"));
  draw_text(ui, ui.fonts.small, {edge(head, 1), y}, t.faint, ui.t("ui.softmax.block"));
  const std::array<std::string_view, 4> names{"m", "l", ui.t("ui.softmax.shrink"), "LSE"};
  for (std::size_t i = 0; i < 4; ++i) {
    draw_text_right(ui, ui.fonts.small, {edge(head, i + 2), y}, t.faint, names[i]);
  }
  y += ui.px(20);

  const int done = rows_done(table, panel.time), rows = static_cast<int>(table.rows.size());
  const float row_height = ui.px(22);
  const std::vector<std::string> formula =
      done > 0 ? formula_lines(ui, table.rows[static_cast<std::size_t>(done - 1)].formula,
                               rect.width() - ui.px(16))
               : std::vector<std::string>{};
  const float below = ui.px(20) + formula_height(ui, std::max<std::size_t>(3, formula.size())) +
                      4 * kAnswerLine * ui.scale;  // formula and answer
  const float room = std::max(row_height * 3, rect.y1 - y - below);
  const float wanted = row_height * static_cast<float>(rows);
  const Rect body{rect.x0 - ui.px(6), y, rect.x1 + ui.px(6), y + std::min(room, wanted)};
  begin_scroll(ui, "softmax/rows", body);
  if (wanted > room && ImGui::GetScrollMaxY() > 0) {
    // Keeps the row that was filled last in sight while the story moves.
    if (panel.follow) {
      ImGui::SetScrollY(std::max(0.0f, row_height * static_cast<float>(done + 1) - body.height()));
    }
  }
  const float top = ImGui::GetWindowPos().y - ImGui::GetScrollY();
  const float right = rect.x1 - (wanted > room ? ui.px(10) : 0);
  for (int i = 0; i < rows; ++i) {
    const float row_top = top + row_height * static_cast<float>(i);
    if (row_top + row_height < body.y0 || row_top > body.y1) continue;
    const Rect place{rect.x0, row_top, right, row_top + row_height};
    draw_row(ui, place, table.rows[static_cast<std::size_t>(i)], i < done, i == done - 1,
             panel.covered);
    if (pointed_at(place) && ImGui::IsMouseClicked(0))
      ask.time = table.rows[static_cast<std::size_t>(i)].time;
  }
  end_scroll(ui, top + wanted);
  y = body.y1 + ui.px(10);

  if (done > 0) {
    y = draw_formula(ui, rect, y, formula) + ui.px(10);
  } else {
    y += draw_paragraph(ui, ui.fonts.body, {rect.x0, y}, rect.width(), t.muted,
                        ui.t("ui.softmax.before")) +
         ui.px(12);
  }
  ask.bottom = draw_answer(ui, rect, y, table, done);
  return ask;
}

}  // namespace ringlab::viz

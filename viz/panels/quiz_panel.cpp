#include "ringlab/viz/panels/quiz_panel.hpp"

#include <algorithm>

namespace ringlab::viz {
namespace {

using What = QuizAsk::What;

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

// Draws down a column; y is where the next thing goes.
struct Column {
  const Ui& ui;
  float x0, x1, y;
  QuizAsk& ask;

  float width() const { return x1 - x0; }
  void paragraph(ImFont* font, ImU32 colour, std::string_view text, float gap) {
    if (text.empty()) return;
    y += draw_paragraph(ui, font, {x0, y}, width(), colour, text) + ui.px(gap);
  }
  // A control as wide as the column and as high as its text wants.
  bool target(const std::string& id, float height, bool enabled, bool& over, bool& held) {
    place_cursor({x0, y});
    ImGui::BeginDisabled(!enabled);
    const bool clicked = ImGui::InvisibleButton(id.c_str(), {width(), std::max(1.0f, height)});
    ImGui::EndDisabled();
    ui.items.add(id);
    over = enabled && ImGui::IsItemHovered();
    held = enabled && ImGui::IsItemActive();
    return clicked && enabled;
  }
};

enum class Rank { first, other };  // of a button among those of its page

void wide_button(Column& c, const char* id, std::string_view text, What what, int value = 0,
                 Rank rank = Rank::other, bool enabled = true) {
  const Ui& ui = c.ui;
  const Theme& t = ui.theme;
  const float pad = ui.px(10), inner = c.width() - 2 * pad;
  const float height = paragraph_height(ui.fonts.body, text, inner) + ui.px(14);
  bool over = false, held = false;
  if (c.target(id, height, enabled, over, held)) c.ask = {what, value};
  const Rect place{c.x0, c.y, c.x1, c.y + height};
  const bool strong = rank == Rank::first && enabled;
  const ImU32 plain = over ? t.card_hover : t.card;
  const ImU32 fill = held     ? mix(t.accent, t.card, 0.45f)
                     : strong ? mix(t.accent, t.card, over ? 0.4f : 0.26f)
                              : plain;
  list().AddRectFilled(min_of(place), max_of(place), fill, ui.px(5));
  if (strong || t.kind == ThemeKind::high_contrast) {
    list().AddRect(min_of(place), max_of(place), strong ? t.accent : t.line, ui.px(5), 0,
                   std::max(1.0f, ui.px(1)));
  }
  float y = c.y + ui.px(7) + leading(ui.fonts.body) / 2;
  for (const std::string_view line : wrapped(ui.fonts.body, text, inner)) {
    draw_text_centred(ui, ui.fonts.body, {place.center().x, y}, enabled ? t.text : t.faint, line);
    y += leading(ui.fonts.body);
  }
  c.y += height + ui.px(6);
}

void hair_bar(Column& c, float share) {
  const Ui& ui = c.ui;
  const float high = std::max(2.0f, ui.px(3));
  list().AddRectFilled({c.x0, c.y}, {c.x1, c.y + high}, ui.theme.line, high / 2);
  if (share > 0) {
    list().AddRectFilled({c.x0, c.y}, {c.x0 + c.width() * std::min(share, 1.0f), c.y + high},
                         ui.theme.accent, high / 2);
  }
  c.y += high + ui.px(8);
}

std::string letter(int option) {
  return std::string(1, static_cast<char>('a' + option));
}

// The letter in its own column: where a person's eye jumps from line to line.
float badge_width(const Ui& ui) {
  return ui.px(30);
}

void draw_badge(const Ui& ui, ImVec2 corner, int option, ImU32 colour) {
  const float side = ui.px(20);
  const Rect box{corner.x, corner.y, corner.x + side, corner.y + side};
  list().AddRect(min_of(box), max_of(box), colour, ui.px(4), 0, std::max(1.0f, ui.px(1)));
  draw_text_centred(ui, ui.fonts.strong, centre_of(box), colour, letter(option));
}

void option_button(Column& c, int index, std::string_view text) {
  const Ui& ui = c.ui;
  const Theme& t = ui.theme;
  const float pad = ui.px(10), badge = badge_width(ui), inner = c.width() - 2 * pad - badge;
  const float height =
      std::max(ui.px(20), paragraph_height(ui.fonts.body, text, inner)) + ui.px(18);
  bool over = false, held = false;
  const std::string id = "quiz/option" + std::to_string(index + 1);
  if (c.target(id, height, true, over, held)) c.ask = {What::option, index};
  const Rect place{c.x0, c.y, c.x1, c.y + height};
  list().AddRectFilled(min_of(place), max_of(place),
                       held   ? mix(t.accent, t.card, 0.35f)
                       : over ? t.card_hover
                              : t.card,
                       ui.px(6));
  if (over || t.kind == ThemeKind::high_contrast) {
    list().AddRect(min_of(place), max_of(place), over ? t.accent : t.line, ui.px(6), 0,
                   std::max(1.0f, ui.px(1)));
  }
  draw_badge(ui, {c.x0 + pad, c.y + ui.px(9)}, index, over ? t.accent : t.muted);
  draw_paragraph(ui, ui.fonts.body, {c.x0 + pad + badge, c.y + ui.px(9)}, inner, t.text, text);
  c.y += height + ui.px(8);
}

// An option after the answer, with what is said of it, on a coloured edge.
void judged(Column& c, int index, std::string_view text, bool right,
            const std::vector<std::string>& said) {
  const Ui& ui = c.ui;
  const Theme& t = ui.theme;
  const float edge = ui.px(3), pad = ui.px(12), badge = badge_width(ui);
  const float inner = c.width() - edge - 2 * pad;
  float height =
      2 * pad + std::max(ui.px(20), paragraph_height(ui.fonts.strong, text, inner - badge));
  for (const std::string& line : said) {
    if (!line.empty()) height += ui.px(8) + paragraph_height(ui.fonts.body, line, inner);
  }
  const ImU32 colour = right ? t.good : t.bad;
  list().AddRectFilled({c.x0, c.y}, {c.x1, c.y + height}, t.card, ui.px(6));
  list().AddRectFilled({c.x0, c.y}, {c.x0 + edge, c.y + height}, colour, ui.px(2));
  const float x = c.x0 + edge + pad;
  float y = c.y + pad;
  draw_badge(ui, {x, y}, index, colour);
  y += std::max(ui.px(20), draw_paragraph(ui, ui.fonts.strong, {x + badge, y + ui.px(1)},
                                          inner - badge, t.text, text));
  for (const std::string& line : said) {
    if (line.empty()) continue;
    y += ui.px(8);
    y += draw_paragraph(ui, ui.fonts.body, {x, y}, inner, t.text, line);
  }
  c.y += height + ui.px(10);
}

void heading_line(Column& c, const QuizPanel& panel) {
  const Ui& ui = c.ui;
  const Theme& t = ui.theme;
  const float left = text_size(ui.fonts.small, panel.place).x,
              right = text_size(ui.fonts.small, panel.score).x;
  draw_text(ui, ui.fonts.small, {c.x0, c.y}, t.muted, panel.place);
  // In a narrow column the score has a line of its own.
  if (left + right + ui.px(12) > c.width()) c.y += leading(ui.fonts.small);
  draw_text_right(ui, ui.fonts.small, {c.x1, c.y}, t.muted, panel.score);
  c.y += leading(ui.fonts.small) + ui.px(4);
  hair_bar(c, panel.progress);
}

void draw_choose(Column& c, const QuizPanel& panel) {
  const Ui& ui = c.ui;
  const Theme& t = ui.theme;
  c.paragraph(ui.fonts.heading, t.text, ui.t("ui.quiz.choose"), 10);
  const bool open = !panel.go_on.empty();
  if (open) wide_button(c, "quiz/go_on", panel.go_on, What::go_on, 0, Rank::first);
  wide_button(c, "quiz/all", ui.t("ui.quiz.all"), What::all, 0, open ? Rank::other : Rank::first);
  wide_button(c, "quiz/review", panel.review, What::review, 0, Rank::other, panel.can_review);
  c.paragraph(ui.fonts.small, t.muted, panel.review_note, 6);
  c.y += ui.px(10);
  c.paragraph(ui.fonts.strong, t.text, ui.t("ui.quiz.one_lesson"), 6);
  const float pad = ui.px(8), number = ui.px(24), seen = ui.px(38);
  for (const QuizPanel::Lesson& lesson : panel.lessons) {
    const float inner = c.width() - 2 * pad - number - seen;
    const float height = paragraph_height(ui.fonts.body, lesson.title, inner) + ui.px(12);
    bool over = false, held = false;
    if (c.target("quiz/lesson" + std::to_string(lesson.number), height, true, over, held)) {
      c.ask = {What::lesson, lesson.number};
    }
    const Rect place{c.x0, c.y, c.x1, c.y + height};
    if (over || held) {
      list().AddRectFilled(min_of(place), max_of(place), t.card_hover, ui.px(4));
    }
    const float y = c.y + ui.px(5);
    draw_text_right(ui, ui.fonts.body, {c.x0 + pad + number - ui.px(8), y}, t.faint,
                    std::to_string(lesson.number));
    draw_paragraph(ui, ui.fonts.body, {c.x0 + pad + number, y}, inner, t.text, lesson.title);
    draw_text_right(ui, ui.fonts.small, {c.x1 - pad, y + ui.px(1)}, t.muted, lesson.seen);
    const float line = c.y + height - ui.px(1), from = c.x0 + pad + number, to = c.x1 - pad;
    list().AddRectFilled({from, line}, {to, line + 1}, t.line);
    if (lesson.share > 0) {
      list().AddRectFilled({from, line - ui.px(0.5f)},
                           {from + (to - from) * std::min(1.0f, lesson.share), line + ui.px(1)},
                           t.accent);
    }
    c.y += height + ui.px(1);
  }
  c.y += ui.px(10);
  c.paragraph(ui.fonts.small, t.faint, panel.kept_note, 0);
}

void draw_question(Column& c, const QuizPanel& panel) {
  const Ui& ui = c.ui;
  const Theme& t = ui.theme;
  heading_line(c, panel);
  c.paragraph(ui.fonts.small, t.faint, panel.lesson, 8);
  c.paragraph(ui.fonts.strong, t.text, panel.stem, 14);
  c.paragraph(ui.fonts.small, t.muted, ui.t("ui.quiz.how_sure"), 4);
  static constexpr const char* kIds[] = {"quiz/sure", "quiz/think", "quiz/guess"};
  static constexpr const char* kWords[] = {"ui.quiz.sure", "ui.quiz.think", "ui.quiz.guess"};
  const float gap = ui.px(4), each = (c.width() - 2 * gap) / 3;
  for (int i = 0; i < 3; ++i) {
    const float x = c.x0 + static_cast<float>(i) * (each + gap);
    if (button(ui, kIds[i], {x, c.y, x + each, c.y + ui.px(26)}, ui.t(kWords[i]),
               {.on = panel.confidence == i})) {
      c.ask = {What::confidence, i};
    }
  }
  c.y += ui.px(26) + ui.px(14);
  for (std::size_t i = 0; i < panel.options.size(); ++i) {
    option_button(c, static_cast<int>(i), panel.options[i]);
  }
  c.y += ui.px(8);
  wide_button(c, "quiz/choose", ui.t("ui.quiz.stop"), What::choose);
}

void draw_answered(Column& c, const QuizPanel& panel) {
  const Ui& ui = c.ui;
  const Theme& t = ui.theme;
  const bool right = panel.chosen == panel.right;
  heading_line(c, panel);
  const float radius = ui.px(10);
  draw_verdict(ui, list(), {c.x0 + radius, c.y + radius}, radius, right);
  draw_text(ui, ui.fonts.heading,
            {c.x0 + 2 * radius + ui.px(8), c.y + radius - ui.fonts.heading->FontSize / 2},
            right ? t.good : t.bad, ui.t(right ? "ui.quiz.right" : "ui.quiz.wrong"));
  c.y += 2 * radius + ui.px(10);
  c.paragraph(ui.fonts.body, t.muted, panel.stem, 12);
  const auto option = [&](int i) -> std::string_view {
    return panel.options[static_cast<std::size_t>(i)];
  };
  if (!right) {
    judged(c, panel.chosen, option(panel.chosen), false,
           {ui.texts.say("ui.quiz.believed", {panel.misconception}),
            ui.texts.say("ui.quiz.but", {panel.mend})});
    c.paragraph(ui.fonts.small, t.muted, ui.t("ui.quiz.right_is"), 4);
  }
  judged(c, panel.right, option(panel.right), true, {panel.explanation});
  c.y += ui.px(2);
  wide_button(c, "quiz/next", ui.t(panel.last ? "ui.quiz.finish" : "ui.quiz.next"), What::next, 0,
              Rank::first);
  if (panel.is_scene) {
    wide_button(c, "quiz/show", ui.t("ui.quiz.show"), What::show);
    if (panel.shown) c.paragraph(ui.fonts.small, t.muted, ui.t("ui.quiz.shown"), 4);
  } else if (!panel.command.empty()) {
    c.y += ui.px(4);
    c.paragraph(ui.fonts.small, t.muted, ui.t("ui.quiz.run_it"), 4);
    c.paragraph(ui.fonts.mono, t.text, panel.command, 6);
    wide_button(c, "quiz/copy", ui.t("ui.quiz.copy"), What::copy);
  }
}

void draw_end(Column& c, const QuizPanel& panel) {
  const Ui& ui = c.ui;
  const Theme& t = ui.theme;
  c.paragraph(ui.fonts.heading, t.text, ui.t("ui.quiz.end"), 6);
  c.paragraph(ui.fonts.display, t.text, panel.result, 10);
  hair_bar(c, panel.progress);
  for (const std::string& line : panel.lines) c.paragraph(ui.fonts.body, t.muted, line, 6);
  c.y += ui.px(10);
  wide_button(c, "quiz/choose", ui.t("ui.quiz.again"), What::choose, 0, Rank::first);
}

}  // namespace

QuizAsk draw_quiz_panel(const Ui& ui, const Rect& rect, const QuizPanel& panel) {
  QuizAsk ask;
  begin_scroll(ui, "quiz", rect);
  if (panel.turned) ImGui::SetScrollY(0);
  const float bar = ImGui::GetScrollMaxY() > 0 ? ui.px(10) : 0;
  Column c{ui, rect.x0, rect.x1 - bar, ImGui::GetWindowPos().y - ImGui::GetScrollY(), ask};
  if (!panel.notice.empty()) {
    const float pad = ui.px(10), inner = c.width() - 2 * pad;
    const float height = paragraph_height(ui.fonts.body, panel.notice, inner) + 2 * pad;
    list().AddRectFilled({c.x0, c.y}, {c.x1, c.y + height},
                         mix(ui.theme.exposed, ui.theme.card, 0.18f), ui.px(6));
    draw_paragraph(ui, ui.fonts.body, {c.x0 + pad, c.y + pad}, inner, ui.theme.text, panel.notice);
    c.y += height + ui.px(12);
  }
  switch (panel.page) {
    case QuizPanel::Page::choose:
      draw_choose(c, panel);
      break;
    case QuizPanel::Page::question:
      draw_question(c, panel);
      break;
    case QuizPanel::Page::answered:
      draw_answered(c, panel);
      break;
    case QuizPanel::Page::end:
      draw_end(c, panel);
      break;
  }
  end_scroll(ui, c.y);
  return ask;
}

}  // namespace ringlab::viz

#include "ringlab/viz/panels/lesson_panel.hpp"

#include <algorithm>
#include <cmath>

namespace ringlab::viz {
namespace {

ImDrawList& list() {
  return *ImGui::GetWindowDrawList();
}

Rect moved(const Rect& r, ImVec2 by) {
  return {r.x0 + by.x, r.y0 + by.y, r.x1 + by.x, r.y1 + by.y};
}

// A line that can be clicked, with the arrow of the story's "then try".
bool draw_way(const Ui& ui, const std::string& id, const Rect& place, std::string_view text) {
  place_invisible(id.c_str(), place);
  ui.items.add(id);
  const bool clicked = ImGui::IsItemClicked();
  if (ImGui::IsItemHovered())
    list().AddRectFilled(min_of(place), max_of(place), ui.theme.card_hover, ui.px(4));
  const float indent = ui.px(18);
  draw_arrow_head(list(), {place.x0 + ui.px(11), place.y0 + ui.px(12)}, {1, 0}, ui.px(7),
                  ui.theme.accent);
  draw_paragraph(ui, ui.fonts.body, {place.x0 + indent, place.y0 + ui.px(4)},
                 place.width() - indent, ui.theme.accent, text);
  return clicked;
}

float way_height(const Ui& ui, float width, std::string_view text) {
  return paragraph_height(ui.fonts.body, text, width - ui.px(18)) + ui.px(8);
}

// --- The list ------------------------------------------------------------------------------------

void draw_check(const Ui& ui, ImVec2 c) {
  const float u = ui.px(3.5f);
  const ImU32 ink = ink_on(ui.theme.good);
  list().AddCircleFilled(c, ui.px(7), ui.theme.good, 20);
  list().AddLine(c + ImVec2{-u, 0}, c + ImVec2{-u * 0.2f, u * 0.8f}, ink, ui.px(2));
  list().AddLine(c + ImVec2{-u * 0.2f, u * 0.8f}, c + ImVec2{u, -u * 0.8f}, ink, ui.px(2));
}

LessonAsk draw_list(const Ui& ui, const Rect& rect, const LessonPanel& panel) {
  const Theme& t = ui.theme;
  LessonAsk ask;
  const Rect view{rect.x0 - ui.px(6), rect.y0, rect.x1 + ui.px(6), rect.y1};
  begin_scroll(ui, "lesson/all", view);
  const float top = ImGui::GetWindowPos().y - ImGui::GetScrollY();
  const float x0 = rect.x0, x1 = x0 + lesson_page_width(ui, rect);
  int read = 0;
  for (const LessonCard& card : panel.lessons) read += card.read;
  float y = top;
  y += draw_paragraph(ui, ui.fonts.body, {x0, y}, x1 - x0, t.muted,
                      ui.texts.say("ui.lesson.read",
                                   {std::to_string(read), std::to_string(panel.lessons.size())})) +
       ui.px(10);
  for (const LessonCard& card : panel.lessons) {
    const std::string minutes = ui.texts.say("ui.lesson.minutes", {std::to_string(card.minutes)});
    const float pad = ui.px(8), number = ui.px(26),
                tail = text_size(ui.fonts.small, minutes).x + ui.px(30);
    const float room = x1 - x0 - 2 * pad - number - tail;
    const float height = paragraph_height(ui.fonts.body, card.title, room) + 2 * pad - ui.px(2);
    const Rect place{x0, y, x1, y + height};
    const std::string id = "lesson/open" + std::to_string(card.number);
    place_invisible(id.c_str(), place);
    ui.items.add(id);
    if (ImGui::IsItemClicked()) ask.lesson = card.number;
    list().AddRectFilled(min_of(place), max_of(place),
                         ImGui::IsItemHovered() ? t.card_hover : t.card, ui.px(6));
    const float text = y + pad;
    draw_text_right(ui, ui.fonts.strong, {x0 + pad + number - ui.px(8), text}, t.accent,
                    std::to_string(card.number));
    draw_paragraph(ui, ui.fonts.body, {x0 + pad + number, text}, room, t.text, card.title);
    const float drop = std::round(ui.fonts.body->Ascent - ui.fonts.small->Ascent);
    draw_text_right(ui, ui.fonts.small, {x1 - pad - ui.px(20), text + drop}, t.muted, minutes);
    if (card.read) draw_check(ui, {x1 - pad - ui.px(7), text + ui.px(8)});
    y += height + ui.px(6);
  }
  end_scroll(ui, y);
  return ask;
}

// --- The page ------------------------------------------------------------------------------------

// What a person points at or has clicked on the page.
struct Hands {
  LessonAsk ask;
  int hovered_link = -1;
  std::string tip;
};

class PageDrawing {
 public:
  PageDrawing(const Ui& ui, const LessonPanel& panel, ImVec2 origin, const Rect& view)
      : ui_(ui), panel_(panel), origin_(origin), view_(view) {}

  Hands draw() {
    const PageLayout& page = *panel_.layout;
    // Links first: which one lies under the pointer decides how all its pieces look.
    for (std::size_t i = 0; i < page.boxes.size(); ++i) box(page.boxes[i]);
    for (const TextRun& run : page.runs) {
      if (run.link >= 0 && seen(run.at.y, run.font->FontSize)) touch_link(run.link, place(run));
    }
    for (std::size_t i = 0; i < page.blocks.size(); ++i) {
      if (seen(page.blocks[i].rect.y0, page.blocks[i].rect.height())) block(i);
    }
    for (const TextRun& run : page.runs) {
      if (seen(run.at.y, run.font->FontSize)) draw(run, origin_);
    }
    if (hands_.hovered_link >= 0) {
      const auto& links = panel_.source->page.links;
      hands_.tip = ui_.texts.say(
          "ui.lesson.link", {words_of_link(links[static_cast<std::size_t>(hands_.hovered_link)])});
    }
    return std::move(hands_);
  }

 private:
  // Scripts look for controls that are scrolled away, so that recorded frames hold all of them.
  bool seen(float y, float height) const {
    const float top = origin_.y + y;
    return ui_.items.recording || (top < view_.y1 && top + height > view_.y0);
  }

  Rect place(const TextRun& run) const {
    return {origin_.x + run.at.x, origin_.y + run.at.y, origin_.x + run.at.x + run.width,
            origin_.y + run.at.y + run.font->FontSize};
  }

  // A link is one control, whatever the number of its pieces; each of them can be clicked.
  void touch_link(int link, const Rect& where) {
    const std::string name = "lesson/link" + std::to_string(link);
    const int piece = pieces_[link]++;
    const std::string id = piece == 0 ? name : name + "#" + std::to_string(piece);
    place_invisible(id.c_str(), where);
    if (piece == 0) ui_.items.add(name);
    if (ImGui::IsItemHovered()) {
      hands_.hovered_link = link;
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
    if (ImGui::IsItemClicked()) hands_.ask.link = link;
  }

  void box(const PageBox& box) {
    const Theme& t = ui_.theme;
    if (!seen(box.rect.y0, box.rect.height())) return;
    const Rect r = moved(box.rect, origin_);
    switch (box.kind) {
      case PageBox::Kind::quote:
        list().AddRectFilled(min_of(r), max_of(r), t.card, ui_.px(6));
        list().AddRectFilled(min_of(r), {r.x0 + ui_.px(3), r.y1}, t.accent, ui_.px(2));
        return;
      case PageBox::Kind::rule:
        return draw_rule(ui_, min_of(r), r.width());
      case PageBox::Kind::bullet:
        return list().AddCircleFilled(centre_of(r), r.width() / 2, t.muted, 12);
      case PageBox::Kind::picture:
        if (box.link >= 0) touch_link(box.link, r);
        const bool lit =
            box.link >= 0 && (hands_.hovered_link == box.link || panel_.shown_link == box.link);
        list().AddRectFilled(min_of(r), max_of(r), lit ? t.card_hover : t.card, ui_.px(6));
        if (box.link >= 0) {
          draw_arrow_head(list(), {r.x0 + ui_.px(21), r.y0 + ui_.px(18)}, {1, 0}, ui_.px(10),
                          t.accent);
        }
        return;
    }
  }

  void draw(const TextRun& run, ImVec2 origin) {
    const Theme& t = ui_.theme;
    const Rect r = moved(
        Rect{run.at.x, run.at.y, run.at.x + run.width, run.at.y + run.font->FontSize}, origin);
    const bool link = run.link >= 0, over = link && hands_.hovered_link == run.link;
    const ImVec2 grow{ui_.px(2), ui_.px(1)};
    if (over || (link && panel_.shown_link == run.link)) {
      list().AddRectFilled(min_of(r) - grow, max_of(r) + grow,
                           with_alpha(t.accent, over ? 0.3f : 0.18f), ui_.px(3));
    } else if (run.code) {
      list().AddRectFilled(min_of(r) - grow, max_of(r) + grow, t.card, ui_.px(3));
    }
    const ImU32 ink = link ? t.accent : run.ink == TextRun::Ink::muted ? t.muted : t.text;
    const int first = list().VtxBuffer.Size;
    draw_text(ui_, run.font, min_of(r), ink, run.text);
    const float base = std::round(r.y0) + run.font->Ascent;
    if (run.slanted) {
      // There is no oblique among the fonts that every machine has.
      for (int i = first; i < list().VtxBuffer.Size; ++i) {
        ImVec2& at = list().VtxBuffer[i].pos;
        at.x += (base - at.y) * 0.2f;
      }
    }
    const float line = std::max(1.0f, std::floor(ui_.scale)), under = std::round(base + ui_.px(2));
    if (link) {
      list().AddRectFilled({r.x0, under}, {r.x1, under + line}, with_alpha(t.accent, 0.7f));
    } else if (run.term >= 0) {
      for (float x = std::round(r.x0); x < r.x1; x += 3 * line) {
        list().AddRectFilled({x, under}, {std::min(r.x1, x + line), under + line}, t.faint);
      }
      const PageTerm& term = panel_.source->terms[static_cast<std::size_t>(run.term)];
      ui_.items.add("lesson/term/" + term.term, min_of(r), max_of(r));
      if (pointed_at(r)) hands_.tip = term.sentence;
    }
  }

  void block(std::size_t index) {
    const Theme& t = ui_.theme;
    const WideBlock& block = panel_.layout->blocks[index];
    const Rect r = moved(block.rect, origin_);
    if (block.ground)
      list().AddRectFilled(min_of(r), max_of(r), mix(t.card, t.background, 0.6f), ui_.px(6));
    const float pad = block.ground ? ui_.px(10) : 0, room = r.width() - 2 * pad;
    const float most = block.width - room;
    const bool wide = most > 0.5f;
    float& offset = panel_.sideways[index];
    // Before the ground that is drawn sideways: who comes first gets the click.
    std::vector<bool> over;
    for (const WideBlock::Show& show : block.shows) over.push_back(touch_show(show));
    for (const TextRun& run : block.runs) {
      if (run.link >= 0) touch_link(run.link, moved(place(run), {-std::round(offset), 0}));
    }
    if (wide) {
      const std::string id = "lesson/code" + std::to_string(index);
      place_invisible(id.c_str(), r);
      ui_.items.add(id);
      const ImGuiIO& io = ImGui::GetIO();
      if (ImGui::IsItemActive()) offset -= io.MouseDelta.x;
      if (ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        offset -= (io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0)) * ui_.px(40);
      }
    }
    offset = std::clamp(offset, 0.0f, std::max(0.0f, most));
    const Rect inside{r.x0 + pad, r.y0, r.x1 - pad, r.y1};
    if (wide) {
      const std::string name = "lesson/code" + std::to_string(index);
      ui_.items.push_pane(name, min_of(inside), max_of(inside), false, 0, true);
      list().PushClipRect(min_of(inside), max_of(inside), true);
    }
    const ImVec2 from{origin_.x - std::round(offset), origin_.y};
    for (const TextRun& run : block.runs) {
      if (seen(run.at.y, run.font->FontSize)) draw(run, from);
    }
    if (wide) {
      list().PopClipRect();
      ui_.items.pop_pane();
      const float share = room / block.width, x = inside.x0 + room * offset / block.width;
      const float y = r.y1 - ui_.px(7);
      list().AddRectFilled({inside.x0, y}, {inside.x1, y + ui_.px(4)}, t.card, ui_.px(2));
      list().AddRectFilled({x, y}, {x + room * share, y + ui_.px(4)}, t.faint, ui_.px(2));
    }
    for (std::size_t i = 0; i < over.size(); ++i) draw_show(block.shows[i], over[i]);
  }

  // True if the pointer is over it.
  bool touch_show(const WideBlock::Show& show) {
    const Rect r = moved(show.place, origin_);
    const std::string id = "lesson/show" + std::to_string(show.command);
    place_invisible(id.c_str(), r);
    ui_.items.add(id);
    const bool over = ImGui::IsItemHovered();
    if (ImGui::IsItemClicked()) hands_.ask.command = show.command;
    if (over) hands_.tip = ui_.t("ui.lesson.show.tip");
    return over;
  }

  void draw_show(const WideBlock::Show& show, bool over) {
    const Theme& t = ui_.theme;
    const Rect r = moved(show.place, origin_);
    list().AddRectFilled(min_of(r), max_of(r), over ? t.card_hover : t.card, ui_.px(4));
    draw_arrow_head(list(), {r.x0 + ui_.px(14), r.center().y}, {1, 0}, ui_.px(8), t.accent);
    draw_text(ui_, ui_.fonts.small,
              {r.x0 + ui_.px(18), r.center().y - ui_.fonts.small->FontSize / 2}, t.accent,
              ui_.t("ui.lesson.show"));
  }

  const Ui& ui_;
  const LessonPanel& panel_;
  ImVec2 origin_;
  Rect view_;
  std::map<int, int> pieces_;  // of each link, in this frame
  Hands hands_;
};

const LessonCard* card_of(const LessonPanel& panel, int number) {
  for (const LessonCard& card : panel.lessons) {
    if (card.number == number) return &card;
  }
  return nullptr;
}

// The neighbour of the open lesson in the list, or null.
const LessonCard* neighbour(const LessonPanel& panel, int by) {
  for (std::size_t i = 0; i < panel.lessons.size(); ++i) {
    if (panel.lessons[i].number != panel.open) continue;
    const std::size_t at = i + static_cast<std::size_t>(by);
    return at < panel.lessons.size() ? &panel.lessons[at] : nullptr;
  }
  return nullptr;
}

std::string title_of(const LessonCard& card) {
  return std::to_string(card.number) + ". " + card.title;
}

LessonAsk draw_page(const Ui& ui, const Rect& rect, const LessonPanel& panel) {
  LessonAsk ask;
  const LessonCard *before = neighbour(panel, -1), *behind = neighbour(panel, 1);
  const float side = ui.px(26);
  const float wanted = button_width(ui, ui.t("ui.lesson.all"));
  const Rect all{rect.x0, rect.y0, rect.x0 + std::min(wanted, rect.width() - 2 * side - ui.px(16)),
                 rect.y0 + side};
  if (button(ui, "lesson/list", all, ui.t("ui.lesson.all"))) ask.lesson = 0;
  const float x = rect.x1 - ui.px(6);
  if (icon_button(ui, "lesson/previous",
                  {x - 2 * side - ui.px(6), rect.y0, x - side - ui.px(6), rect.y0 + side},
                  Icon::back, before == nullptr ? std::string() : title_of(*before),
                  {.enabled = before != nullptr}) &&
      before != nullptr) {
    ask.lesson = before->number;
  }
  if (icon_button(ui, "lesson/next", {x - side, rect.y0, x, rect.y0 + side}, Icon::forward,
                  behind == nullptr ? std::string() : title_of(*behind),
                  {.enabled = behind != nullptr}) &&
      behind != nullptr) {
    ask.lesson = behind->number;
  }

  const Rect view{rect.x0 - ui.px(6), rect.y0 + side + ui.px(10), rect.x1 + ui.px(6), rect.y1};
  // A page of its own for each lesson: each remembers how far it was read.
  const std::string id = "lesson/page" + std::to_string(panel.open);
  begin_scroll(ui, id.c_str(), view);
  const float top = ImGui::GetWindowPos().y - ImGui::GetScrollY();
  Hands hands = PageDrawing(ui, panel, {rect.x0, top}, view).draw();
  float y = top + panel.layout->height + ui.px(20);
  const float width = lesson_page_width(ui, rect);
  if (behind != nullptr) {
    const std::string text = ui.texts.say("ui.lesson.next", {title_of(*behind)});
    draw_rule(ui, {rect.x0, y}, width);
    y += ui.px(10);
    const float height = way_height(ui, width, text);
    if (draw_way(ui, "lesson/on", {rect.x0, y, rect.x0 + width, y + height}, text))
      hands.ask.lesson = behind->number;
    y += height;
  }
  end_scroll(ui, y + ui.px(8));
  if (!hands.tip.empty() && !ImGui::IsMouseDown(0)) show_tooltip(ui, hands.tip);
  if (!ask.lesson) ask = hands.ask;
  return ask;
}

}  // namespace

float lesson_page_width(const Ui& ui, const Rect& rect) {
  return std::floor(rect.width() - ui.px(8));  // beside the bar that scrolls
}

LessonAsk draw_lesson_panel(const Ui& ui, const Rect& rect, const LessonPanel& panel) {
  const bool page =
      panel.source != nullptr && panel.layout != nullptr && card_of(panel, panel.open) != nullptr;
  return page ? draw_page(ui, rect, panel) : draw_list(ui, rect, panel);
}

std::string words_of_link(const course::SceneLink& link) {
  std::string words;
  for (const char c : link.moment) {
    words += c == '=' ? " " : c == ',' ? " · " : c == ':' ? ", " : std::string(1, c);
  }
  if (!link.tab.empty()) words += (words.empty() ? "" : " · ") + link.tab;
  return words.empty() ? link.file : words;
}

}  // namespace ringlab::viz

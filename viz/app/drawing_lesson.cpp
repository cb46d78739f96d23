// The lesson pane: what it is given, and what becomes of a click in it.
#include <imgui.h>

#include <utility>

#include "ringlab/lessons/course/course.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/viz/app/moment.hpp"
#include "ringlab/viz/app/parts.hpp"

namespace ringlab::viz {

void App::Parts::draw_lesson(const Ui& ui, const Rect& rect) {
  if (reading.lessons.empty()) reading.lessons = lesson_cards(reading_progress);
  if (reading.open != 0) {
    const Reading::Key key{reading.open, lesson_page_width(ui, rect), ui.scale, ui.fonts.body};
    if (!(key == reading.key)) {
      reading.layout =
          set_page(ui.fonts, ui.scale, ui.t("ui.lesson.show"), reading.source, key.width);
      reading.key = key;
    }
  }
  const bool stands = reading.story.lock() == story;
  const LessonAsk ask = draw_lesson_panel(ui, rect,
                                          {.lessons = reading.lessons,
                                           .open = reading.open,
                                           .source = &reading.source,
                                           .layout = &reading.layout,
                                           .shown_link = stands ? reading.link : -1,
                                           .sideways = reading.sideways});
  if (ask.lesson) wanted_lesson = ask.lesson;
  if (ask.link >= 0) wanted_link = ask.link;
  if (ask.command >= 0) wanted_command = ask.command;
}

// Tells another scene, but keeps how a person likes to watch.
void App::Parts::tell_as_watched(SharedState next) {
  next.view.speed = playback.speed();
  next.view.reduced_motion = playback.reduced_motion();
  next.view.stop_at_breaks = playback.stop_at_breaks();
  tell(std::move(next));
}

std::string App::Parts::lesson_title() const {
  return reading.story.lock() == story ? reading.scene_of : std::string();
}

void App::show_lesson(int number, bool with_scene) {
  Parts& p = *parts_;
  if (number == 0) {
    p.reading.open = 0;
  } else {
    open_lesson(p.reading, number, p.scene_of_command);
  }
  p.tabs.left = kLessonTab;
  p.tabs.only = kLessonOnly;
  if (number == 0) return;
  if (p.reading.lessons.empty()) p.reading.lessons = lesson_cards(p.reading_progress);
  for (LessonCard& card : p.reading.lessons) card.read = card.read || card.number == number;
  if (with_scene) {
    const std::string& file = course::lesson(number).scenario;
    if (!p.reading.source.page.links.empty()) {
      follow_link(0);
    } else if (!file.empty()) {
      show_lesson_scene({file, "", ""});
    }
  }
  // Last: a folder that cannot be written must not keep anyone from reading.
  if (p.reading_progress.set_read) p.reading_progress.set_read(number);
}

int App::lesson() const {
  return parts_->reading.open;
}

void App::follow_link(int index) {
  Parts& p = *parts_;
  const auto& links = p.reading.source.page.links;
  if (index < 0 || index >= static_cast<int>(links.size())) {
    throw InputError("link", std::to_string(index),
                     "this page has " + std::to_string(links.size()) + " links");
  }
  show_lesson_scene(links[static_cast<std::size_t>(index)]);
  p.reading.link = index;
}

void App::show_lesson_scene(const course::SceneLink& link) {
  Parts& p = *parts_;
  Reading& reading = p.reading;
  if (reading.story.lock() != p.story || reading.file != link.file) {
    SharedState next;
    next.scenario = lesson_scenario(reading.folder, link.file);
    const Scenario& s = next.scenario;
    next.view.query = s.tokens - s.query_tokens.value_or(s.tokens);  // the first
    p.tell_as_watched(std::move(next));
    reading.story = p.story;
    reading.file = link.file;
    reading.scene_of =
        p.texts.say("ui.lesson.title", {std::to_string(reading.open), reading.title});
  }
  reading.link = -1;
  // The same link shows the same picture, wherever the person has been meanwhile.
  ViewState& view = p.state.view;
  if (p.story->matrix.queries > 0) view.query = query_position(*p.story, 0);
  view.head = 0;
  view.matrix = {};
  view.timeline = {};
  p.set_focus(0);
  p.playback.home();
  p.tabs.bottom = link.tab == "race" ? 1 : 0;
  if (link.tab == "softmax") p.tabs.right = 0;
  if (link.tab == "balance") p.tabs.right = 1;
  if (link.tab == "proof") p.tabs.right = 2;
  if (!link.moment.empty()) go_to_moment(*this, link.moment);
}

// Carries out what was clicked in the lesson pane; see after_frame().
void App::after_lesson_frame() {
  Parts& p = *parts_;
  const std::optional<int> lesson = std::exchange(p.wanted_lesson, {});
  const int link = std::exchange(p.wanted_link, -1), command = std::exchange(p.wanted_command, -1);
  if (!lesson && link < 0 && command < 0) return;
  try {
    if (lesson) return show_lesson(*lesson);
    if (link >= 0) {
      follow_link(link);
    } else {
      const auto scene =
          p.scene_of_command(p.reading.source.commands[static_cast<std::size_t>(command)]);
      if (!scene) return;
      p.tell_as_watched(*scene);
    }
    if (!p.notes.empty()) {
      p.say("ui.lesson.changed", {std::to_string(p.notes.size())});
    } else if (p.tabbed) {
      p.say("ui.lesson.set");
    }
  } catch (const InputError& error) {
    p.say("ui.lesson.refused", {error.what()});
  }
}

}  // namespace ringlab::viz

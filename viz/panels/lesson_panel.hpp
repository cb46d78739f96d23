// The lesson beside the picture: the list of lessons, or one page of which every link sets the
// scene.
#pragma once

#include <map>
#include <optional>

#include "ringlab/viz/panels/lesson_page.hpp"
#include "ringlab/viz/panels/widgets.hpp"

namespace ringlab::viz {

struct LessonCard {
  int number = 0;
  std::string title;
  int minutes = 0;
  bool read = false;
};

struct LessonPanel {
  const std::vector<LessonCard>& lessons;
  int open = 0;                        // its number; 0: the list
  const PageSource* source = nullptr;  // of the open one
  const PageLayout* layout = nullptr;
  int shown_link = -1;  // whose scene stands beside the page
  /// How far each wide block is scrolled sideways; changed by the person.
  std::map<std::size_t, float>& sideways;
};

struct LessonAsk {
  std::optional<int> lesson;  // to open; 0: the list
  int link = -1;              // to follow
  int command = -1;           // of PageSource::commands, whose scene is to be shown
};

/// The width that the page is to be set for.
float lesson_page_width(const Ui& ui, const Rect& rect);

LessonAsk draw_lesson_panel(const Ui& ui, const Rect& rect, const LessonPanel& panel);

/// "hop=3:arrive,rank=2" and a tab as a person reads it: "hop 3, arrive · rank 2 · proof".
std::string words_of_link(const course::SceneLink& link);

}  // namespace ringlab::viz

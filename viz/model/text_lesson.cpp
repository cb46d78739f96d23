// The English texts of the lesson pane. The arguments stand beside each row.
#include "ringlab/viz/model/text_lesson.hpp"

namespace ringlab::viz {

void add_lesson_texts(std::map<std::string, std::string, std::less<>>& table) {
  table.insert({
      {"ui.pane.lesson", "Lesson"},
      {"ui.help.lesson_link", "Lesson: a click on these words shows it in the picture."},
      {"ui.help.lesson_term", "Lesson: point at a word to see what it means."},
      {"ui.lesson.all", "All lessons"},
      {"ui.lesson.read", "{0} of {1} lessons read"},  // {0} read, {1} all
      {"ui.lesson.minutes", "{0} min"},
      {"ui.lesson.next", "Next: {0}"},                  // {0} number and title
      {"ui.lesson.title", "Lesson {0}: {1}"},           // {0} number, {1} title
      {"ui.lesson.link", "Shows in the picture: {0}"},  // {0} moment
      {"ui.lesson.show", "show"},
      {"ui.lesson.show.tip", "Shows the scene of this command"},
      {"ui.lesson.set", "The scene is set: see the other tabs."},
      {"ui.lesson.changed", "Shown with {0} changes: see the story pane."},  // {0} number
      {"ui.lesson.refused", "{0}"},
  });
}

}  // namespace ringlab::viz

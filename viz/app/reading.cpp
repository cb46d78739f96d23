#include "ringlab/viz/app/reading.hpp"

#include <algorithm>

#include "ringlab/lessons/course/course.hpp"
#include "ringlab/lessons/course/files.hpp"
#include "ringlab/reference/core/error.hpp"

namespace ringlab::viz {

std::vector<LessonCard> lesson_cards(const ReadingProgress& progress) {
  std::vector<LessonCard> cards;
  for (const course::Lesson& lesson : course::lessons()) {
    cards.push_back({lesson.number, lesson.title, lesson.minutes,
                     progress.has_read && progress.has_read(lesson.number)});
  }
  return cards;
}

void open_lesson(Reading& reading, int number, const SceneOfCommand& scene_of_command) {
  const course::Lesson& lesson = course::lesson(number);
  PageSource source;
  source.page = course::parse_page(course::whole_page(lesson));
  static const std::vector<course::Term> glossary = course::glossary();
  for (const course::Term& term : glossary) {
    // What a later lesson defines has no meaning here yet.
    if (term.lesson <= number) source.terms.push_back({term.term, term.sentence});
  }
  for (const course::Block& block : source.page.blocks) {
    for (const std::string& line : block.lines) {
      const bool known =
          std::find(source.commands.begin(), source.commands.end(), line) != source.commands.end();
      if (line.rfind("$ ", 0) == 0 && !known && scene_of_command && scene_of_command(line))
        source.commands.push_back(line);
    }
  }
  reading.open = number;
  reading.folder = lesson.folder;
  reading.title = lesson.title;
  reading.source = std::move(source);
  reading.key = {};
  reading.sideways.clear();
  reading.story.reset();
  reading.link = -1;
}

Scenario lesson_scenario(const std::string& folder, const std::string& file) {
  const std::string name = folder + "/" + file;
  if (!has_course_file(name)) {
    throw InputError("link", name, "a lesson links to scenarios in its own folder");
  }
  return parse_scenario(std::string(course_file(name)), name);
}

}  // namespace ringlab::viz

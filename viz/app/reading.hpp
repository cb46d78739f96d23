// What the app keeps of the lesson that is read: its page, set in type, and whose scene is shown.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "ringlab/viz/app/scene_of_command.hpp"
#include "ringlab/viz/panels/lesson_panel.hpp"

namespace ringlab::viz {

/// Which lessons a person has read. Either may be empty.
struct ReadingProgress {
  std::function<bool(int lesson)> has_read;
  std::function<void(int lesson)> set_read;
};

struct Reading {
  int open = 0;  // number of the lesson; 0: the list
  std::vector<LessonCard> lessons;
  std::string folder, title;  // of the open one
  PageSource source;

  // The page holds until what it was made of changes.
  struct Key {
    int lesson = 0;
    float width = 0, scale = 0;
    const ImFont* font = nullptr;
    bool operator==(const Key&) const = default;
  };
  Key key;
  PageLayout layout;
  std::map<std::size_t, float> sideways;

  // The scene that a link or a command has set, as long as it stands.
  std::weak_ptr<const Story> story;
  std::string file;      // of the scene
  std::string scene_of;  // what its title is: the lesson
  int link = -1;
};

/// The lessons of the course, and which of them have been read.
std::vector<LessonCard> lesson_cards(const ReadingProgress& progress);

/// Opens a lesson: its page, its terms, its commands. Throws InputError for a number without one.
void open_lesson(Reading& reading, int number, const SceneOfCommand& scene_of_command);

/// The scene of a file in a lesson's folder. Throws InputError for one that is not there.
Scenario lesson_scenario(const std::string& folder, const std::string& file);

}  // namespace ringlab::viz

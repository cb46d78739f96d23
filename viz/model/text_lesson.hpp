// The words of the lesson pane; the lessons themselves are the course's.
#pragma once

#include <map>
#include <string>

namespace ringlab::viz {

/// Adds the English texts under "ui.lesson.", and the names of the pane and its key.
void add_lesson_texts(std::map<std::string, std::string, std::less<>>& table);

}  // namespace ringlab::viz

// A page for a terminal: wrapped to a width, with colours or without.
#pragma once

#include <string>

namespace ringlab::course {

struct Paper {
  int width = 80;
  bool colours = false;
  int lesson = 0;  // that the page is of: pictures say how to open it
};

/// What parse_page() knows, as lines. Code and tables are never wrapped; a link is its words, a
/// picture a line that says what it shows.
std::string render(const std::string& markdown, const Paper& paper);

}  // namespace ringlab::course

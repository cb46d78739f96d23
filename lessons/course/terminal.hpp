// Markdown for a terminal: wrapped to a width, with colours or without.
#pragma once

#include <string>

namespace ringlab::course {

struct Paper {
  int width = 80;
  bool colours = false;
};

/// Headings, paragraphs, lists, quotes, tables and fenced code; within a line `code`, **strong**
/// and
/// [[term]]. Code and tables are never wrapped.
std::string render(const std::string& markdown, const Paper& paper);

}  // namespace ringlab::course

// A lesson's page set in type for a width: where each piece of each line stands, in which font.
// Made once and drawn many times; it changes only with the page, the width and the fonts.
#pragma once

#include <string>
#include <vector>

#include "ringlab/lessons/course/page.hpp"
#include "ringlab/viz/panels/draw.hpp"

namespace ringlab::viz {

/// A piece of one line. Positions are from the page's upper left corner.
struct TextRun {
  enum class Ink { text, muted, command };
  std::string text;
  ImVec2 at;
  float width = 0;
  ImFont* font = nullptr;
  Ink ink = Ink::text;
  bool code = false;     // on a ground of its own
  bool slanted = false;  // emphasis
  int link = -1;         // index in course::Page::links
  int term = -1;         // index in the glossary that was handed in
};

/// Ground behind text: a quote with its bar, a table's head.
struct PageBox {
  enum class Kind { quote, rule, bullet, picture };
  Kind kind = Kind::quote;
  Rect rect;
  int link = -1;  // of a picture
};

/// Code, or a table that is wider than the page: it scrolls sideways within its rectangle.
struct WideBlock {
  Rect rect;        // with its padding
  float width = 0;  // of its content
  bool ground = true;
  std::vector<TextRun> runs;  // positions from the page's corner, before scrolling
  /// Commands that are a scene: index in PageSource::commands, and where the button stands.
  struct Show {
    int command;
    Rect place;
  };
  std::vector<Show> shows;
};

struct PageLayout {
  std::vector<TextRun> runs;
  std::vector<PageBox> boxes;
  std::vector<WideBlock> blocks;
  float height = 0;
};

/// A term of the glossary: its tooltip is `sentence`.
struct PageTerm {
  std::string term, sentence;
};

/// What is set in type.
struct PageSource {
  course::Page page;
  std::vector<PageTerm> terms;  // known up to this lesson
  /// Commands of the page ("$ ..." lines of code, in order) that are scenes.
  std::vector<std::string> commands;
};

/// The first use of a term after each heading is marked besides its definition.
PageLayout set_page(const Fonts& fonts, float scale, std::string_view show_label,
                    const PageSource& source, float width);

}  // namespace ringlab::viz

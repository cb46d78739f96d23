// A lesson's Markdown, read once: blocks of spans. The terminal and the picture draw the same page.
#pragma once

#include <string>
#include <vector>

namespace ringlab::course {

/// A scene that a text links to: "scenario.json#hop=3:arrive,rank=2,tab=proof" is a file in the
/// lesson's folder, a moment as `ringlab viz --at` takes it, and an inspector.
struct SceneLink {
  std::string file;    // scenario.json
  std::string moment;  // "hop=3:arrive,rank=2"; may be empty
  std::string tab;     // "softmax", "balance", "proof", "race", or empty
  bool operator==(const SceneLink&) const = default;
};

/// A piece of a line in one look; words may begin in one span and end in the next.
struct Span {
  std::string text;
  bool code = false;      // `x`
  bool strong = false;    // **x**
  bool emphasis = false;  // *x*
  bool term = false;      // [[x]], where it is defined
  int link = -1;          // [x](target): index in Page::links
};
using Spans = std::vector<Span>;

struct Block {
  enum class Kind { heading, paragraph, item, quote, code, table, picture };
  Kind kind = Kind::paragraph;
  int blank_lines = 0;                   // before it
  int level = 0;                         // of a heading, from 1
  std::string marker;                    // of a list's item: "- ", "12. "
  Spans spans;                           // not of code and tables; of a picture: what to see
  std::vector<std::string> lines;        // of code
  std::vector<std::vector<Spans>> rows;  // of a table; the first is its head
  std::string picture;                   // its file
  int link = -1;                         // of a picture
};

struct Page {
  std::vector<Block> blocks;
  std::vector<SceneLink> links;
  int blank_lines = 0;  // at the end
};

/// Headings, paragraphs, lists, quotes, tables, fenced code and, alone on their line, pictures
/// ([![what to see](file)](scene)). A mark that is never closed holds to the end of its block.
Page parse_page(const std::string& markdown);

/// The words alone.
std::string plain_text(const Spans& spans);

/// Reads a link's target; parts of the fragment other than the tab are the moment.
SceneLink parse_scene_link(const std::string& target);

}  // namespace ringlab::course

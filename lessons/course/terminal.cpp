#include "ringlab/lessons/course/terminal.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "ringlab/lessons/course/page.hpp"

namespace ringlab::course {
namespace {

struct Style {
  const char *on, *off;
};
constexpr Style kStrong{"\x1b[1m", "\x1b[22m"}, kCode{"\x1b[36m", "\x1b[39m"},
    kItalic{"\x1b[3m", "\x1b[23m"}, kDim{"\x1b[2m", "\x1b[22m"}, kHeading{"\x1b[1;4m", "\x1b[0m"};

// Columns of UTF-8 text: every byte that begins a character.
int columns(const std::string& text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// A word with its styles, and its width without them.
struct Word {
  std::string text;
  int width = 0;
};

class Printer {
 public:
  explicit Printer(const Paper& paper) : paper_(paper) {}

  std::string print(const Page& page) {
    for (const Block& block : page.blocks) {
      for (int i = 0; i < block.blank_lines; ++i) put("");
      print(block);
    }
    for (int i = 0; i < page.blank_lines; ++i) put("");
    return std::move(out_);
  }

 private:
  void print(const Block& block) {
    switch (block.kind) {
      case Block::Kind::heading:
        return heading(block.spans);
      case Block::Kind::paragraph:
        return paragraph(words(block.spans), "", "");
      case Block::Kind::item:
        return paragraph(words(block.spans), "  " + block.marker,
                         std::string(2 + block.marker.size(), ' '));
      case Block::Kind::quote:
        return paragraph(words(block.spans), "  | ", "  | ");
      case Block::Kind::code:
        for (const std::string& line : block.lines) {
          put("    " + styled(line, line.rfind("$ ", 0) == 0 ? kStrong : kDim));
        }
        return;
      case Block::Kind::table:
        return table(block.rows);
      case Block::Kind::picture: {
        Spans spans = block.spans;
        spans.insert(spans.begin(), {.text = "picture: "});
        if (paper_.lesson > 0) {
          spans.push_back(
              {.text = " (ringlab lesson " + std::to_string(paper_.lesson) + " --open)"});
        }
        return paragraph(words(spans), "", "");
      }
    }
  }

  std::string styled(const std::string& text, Style style) const {
    return paper_.colours ? style.on + text + style.off : text;
  }

  // Without colours code and emphasis keep their marks.
  void change(Word& word, bool from, bool to, Style style, char mark) const {
    if (from == to) return;
    if (paper_.colours) {
      word.text += to ? style.on : style.off;
    } else if (mark != 0) {
      word.text += mark;
      ++word.width;
    }
  }

  // What ends, ends in the order in which it would have begun last.
  void change(Word& word, const Span& from, const Span& to) const {
    const bool was_strong = from.strong || from.term, is_strong = to.strong || to.term;
    if (!to.code) change(word, from.code, to.code, kCode, '`');
    if (!to.emphasis) change(word, from.emphasis, to.emphasis, kItalic, '*');
    change(word, was_strong, is_strong, kStrong, 0);
    if (to.emphasis) change(word, from.emphasis, to.emphasis, kItalic, '*');
    if (to.code) change(word, from.code, to.code, kCode, '`');
  }

  // A span keeps its style across words; code has no place to break.
  std::vector<Word> words(const Spans& spans) const {
    std::vector<Word> list;
    Word word;
    const auto finish = [&] {
      if (!word.text.empty()) list.push_back(word);
      word = {};
    };
    Span before;
    for (const Span& span : spans) {
      change(word, before, span);
      for (const char c : span.text) {
        if (c == ' ' && !span.code) {
          finish();
        } else {
          word.text += c;
          word.width += (c & 0xc0) != 0x80;
        }
      }
      before = span;
    }
    change(word, before, {});
    finish();
    return list;
  }

  void paragraph(const std::vector<Word>& list, const std::string& first, const std::string& rest) {
    std::string line = first;
    int used = columns(first);
    bool empty = true;
    for (const Word& word : broken(list, paper_.width - columns(rest))) {
      if (!empty && used + 1 + word.width > paper_.width) {
        put(line);
        line = rest;
        used = columns(rest);
        empty = true;
      }
      if (!empty) {
        line += ' ';
        ++used;
      }
      line += word.text;
      used += word.width;
      empty = false;
    }
    if (!empty) put(line);
  }

  void heading(const Spans& spans) {
    std::string line;
    for (const Word& word : words(spans)) {
      if (!line.empty() && columns(line) + 1 + word.width > paper_.width) {
        put(styled(line, kHeading));
        line.clear();
      }
      line += (line.empty() ? "" : " ") + word.text;
    }
    put(styled(line, kHeading));
  }

  // A cell on one line.
  Word cell(const Spans& spans) const {
    Word whole;
    for (const Word& word : words(spans)) {
      if (!whole.text.empty()) whole.text += ' ', ++whole.width;
      whole.text += word.text;
      whole.width += word.width;
    }
    return whole;
  }

  void table(const std::vector<std::vector<Spans>>& rows) {
    std::vector<std::vector<Word>> cells;
    std::vector<int> widths;
    for (const std::vector<Spans>& row : rows) {
      std::vector<Word>& line = cells.emplace_back();
      for (const Spans& spans : row) line.push_back(cell(spans));
      widths.resize(std::max(widths.size(), line.size()), 0);
      for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].width);
    }
    for (std::size_t r = 0; r < cells.size(); ++r) {
      std::string line;
      for (std::size_t c = 0; c < cells[r].size(); ++c) {
        std::string text = cells[r][c].text;
        if (c + 1 < cells[r].size()) {
          text += std::string(static_cast<std::size_t>(widths[c] - cells[r][c].width), ' ');
        }
        line += "  " + (r == 0 ? styled(text, kStrong) : text);
      }
      put(line);
    }
  }

  // A command stays on one line where it can; one that is wider than the page breaks at its spaces.
  static std::vector<Word> broken(const std::vector<Word>& list, int width) {
    std::vector<Word> out;
    for (const Word& word : list) {
      if (word.width <= width) {
        out.push_back(word);
        continue;
      }
      std::istringstream in(word.text);
      for (std::string part; in >> part;) {
        const std::size_t styles = part.find('\x1b');
        out.push_back({part, styles == std::string::npos ? columns(part) : 1});
      }
    }
    return out;
  }

  void put(const std::string& line) { out_ += line + "\n"; }

  Paper paper_;
  std::string out_;
};

}  // namespace

std::string render(const std::string& markdown, const Paper& paper) {
  return Printer(paper).print(parse_page(markdown));
}

}  // namespace ringlab::course

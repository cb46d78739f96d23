#include "ringlab/lessons/course/terminal.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace ringlab::course {
namespace {

struct Style {
  const char *on, *off;
};
constexpr Style kStrong{"\x1b[1m", "\x1b[22m"}, kCode{"\x1b[36m", "\x1b[39m"},
    kItalic{"\x1b[3m", "\x1b[23m"}, kDim{"\x1b[2m", "\x1b[22m"}, kHeading{"\x1b[1;4m", "\x1b[0m"};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Columns of UTF-8 text: every byte that begins a character.
int columns(const std::string& text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string stretch(const std::string& text, int width) {
  return text + std::string(static_cast<std::size_t>(std::max(0, width - columns(text))), ' ');
}

// A word with its styles, and its width without them.
struct Word {
  std::string text;
  int width = 0;
};

class Page {
 public:
  explicit Page(const Paper& paper) : paper_(paper) {}

  std::string styled(const std::string& text, Style style) const {
    return paper_.colours ? style.on + text + style.off : text;
  }

  // Marks within a line become styles; a span keeps its style across words.
  std::vector<Word> words(const std::string& text) const {
    std::vector<Word> list;
    Word word;
    bool code = false, strong = false, italic = false;
    const auto toggle = [&](bool& state, Style style) {
      state = !state;
      if (paper_.colours) word.text += state ? style.on : style.off;
    };
    const auto finish = [&] {
      if (!word.text.empty()) list.push_back(word);
      word = {};
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::string two = text.substr(i, 2);
      if (text[i] == '`') {
        toggle(code, kCode);
        if (!paper_.colours) add(word, '`');
      } else if (!code && (two == "**" || two == "[[" || two == "]]")) {
        toggle(strong, kStrong);
        ++i;
      } else if (!code && text[i] == '*' && opens_or_closes(text, i, italic)) {
        toggle(italic, kItalic);
        if (!paper_.colours) add(word, '*');
      } else if (text[i] == ' ' && !code) {
        finish();
      } else {
        add(word, text[i]);
      }
    }
    finish();
    return list;
  }

  void paragraph(const std::string& text, const std::string& first, const std::string& rest) {
    std::string line = first;
    int used = columns(first);
    bool empty = true;
    for (const Word& word : broken(words(text), paper_.width - columns(rest))) {
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

  void heading(const std::string& text) {
    std::string line;
    for (const Word& word : words(text)) {
      if (!line.empty() && columns(line) + 1 + word.width > paper_.width) {
        put(styled(line, kHeading));
        line.clear();
      }
      line += (line.empty() ? "" : " ") + word.text;
    }
    put(styled(line, kHeading));
  }

  void table(const std::vector<std::string>& rows) {
    std::vector<std::vector<std::string>> cells;
    std::vector<int> widths;
    for (const std::string& row : rows) {
      if (row.find_first_not_of("|-: ") == std::string::npos) continue;
      std::vector<std::string> line;
      std::istringstream in(row.substr(1));
      for (std::string cell; std::getline(in, cell, '|');) {
        const std::size_t a = cell.find_first_not_of(' '), b = cell.find_last_not_of(' ');
        line.push_back(a == std::string::npos ? "" : cell.substr(a, b - a + 1));
      }
      widths.resize(std::max(widths.size(), line.size()), 0);
      for (std::size_t c = 0; c < line.size(); ++c)
        widths[c] = std::max(widths[c], columns(line[c]));
      cells.push_back(line);
    }
    for (std::size_t r = 0; r < cells.size(); ++r) {
      std::string line;
      for (std::size_t c = 0; c < cells[r].size(); ++c) {
        const std::string cell =
            c + 1 < cells[r].size() ? stretch(cells[r][c], widths[c]) : cells[r][c];
        line += (c == 0 ? "  " : "  ") + (r == 0 ? styled(cell, kStrong) : cell);
      }
      put(line);
    }
  }

  void put(const std::string& line) { out_ += line + "\n"; }
  std::string take() { return std::move(out_); }

 private:
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

  // A star that touches a word; one between spaces is a product.
  static bool opens_or_closes(const std::string& text, std::size_t i, bool inside) {
    if (inside) return i > 0 && text[i - 1] != ' ';
    return i + 1 < text.size() && text[i + 1] != ' ' && text.find('*', i + 1) != std::string::npos;
  }
  static void add(Word& word, char c) {
    word.text += c;
    word.width += (c & 0xc0) != 0x80;
  }

  Paper paper_;
  std::string out_;
};

bool starts(const std::string& line, const char* with) {
  return line.rfind(with, 0) == 0;
}

// "- " or "12. ": its length, or 0.
std::size_t bullet(const std::string& line) {
  if (starts(line, "- ")) return 2;
  const std::size_t digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string::npos && line.compare(digits, 2, ". ") == 0
             ? digits + 2
             : 0;
}

bool is_plain(const std::string& line) {
  return !line.empty() && !starts(line, "#") && !starts(line, "```") && !starts(line, "|") &&
         !starts(line, "> ") && bullet(line) == 0;
}

}  // namespace

std::string render(const std::string& markdown, const Paper& paper) {
  Page page(paper);
  const std::vector<std::string> lines = lines_of(markdown);
  // The text of this line and those that continue it.
  const auto joined = [&](std::size_t& i, std::string text) {
    while (i + 1 < lines.size() && is_plain(lines[i + 1])) text += " " + lines[++i];
    return text;
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (starts(line, "```")) {
      while (++i < lines.size() && !starts(lines[i], "```")) {
        const bool command = starts(lines[i], "$ ");
        page.put("    " + page.styled(lines[i], command ? kStrong : kDim));
      }
    } else if (starts(line, "#")) {
      page.heading(line.substr(line.find_first_not_of("# ")));
    } else if (starts(line, "|")) {
      std::vector<std::string> rows = {line};
      while (i + 1 < lines.size() && starts(lines[i + 1], "|")) rows.push_back(lines[++i]);
      page.table(rows);
    } else if (starts(line, "> ")) {
      std::string text = line.substr(2);
      while (i + 1 < lines.size() && starts(lines[i + 1], "> ")) text += " " + lines[++i].substr(2);
      page.paragraph(text, "  | ", "  | ");
    } else if (const std::size_t marker = bullet(line)) {
      const std::string text = joined(i, line.substr(marker));
      page.paragraph(text, "  " + line.substr(0, marker), std::string(2 + marker, ' '));
    } else if (line.empty()) {
      page.put("");
    } else {
      page.paragraph(joined(i, line), "", "");
    }
  }
  return page.take();
}

}  // namespace ringlab::course

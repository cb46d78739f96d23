#include "ringlab/lessons/course/page.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ringlab::course {
namespace {

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

bool is_picture(const std::string& line) {
  return starts(line, "![") || starts(line, "[![");
}

// A line that goes on with the paragraph or item before it.
bool continues(const std::string& line) {
  return !line.empty() && !starts(line, "#") && !starts(line, "```") && !starts(line, "|") &&
         !starts(line, "> ") && !is_picture(line) && bullet(line) == 0;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// A star that touches a word; one between spaces is a product.
bool is_emphasis(const std::string& text, std::size_t i, bool inside) {
  if (inside) return i > 0 && text[i - 1] != ' ';
  return i + 1 < text.size() && text[i + 1] != ' ' && text.find('*', i + 1) != std::string::npos;
}

class Reader {
 public:
  explicit Reader(const std::string& markdown) {
    std::istringstream in(markdown);
    for (std::string line; std::getline(in, line);) lines_.push_back(line);
  }

  Page read() {
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      if (lines_[at_].empty()) {
        ++page_.blank_lines;
        continue;
      }
      Block block = read_block();
      block.blank_lines = std::exchange(page_.blank_lines, 0);
      page_.blocks.push_back(std::move(block));
    }
    return std::move(page_);
  }

 private:
  Block read_block() {
    const std::string& line = lines_[at_];
    Block block;
    if (starts(line, "```")) {
      block.kind = Block::Kind::code;
      while (++at_ < lines_.size() && !starts(lines_[at_], "```")) {
        block.lines.push_back(lines_[at_]);
      }
    } else if (starts(line, "#")) {
      block.kind = Block::Kind::heading;
      const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
      block.level = static_cast<int>(marks);
      block.spans = spans(trimmed(line.substr(marks)));
    } else if (starts(line, "|")) {
      block.kind = Block::Kind::table;
      add_row(block, line);
      while (at_ + 1 < lines_.size() && starts(lines_[at_ + 1], "|")) add_row(block, lines_[++at_]);
    } else if (starts(line, "> ")) {
      block.kind = Block::Kind::quote;
      std::string text = line.substr(2);
      while (at_ + 1 < lines_.size() && starts(lines_[at_ + 1], "> ")) {
        text += " " + lines_[++at_].substr(2);
      }
      block.spans = spans(text);
    } else if (is_picture(line)) {
      read_picture(block, line);
    } else if (const std::size_t marker = bullet(line)) {
      block.kind = Block::Kind::item;
      block.marker = line.substr(0, marker);
      block.spans = spans(joined(line.substr(marker)));
    } else {
      block.spans = spans(joined(line));
    }
    return block;
  }

  // The text of this line and of those that go on with it.
  std::string joined(std::string text) {
    while (at_ + 1 < lines_.size() && continues(lines_[at_ + 1])) text += " " + lines_[++at_];
    return text;
  }

  void add_row(Block& block, const std::string& line) {
    if (line.find_first_not_of("|-: ") == std::string::npos) return;
    std::vector<Spans> row;
    std::istringstream in(line.substr(1));
    for (std::string cell; std::getline(in, cell, '|');) row.push_back(spans(trimmed(cell)));
    block.rows.push_back(std::move(row));
  }

  // ![words](file) or [![words](file)](target); what is not well formed is a paragraph.
  void read_picture(Block& block, const std::string& line) {
    const std::size_t begin = line.find("![") + 2, middle = line.find("](", begin);
    const std::size_t end = middle == std::string::npos ? middle : line.find(')', middle);
    if (end == std::string::npos) {
      block.spans = spans(line);
      return;
    }
    block.kind = Block::Kind::picture;
    block.spans = spans(line.substr(begin, middle - begin));
    block.picture = line.substr(middle + 2, end - middle - 2);
    if (line.compare(end, 3, ")](") != 0) return;
    const std::size_t close = line.find(')', end + 3);
    if (close != std::string::npos) block.link = add_link(line.substr(end + 3, close - end - 3));
  }

  int add_link(const std::string& target) {
    page_.links.push_back(parse_scene_link(target));
    return static_cast<int>(page_.links.size()) - 1;
  }

  Spans spans(const std::string& text) {
    Spans found;
    Span now;
    const auto finish = [&] {
      if (!now.text.empty()) found.push_back(now);
      now.text.clear();
    };
    const auto toggle = [&](bool Span::*look) {
      finish();
      now.*look = !(now.*look);
    };
    std::size_t link_end = 0;  // where the target of the open link begins
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::string two = text.substr(i, 2);
      if (now.link >= 0 && i == link_end) {
        finish();
        now.link = -1;
        i = text.find(')', i);
      } else if (text[i] == '`') {
        toggle(&Span::code);
      } else if (now.code) {
        now.text += text[i];
      } else if (two == "**") {
        toggle(&Span::strong);
        ++i;
      } else if (two == "[[" || two == "]]") {
        toggle(&Span::term);
        ++i;
      } else if (text[i] == '*' && is_emphasis(text, i, now.emphasis)) {
        toggle(&Span::emphasis);
      } else if (const std::size_t end = now.link < 0 && text[i] == '[' ? link_at(text, i) : 0) {
        finish();
        now.link = add_link(text.substr(end + 2, text.find(')', end) - end - 2));
        link_end = end;
      } else {
        now.text += text[i];
      }
    }
    finish();
    return found;
  }

  // Where the "](" of a link that opens at `at` stands; 0 if none opens there.
  static std::size_t link_at(const std::string& text, std::size_t at) {
    const std::size_t close = text.find(']', at);
    if (close == std::string::npos || text.compare(close, 2, "](") != 0) return 0;
    return text.find(')', close) == std::string::npos ? 0 : close;
  }

  std::vector<std::string> lines_;
  std::size_t at_ = 0;
  Page page_;
};

}  // namespace

Page parse_page(const std::string& markdown) {
  return Reader(markdown).read();
}

std::string plain_text(const Spans& spans) {
  std::string text;
  for (const Span& span : spans) text += span.text;
  return text;
}

SceneLink parse_scene_link(const std::string& target) {
  const std::size_t hash = std::min(target.find('#'), target.size());
  SceneLink link;
  link.file = target.substr(0, hash);
  if (hash == target.size()) return link;
  std::istringstream parts(target.substr(hash + 1));
  for (std::string part; std::getline(parts, part, ',');) {
    if (starts(part, "tab=")) {
      link.tab = part.substr(4);
    } else {
      link.moment += (link.moment.empty() ? "" : ",") + part;
    }
  }
  return link;
}

}  // namespace ringlab::course

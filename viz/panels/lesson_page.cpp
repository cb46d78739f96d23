#include "ringlab/viz/panels/lesson_page.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace ringlab::viz {
namespace {

using course::Block;
using course::Span;
using course::Spans;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || (c & 0x80) != 0;
}

// Columns of UTF-8 text.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// A span with what its look needs.
struct Piece {
  std::string text;
  ImFont* font;
  TextRun::Ink ink = TextRun::Ink::text;
  bool code = false, slanted = false;
  int link = -1, term = -1;
};

// Text between two places to break: parts of pieces that belong together.
struct Word {
  struct Part {
    std::size_t piece;
    std::string_view text;
    float width;
  };
  std::vector<Part> parts;
  float width = 0;
  float space = 0;  // before it, if it does not begin a line
};

class Setter {
 public:
  Setter(const Fonts& fonts, float scale, std::string_view show, const PageSource& source,
         float width)
      : fonts_(fonts), scale_(scale), show_(show), source_(source), width_(width) {
    for (const PageTerm& term : source.terms) terms_.push_back(lower(term.term));
  }

  PageLayout set() {
    const std::vector<Block>& blocks = source_.page.blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const Block* before = i == 0 ? nullptr : &blocks[i - 1];
      if (before != nullptr) y_ += gap(*before, blocks[i]);
      const bool small = before != nullptr && before->kind == Block::Kind::heading &&
                         before->level == 1;  // what the lesson takes
      set(blocks[i], small);
    }
    layout_.height = y_;
    return std::move(layout_);
  }

 private:
  float px(float size) const { return std::round(size * scale_); }

  float gap(const Block& before, const Block& block) const {
    using Kind = Block::Kind;
    if (block.kind == Kind::heading) return px(24);
    if (before.kind == Kind::heading) return px(before.level == 1 ? 4 : 8);
    if (before.kind == Kind::item && block.kind == Kind::item) return px(5);
    return px(12);
  }

  void set(const Block& block, bool small) {
    switch (block.kind) {
      case Block::Kind::heading: {
        marked_.clear();
        ImFont* font = block.level == 1 ? fonts_.display : fonts_.heading;
        paragraph(pieces(block.spans, font), 0, width_, font);
        return;
      }
      case Block::Kind::paragraph: {
        auto list = pieces(block.spans, small ? fonts_.small : fonts_.body);
        if (small) {
          for (Piece& piece : list) piece.ink = TextRun::Ink::muted;
        }
        paragraph(list, 0, width_, small ? fonts_.small : fonts_.body);
        return;
      }
      case Block::Kind::item:
        return item(block);
      case Block::Kind::quote: {
        const float pad = px(10), bar = px(3), top = y_;
        y_ += pad;
        paragraph(pieces(block.spans, fonts_.body), bar + pad, width_ - pad, fonts_.body);
        y_ += pad;
        layout_.boxes.push_back({PageBox::Kind::quote, {0, top, width_, y_}, -1});
        return;
      }
      case Block::Kind::code:
        return code(block.lines);
      case Block::Kind::table:
        return table(block.rows);
      case Block::Kind::picture: {
        // The scene itself stands beside the page, so its picture is the way to it.
        const float pad = px(10), mark = px(18), top = y_;
        y_ += pad;
        auto list = pieces(block.spans, fonts_.body);
        paragraph(list, pad + (block.link >= 0 ? mark : 0), width_ - pad, fonts_.body);
        y_ += pad;
        layout_.boxes.push_back({PageBox::Kind::picture, {0, top, width_, y_}, block.link});
        return;
      }
    }
  }

  void item(const Block& block) {
    const float indent = px(22);
    if (block.marker == "- ") {
      const float middle = std::round(y_ + fonts_.body->Ascent * 0.68f);
      layout_.boxes.push_back(
          {PageBox::Kind::bullet, {px(7), middle - px(2), px(11), middle + px(2)}, -1});
    } else {
      const std::string number = block.marker.substr(0, block.marker.size() - 1);
      const float wide = text_size(fonts_.body, number).x;
      layout_.runs.push_back({.text = number,
                              .at = {std::max(0.0f, indent - px(6) - wide), y_},
                              .width = wide,
                              .font = fonts_.body,
                              .ink = TextRun::Ink::muted});
    }
    paragraph(pieces(block.spans, fonts_.body), indent, width_, fonts_.body);
  }

  // --- Spans to pieces ---------------------------------------------------------------------------

  std::vector<Piece> pieces(const Spans& spans, ImFont* font) {
    std::vector<Piece> list;
    for (const Span& span : spans) {
      Piece piece{span.text, font};
      const bool plain_font = font == fonts_.body || font == fonts_.small;
      if (span.code && plain_font) piece.font = fonts_.mono, piece.code = true;
      if ((span.strong || span.term) && plain_font && !span.code) piece.font = fonts_.strong;
      piece.slanted = span.emphasis && !span.code;
      piece.link = span.link;
      if (span.term) {
        piece.term = term_named(lower(span.text));
        marked_.insert(piece.term);
      }
      if (font == fonts_.body && !span.code && !span.term && span.link < 0 && !span.strong) {
        add_with_terms(list, piece);
      } else {
        list.push_back(std::move(piece));
      }
    }
    return list;
  }

  int term_named(const std::string& name) const {
    const auto found = std::find(terms_.begin(), terms_.end(), name);
    return found == terms_.end() ? -1 : static_cast<int>(found - terms_.begin());
  }

  // Splits a piece at the first use of each term that is not marked yet in this section.
  void add_with_terms(std::vector<Piece>& list, const Piece& piece) {
    const std::string text = lower(piece.text);
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (!is_letter(text[at]) || (at > 0 && is_letter(text[at - 1]))) continue;
      std::size_t length = 0;
      int best = -1;
      for (std::size_t i = 0; i < terms_.size(); ++i) {
        const std::string& term = terms_[i];
        if (term.size() <= length || marked_.count(static_cast<int>(i)) > 0) continue;
        if (text.compare(at, term.size(), term) != 0) continue;
        std::size_t end = at + term.size();
        if (end < text.size() && text[end] == 's') ++end;
        if (end < text.size() && is_letter(text[end])) continue;
        length = end - at;
        best = static_cast<int>(i);
      }
      if (best < 0) continue;
      marked_.insert(best);
      const auto add = [&](std::size_t from, std::size_t to, int term) {
        if (from == to) return;
        Piece part = piece;
        part.text = piece.text.substr(from, to - from);
        part.term = term;
        list.push_back(std::move(part));
      };
      add(done, at, -1);
      add(at, at + length, best);
      done = at + length;
      at = done - 1;
    }
    if (done < piece.text.size()) {
      Piece rest = piece;
      rest.text = piece.text.substr(done);
      list.push_back(std::move(rest));
    }
  }

  // --- Lines -------------------------------------------------------------------------------------

  static std::vector<Word> words_of(const std::vector<Piece>& list) {
    std::vector<Word> words;
    Word word;
    float space = 0;
    for (std::size_t p = 0; p < list.size(); ++p) {
      const std::string_view text = list[p].text;
      for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ' ') {
          if (!word.parts.empty()) words.push_back(std::exchange(word, {}));
          space = text_size(list[p].font, " ").x;
          ++at;
          continue;
        }
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string_view part = text.substr(at, end - at);
        const float width = text_size(list[p].font, part).x;
        if (word.parts.empty()) word.space = std::exchange(space, 0);
        word.parts.push_back({p, part, width});
        word.width += width;
        at = end;
      }
    }
    if (!word.parts.empty()) words.push_back(std::move(word));
    return words;
  }

  // Lines of pieces between x0 and x1 from y_ on; moves y_ behind them.
  void paragraph(const std::vector<Piece>& list, float x0, float x1, const ImFont* base) {
    put_lines(layout_.runs, list, x0, x1, base);
  }

  // All fonts of a line stand on the line of `base`.
  void put_lines(std::vector<TextRun>& runs, const std::vector<Piece>& list, float x0, float x1,
                 const ImFont* base) {
    const float step = leading(base);
    const float room = std::max(1.0f, x1 - x0);
    float x = x0;
    bool begun = false;
    std::size_t last_piece = list.size();
    const char* last_end = nullptr;
    const auto new_line = [&] {
      y_ += step;
      x = x0;
      begun = false;
      last_piece = list.size();
    };
    const auto put = [&](std::size_t p, std::string_view text, float width) {
      const Piece& piece = list[p];
      if (p == last_piece && begun) {
        // The same piece goes on: one run, with the space between.
        TextRun& run = runs.back();
        run.text.append(last_end, static_cast<std::size_t>(text.data() + text.size() - last_end));
        run.width = text_size(piece.font, run.text).x;
        x = run.at.x + run.width;
      } else {
        const float drop = std::round(base->Ascent - piece.font->Ascent);
        runs.push_back({.text = std::string(text),
                        .at = {x, y_ + drop},
                        .width = width,
                        .font = piece.font,
                        .ink = piece.ink,
                        .code = piece.code,
                        .slanted = piece.slanted,
                        .link = piece.link,
                        .term = piece.term});
        x += width;
      }
      last_piece = p;
      last_end = text.data() + text.size();
      begun = true;
    };
    for (const Word& word : words_of(list)) {
      // Half a pixel: positions are rounded when they are drawn.
      if (begun && x + word.space + word.width > x0 + room - 0.5f) new_line();
      if (begun && word.parts.front().piece != last_piece) x += word.space;
      for (const Word::Part& part : word.parts) {
        std::string_view text = part.text;
        float width = part.width;
        while (x + width > x0 + room - 0.5f && text.size() > 1) {
          // Wider than the line: as many letters as fit, but at least one.
          const std::size_t fits =
              letters_within(list[part.piece].font, text, x0 + room - x, !begun);
          if (fits == text.size()) break;
          if (fits > 0) {
            const std::string_view head = text.substr(0, fits);
            put(part.piece, head, text_size(list[part.piece].font, head).x);
          }
          new_line();
          text.remove_prefix(fits);
          width = text_size(list[part.piece].font, text).x;
        }
        put(part.piece, text, width);
      }
    }
    y_ += step;
  }

  static std::size_t letters_within(ImFont* font, std::string_view text, float room,
                                    bool at_least_one) {
    std::size_t fits = 0;
    for (std::size_t end = 1; end <= text.size(); ++end) {
      if (end < text.size() && (text[end] & 0xc0) == 0x80) continue;
      const bool forced = fits == 0 && at_least_one;
      if (!forced && text_size(font, text.substr(0, end)).x > room - 0.5f) break;
      fits = end;
    }
    return fits;
  }

  // --- Code and tables ---------------------------------------------------------------------------

  void code(const std::vector<std::string>& lines) {
    const float pad = px(10), room = width_ - 2 * pad;
    WideBlock block;
    block.rect = {0, y_, width_, y_};
    y_ += pad;
    const auto is_command = [](const std::string& line) { return line.rfind("$ ", 0) == 0; };
    // The larger font if every line fits in it.
    bool commands = false;
    std::size_t widest = 0;
    for (const std::string& line : lines) {
      is_command(line) ? commands = true : widest = std::max(widest, columns(line));
    }
    const float letter = text_size(fonts_.mono, "m").x;
    ImFont* font = static_cast<float>(widest) * letter <= room ? fonts_.mono : fonts_.mono_small;
    const TextRun::Ink ink = commands ? TextRun::Ink::muted : TextRun::Ink::text;
    block.width = room;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (is_command(lines[i])) {
        if (i > 0) y_ += px(6);
        command_line(block, lines[i], pad, room);
        y_ += px(2);
      } else {
        output_line(block, lines[i], pad, room, font, ink);
      }
    }
    finish(std::move(block), pad, room);
  }

  // What a program has printed. A row of a table keeps its columns, and scrolls if it has to; a
  // sentence, or the last column if that is one, is wrapped.
  void output_line(WideBlock& block, const std::string& line, float pad, float room, ImFont* font,
                   TextRun::Ink ink) {
    constexpr std::size_t kSentence = 24, kLeast = 20;  // letters
    const auto add = [&](std::string_view text, float x) {
      if (text.find_first_not_of(' ') == std::string_view::npos) return;
      block.runs.push_back({.text = std::string(text),
                            .at = {x, y_},
                            .width = text_size(font, text).x,
                            .font = font,
                            .ink = ink});
    };
    const float wide = text_size(font, line).x, letter = text_size(font, "m").x;
    std::size_t tail = std::min(line.find_first_not_of(' '), line.size());
    for (std::size_t at = tail; (at = line.find("  ", at)) != std::string::npos;) {
      at = std::min(line.find_first_not_of(' ', at), line.size());
      if (at < line.size()) tail = at;
    }
    const float indent = text_size(font, std::string_view(line).substr(0, tail)).x;
    const bool sentence = columns(std::string_view(line).substr(tail)) >= kSentence &&
                          room - indent >= static_cast<float>(kLeast) * letter;
    if (wide <= room || !sentence) {
      add(line, pad);
      block.width = std::max(block.width, std::ceil(wide));
      y_ += leading(font);
      return;
    }
    add(std::string_view(line).substr(0, tail), pad);
    std::vector<Piece> list{{line.substr(tail), font, ink}};
    put_lines(block.runs, list, pad + indent, pad + room, font);
  }

  // A command is wrapped at its spaces, and keeps clear of the button that shows its scene.
  void command_line(WideBlock& block, const std::string& line, float pad, float room) {
    const auto found = std::find(source_.commands.begin(), source_.commands.end(), line);
    float right = pad + room;
    if (found != source_.commands.end()) {
      const float width = px(22) + std::ceil(text_size(fonts_.small, show_).x);
      block.shows.push_back({static_cast<int>(found - source_.commands.begin()),
                             {right - width + px(4), y_ - px(3), right + px(4), y_ + px(17)}});
      right -= width + px(6);
    }
    const float indent = text_size(fonts_.mono, "  ").x;
    std::vector<Piece> list{{bound(line, right - indent - pad), fonts_.mono}};
    list[0].ink = TextRun::Ink::command;
    const float top = y_;
    std::vector<TextRun> runs;
    // What goes on in the next line is set in, so that the next command is seen as one.
    put_lines(runs, list, pad, right, fonts_.mono);
    if (runs.size() > 1) {
      runs.clear();
      y_ = top;
      put_lines(runs, list, pad, right - indent, fonts_.mono);
      for (std::size_t i = 1; i < runs.size(); ++i) runs[i].at.x += indent;
    }
    for (TextRun& run : runs) block.runs.push_back(std::move(run));
  }

  // The command with a flag and its value held together, where both fit on one line.
  std::string bound(const std::string& line, float room) const {
    std::string text = line;
    for (std::size_t at = 0; (at = text.find(" --", at)) != std::string::npos;) {
      const std::size_t value = text.find(' ', ++at);
      if (value == std::string::npos || text.compare(value, 3, " --") == 0) continue;
      const std::size_t end = std::min(text.find(' ', value + 1), text.size());
      const std::string_view both = std::string_view(text).substr(at, end - at);
      if (text_size(fonts_.mono, both).x < room - 1) text.replace(value, 1, "\u00a0");
    }
    return text;
  }

  void finish(WideBlock block, float pad, float room) {
    // Room for the bar that scrolls.
    y_ += block.width > room + 0.5f ? pad + px(6) : pad;
    block.rect.y1 = y_;
    layout_.blocks.push_back(std::move(block));
  }

  // Cells are wrapped; a table that cannot be narrow enough scrolls.
  void table(const std::vector<std::vector<Spans>>& rows) {
    if (rows.empty()) return;
    std::size_t count = 0;
    for (const auto& row : rows) count = std::max(count, row.size());
    if (count == 0) return;
    const float between = px(16);
    std::vector<float> least(count, px(12)), natural(count, px(12));
    std::vector<std::vector<std::vector<Piece>>> cells;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      auto& line = cells.emplace_back();
      for (std::size_t c = 0; c < rows[r].size(); ++c) {
        line.push_back(pieces(rows[r][c], fonts_.body));
        if (r == 0) {
          for (Piece& piece : line.back()) {
            if (!piece.code) piece.font = fonts_.strong;
          }
        }
        float whole = 0;
        for (const Word& word : words_of(line.back())) {
          least[c] = std::max(least[c], std::ceil(word.width) + 1);
          whole += word.space + word.width;
        }
        natural[c] = std::max(natural[c], std::ceil(whole) + 1);
      }
    }
    const auto sum = [&](const std::vector<float>& widths) {
      float total = between * static_cast<float>(count - 1);
      for (const float width : widths) total += width;
      return total;
    };
    std::vector<float> widths = natural;
    if (sum(natural) > width_) {
      // Each column gets what its longest word needs, and a like share of what it would want.
      const float spare = std::max(0.0f, width_ - sum(least)), want = sum(natural) - sum(least);
      for (std::size_t c = 0; c < count; ++c) {
        widths[c] = least[c] + (want > 0 ? spare * (natural[c] - least[c]) / want : 0);
      }
    }
    WideBlock block;
    block.ground = false;
    block.rect = {0, y_, width_, y_};
    block.width = std::max(sum(widths) - 0.5f, width_);
    for (std::size_t r = 0; r < cells.size(); ++r) {
      const float top = y_;
      float bottom = y_, x = 0;
      for (std::size_t c = 0; c < cells[r].size(); ++c) {
        y_ = top;
        put_lines(block.runs, cells[r][c], x, x + widths[c] + 1, fonts_.body);
        bottom = std::max(bottom, y_);
        x += widths[c] + between;
      }
      y_ = bottom + px(4);
      layout_.boxes.push_back({PageBox::Kind::rule, {0, y_, width_, y_}, -1});
      y_ += px(5);
    }
    finish(std::move(block), 0, width_);
  }

  const Fonts& fonts_;
  float scale_;
  std::string_view show_;
  const PageSource& source_;
  float width_;
  float y_ = 0;
  std::vector<std::string> terms_;  // in lower case
  std::set<int> marked_;            // terms, since the last heading
  PageLayout layout_;
};

}  // namespace

PageLayout set_page(const Fonts& fonts, float scale, std::string_view show_label,
                    const PageSource& source, float width) {
  return Setter(fonts, scale, show_label, source, width).set();
}

}  // namespace ringlab::viz

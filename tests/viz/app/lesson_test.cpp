// The lesson beside the picture: every page whole at every size, every link a scene and a moment of
// it, and all of it within a person's reach.
#include <cctype>
#include <map>
#include <set>

#include "headless_app.hpp"
#include "ringlab/lessons/course/course.hpp"
#include "ringlab/reference/core/error.hpp"

using namespace ringlab;
using namespace ringlab::viz;
using ringlab::viz::test::HeadlessApp;

namespace {

bool of_page(const std::string& pane) {
  return pane.rfind("lesson/page", 0) == 0 || pane.rfind("lesson/code", 0) == 0;
}

// How often each letter and digit stands in a text; other marks are no words.
std::map<char, int> letters(const std::string& text) {
  std::map<char, int> count;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) ++count[c];
  }
  return count;
}

// All that the page has written, wherever it stands.
std::string page_text(const Items& items) {
  std::string text;
  for (const Item& item : items.items()) {
    if (item.kind == Item::Kind::text &&
        of_page(items.panes()[static_cast<std::size_t>(item.pane)].id))
      text += item.id + " ";
  }
  return text;
}

std::string markdown_words(const std::string& markdown) {
  std::string words;
  for (const course::Block& block : course::parse_page(markdown).blocks) {
    words += block.marker + course::plain_text(block.spans) + " ";
    for (const std::string& line : block.lines) words += line + " ";
    for (const auto& row : block.rows) {
      for (const course::Spans& cell : row) words += course::plain_text(cell) + " ";
    }
  }
  return words;
}

std::string after(const std::string& text, const std::string& key) {
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size();
  return text.substr(begin, text.find_first_of(",:", begin) - begin);
}

}  // namespace

TEST_CASE("a page shows every word of its lesson once") {
  HeadlessApp h;
  for (const course::Lesson& lesson : course::lessons()) {
    INFO(lesson.folder);
    h.app.show_lesson(lesson.number, false);
    h.hands.frames(2);
    std::string wanted = markdown_words(course::whole_page(lesson));
    // The way to the next lesson stands below the page.
    for (const course::Lesson& other : course::lessons()) {
      if (other.number == lesson.number + 1)
        wanted += "Next: " + std::to_string(other.number) + ". " + other.title;
    }
    CHECK(letters(page_text(h.app.items())) == letters(wanted));
  }
}

TEST_CASE("every page is whole at every size") {
  HeadlessApp h;
  const std::pair<int, int> sizes[] = {{640, 480}, {1024, 640}, {1280, 800}, {2560, 1440}};
  for (const course::Lesson& lesson : course::lessons()) {
    h.app.show_lesson(lesson.number, false);
    for (const auto& [width, height] : sizes) {
      h.surface->resize(width, height);
      h.hands.frames(2);
      h.check_frame(lesson.folder + " at " + std::to_string(width) + "x" + std::to_string(height));
    }
  }
  // The list and one page at every other size, scale and theme.
  for (const int number : {0, 5}) {
    h.app.show_lesson(number, false);
    for (const auto& [width, height] :
         {std::pair(800, 600), std::pair(1023, 700), std::pair(1100, 640), std::pair(1366, 768),
          std::pair(1600, 900), std::pair(1920, 1080), std::pair(720, 1280)}) {
      for (const float scale : {0.6f, 1.0f, 1.6f, 3.0f}) {
        h.surface->resize(width, height);
        h.app.set_ui_scale(scale);
        h.app.set_theme(static_cast<ThemeKind>(width % kThemes));
        h.hands.frames(2);
        h.check_frame("lesson " + std::to_string(number) + " at " + std::to_string(width) + "x" +
                      std::to_string(height) + ", scale " + std::to_string(scale));
      }
    }
  }
}

TEST_CASE("what is too wide can be drawn to its end") {
  HeadlessApp h;
  int wide = 0;
  for (const int width : {1024, 1280}) {
    h.surface->resize(width, 800);
    for (const course::Lesson& lesson : course::lessons()) {
      h.app.show_lesson(lesson.number, false);
      h.hands.frames(2);
      const auto overhang = [&](const std::string& pane_id) {
        float most = 0;
        const Items& items = h.app.items();
        for (const Item& item : items.items()) {
          const Pane& pane = items.panes()[static_cast<std::size_t>(item.pane)];
          if (item.kind == Item::Kind::text && pane.id == pane_id)
            most = std::max(most, item.max.x - pane.max.x);
        }
        return most;
      };
      std::vector<std::string> blocks;
      for (const Item& item : h.app.items().items()) {
        if (item.kind == Item::Kind::control && item.id.rfind("lesson/code", 0) == 0)
          blocks.push_back(item.id);
      }
      for (const std::string& id : blocks) {
        INFO(lesson.folder << ", " << id);
        const float most = overhang(id);
        CHECK(most > 0);
        // Nothing of the page lies over a block but the buttons in it.
        const Item block = *h.app.items().find(id);
        for (const Item& item : h.app.items().items()) {
          const std::string& pane = h.app.items().panes()[static_cast<std::size_t>(item.pane)].id;
          const bool over = item.min.x < block.max.x && block.min.x < item.max.x &&
                            item.min.y < block.max.y - 1 && block.min.y < item.max.y - 1;
          if (item.kind == Item::Kind::text && pane.rfind("lesson/page", 0) == 0 && over)
            CHECK(item.id == "show");
        }
        // As much as is hidden and no more: a hair beyond is what rounding to pixels costs.
        h.hands.run("drag " + id + " -" + std::to_string(static_cast<int>(most) + 2) + " 0",
                    "drag.txt");
        CHECK(overhang(id) <= 1);
        CHECK(overhang(id) >= -2);
        ++wide;
      }
    }
  }
  CHECK(wide > 0);
}

TEST_CASE("every link of every lesson shows a moment of a scene, unchanged and without a fault") {
  HeadlessApp h;
  std::size_t links = 0;
  for (const course::Lesson& lesson : course::lessons()) {
    h.app.show_preset("causal-zigzag");
    h.app.show_lesson(lesson.number, false);
    const course::Page page = course::parse_page(course::whole_page(lesson));
    for (std::size_t i = 0; i < page.links.size(); ++i) {
      const course::SceneLink& link = page.links[i];
      INFO(lesson.folder << ": " << link.file << " " << link.moment << " " << link.tab);
      REQUIRE_NOTHROW(h.app.follow_link(static_cast<int>(i)));
      for (const Sentence& note : h.app.notes()) FAIL_CHECK(Texts::english().say(note));
      CHECK(h.app.toast().empty());
      CHECK(h.app.state().view.preset.empty());
      // What the link says, read in another way than the program reads it.
      const Playback& playback = h.app.playback();
      const auto& at = playback.breaks()[static_cast<std::size_t>(playback.break_index())];
      if (const std::string hop = after(link.moment, "hop="); !hop.empty())
        CHECK(std::to_string(at.hop) == hop);
      if (const std::string kind = after(link.moment, ":"); !kind.empty())
        CHECK(name(at.kind) == kind);
      const std::string rank = after(link.moment, "rank=");
      CHECK(std::to_string(h.app.state().view.focus_rank) == (rank.empty() ? "0" : rank));
      if (link.moment == "end") CHECK(playback.at_end());
      CHECK((h.app.tabs().bottom == 1) == (link.tab == "race"));
      const std::vector<std::string> tabs{"softmax", "balance", "proof"};
      const auto tab = std::find(tabs.begin(), tabs.end(), link.tab);
      if (tab != tabs.end()) CHECK(h.app.tabs().right == tab - tabs.begin());
      h.check_frame("beside a link");
      ++links;
    }
    CHECK_THROWS_AS(h.app.follow_link(static_cast<int>(page.links.size())), InputError);
  }
  CHECK(links >= 3);
}

TEST_CASE("a click on a link shows what it leads to, in three panes and in one") {
  HeadlessApp h;
  for (const int width : {1280, 800}) {
    h.surface->resize(width, 700);
    for (const course::Lesson& lesson : course::lessons()) {
      const std::size_t links = course::parse_page(course::whole_page(lesson)).links.size();
      // One pane at a time differs in where a link is drawn only: one of each page will do.
      for (std::size_t i = 0; i < (width == 1280 ? links : std::min<std::size_t>(links, 1)); ++i) {
        h.app.show_preset("plain");
        h.app.show_lesson(lesson.number, false);
        h.app.follow_link(static_cast<int>(i));
        const std::string wanted = h.app.copied();
        h.app.show_preset("plain");
        h.app.tabs().left = kLessonTab;
        INFO(lesson.folder << ", link " << i << " at " << width);
        REQUIRE(h.hands.click("lesson/link" + std::to_string(i)));
        CHECK(h.app.copied() == wanted);
        CHECK(h.app.lesson() == lesson.number);
        CHECK(h.app.tabs().left == kLessonTab);
        if (width == 800) CHECK(h.app.tabs().only == kLessonOnly);
      }
    }
  }
}

TEST_CASE("lessons are opened from the list and one after the other, and are remembered as read") {
  std::set<int> read{2};
  std::unique_ptr<Surface> surface = open_blind(1280, 800);
  AppOptions options = HeadlessApp::options_of("plain");
  options.reading = {.has_read = [&](int lesson) { return read.count(lesson) > 0; },
                     .set_read = [&](int lesson) { read.insert(lesson); }};
  App app(*surface, options);
  ScriptRunner hands(app, *surface, ".", ".");
  const ScriptResult result = hands.run(R"(
key p
expect lesson 0
expect text "1 of 15 lessons read"
click lesson/open5
expect lesson 5
expect text "5. The ring, hop by hop"
click lesson/next
expect lesson 6
click lesson/previous
click lesson/previous
expect lesson 4
click lesson/on
expect lesson 5
click lesson/list
expect lesson 0
expect text "4 of 15 lessons read"
lesson 1
expect item lesson/next
key p
expect no-item lesson/next
key p
expect lesson 1
key c
expect item scene/ranks
key p
expect item lesson/list
size 700 500
expect item lesson/list
key p
expect no-item lesson/list
tab lesson
expect item lesson/list
)",
                                        "tour.txt");
  for (const std::string& failure : result.failures) FAIL_CHECK(failure);
  CHECK(read == std::set<int>{1, 2, 4, 5, 6});
  CHECK_THROWS_AS(app.show_lesson(99), InputError);
  CHECK_THROWS_AS(app.show_lesson(-1), InputError);
}

TEST_CASE("a term tells what it means, where it is defined and where it is used") {
  HeadlessApp h;
  h.app.show_lesson(5, false);
  for (const course::Term& term : course::glossary()) {
    if (term.term != "ring" && term.term != "merge") continue;  // of lesson 5 and of lesson 3
    REQUIRE(h.hands.hover("lesson/term/" + term.term));
    h.hands.frames(2);
    bool told = false;
    for (const Item& item : h.app.items().items()) told = told || item.id == term.sentence;
    INFO(term.term);
    CHECK(told);
  }
  // A term of a later lesson is a plain word here.
  CHECK(h.app.items().find("lesson/term/bubble") == nullptr);
}

TEST_CASE("every lesson opens, with a scene of its own where it has one") {
  HeadlessApp h;
  for (const course::Lesson& lesson : course::lessons()) {
    h.app.show_preset("plain");
    h.app.show_lesson(lesson.number);
    INFO(lesson.folder);
    const course::Page page = course::parse_page(course::whole_page(lesson));
    const bool own = !page.links.empty() || !lesson.scenario.empty();
    CHECK(h.app.state().view.preset == (own ? "" : "plain"));
    CHECK(h.app.notes().empty());
    CHECK(h.app.toast().empty());
    h.check_frame(lesson.folder);
    const std::string opened = h.app.copied();
    if (page.links.empty()) continue;
    h.app.follow_link(0);
    CHECK(h.app.copied() == opened);
  }
}

TEST_CASE("every control of a page can be clicked") {
  HeadlessApp h;
  const auto show = [&] {
    h.app.show_preset("causal-zigzag");
    h.app.show_lesson(5, false);
    h.hands.frames(2);
  };
  show();
  std::set<std::string> ids;
  for (const Item& item : h.app.items().items()) {
    if (item.kind == Item::Kind::control && item.id.rfind("lesson/", 0) == 0) ids.insert(item.id);
  }
  CHECK(ids.size() > 8);
  for (const std::string& id : ids) {
    show();
    INFO(id);
    CHECK(h.hands.click(id));
    h.check_frame("after a click on " + id);
  }
}

TEST_CASE("a command that is a scene can be shown, others cannot") {
  std::unique_ptr<Surface> surface = open_blind(1280, 800);
  AppOptions options = HeadlessApp::options_of("plain");
  options.scene_of_command = [](const std::string& command) -> std::optional<SharedState> {
    if (command.find("--fault") != std::string::npos) return std::nullopt;
    SharedState state;
    state.scenario.ranks = command.find("--check") != std::string::npos ? 5 : 3;
    state.scenario.tokens = 30;
    return state;
  };
  App app(*surface, options);
  ScriptRunner hands(app, *surface, ".", ".");
  app.show_lesson(5, false);
  std::size_t commands = 0;
  std::set<std::string> seen;
  for (const course::Block& block :
       course::parse_page(course::whole_page(course::lesson(5))).blocks) {
    for (const std::string& line : block.lines) {
      if (line.rfind("$ ", 0) == 0 && line.find("--fault") == std::string::npos &&
          seen.insert(line).second)
        ++commands;
    }
  }
  REQUIRE(commands >= 2);
  // At 1024 points the buttons stand on ground that can be drawn sideways.
  for (const int width : {1280, 1024}) {
    surface->resize(width, 700);
    for (std::size_t i = 0; i < commands; ++i) {
      app.show_preset("plain");
      INFO(width << ", command " << i);
      CHECK(hands.click("lesson/show" + std::to_string(i)));
      CHECK((app.story().size() == 3 || app.story().size() == 5));
    }
  }
  CHECK(app.items().find("lesson/show" + std::to_string(commands)) == nullptr);
  for (const std::string& fault : frame_faults(app.items())) FAIL_CHECK(fault);
}

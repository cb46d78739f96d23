#include "ringlab/viz/app/script.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/viz/app/frame_faults.hpp"
#include "ringlab/viz/app/moment.hpp"
#include "ringlab/viz/app/picture_files.hpp"

namespace ringlab::viz {
namespace {

constexpr const char* kVerbs =
    "the verbs are size, preset, theme, scale, at, key, click, hover, drag, wheel, type, wait, "
    "paste, tab, lesson, predict, answer, shot, expect";

// Words between spaces; what stands in quotes is one word.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < line.size()) {
    if (line[at] == ' ' || line[at] == '\t' || line[at] == '\r') {
      ++at;
    } else if (line[at] == '#') {
      break;
    } else if (line[at] == '"') {
      const std::size_t end = std::min(line.find('"', at + 1), line.size());
      words.push_back(line.substr(at + 1, end - at - 1));
      at = end + 1;
    } else {
      const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
      words.push_back(line.substr(at, end - at));
      at = end;
    }
  }
  return words;
}

ImVec2 centre_of_item(const Item& item) {
  return {(item.min.x + item.max.x) / 2, (item.min.y + item.max.y) / 2};
}

const char* name(Overlay overlay) {
  return overlay == Overlay::help ? "help" : overlay == Overlay::scenes ? "scenes" : "none";
}

int hop_now(App& app) {
  const auto& breaks = app.playback().breaks();
  const int index = std::max(0, app.playback().break_index());
  return breaks.empty() ? 0 : breaks[static_cast<std::size_t>(index)].hop;
}

}  // namespace

ScriptRunner::ScriptRunner(App& app, Surface& surface, std::filesystem::path shots,
                           std::filesystem::path files)
    : app_(app), surface_(surface), shots_(std::move(shots)), files_(std::move(files)) {
  app_.items().recording = true;
}

void ScriptRunner::refuse(const std::string& what, const std::string& remedy) const {
  throw InputError("script", fmt::format("{}:{}: {}", source_, line_, what), remedy);
}

void ScriptRunner::check(bool good, const std::string& found) {
  if (!good) result_.failures.push_back(fmt::format("{}:{}: {}: {}", source_, line_, text_, found));
}

void ScriptRunner::frames(int count, double seconds) {
  for (int i = 0; i < count; ++i) app_.frame(seconds);
}

void ScriptRunner::press(Key key, bool control, bool shift) {
  compat::feed_modifiers(control, shift);
  if (control) compat::feed_key(Key::left_control, true);
  compat::feed_key(key, true);
  frames(1);
  compat::feed_key(key, false);
  if (control) compat::feed_key(Key::left_control, false);
  compat::feed_modifiers(false, false);
  frames(1);
}

bool ScriptRunner::bring_into_view(const std::string& id) {
  frames(1);
  for (int tries = 0; tries < 200; ++tries) {
    const Item* item = app_.items().find(id);
    if (item == nullptr) return false;
    const Pane& pane = app_.items().panes()[static_cast<std::size_t>(item->pane)];
    const ImVec2 at = centre_of_item(*item);
    if (!pane.scrolls || (at.y > pane.min.y + 1 && at.y < pane.max.y - 1)) return true;
    const ImVec2 middle{(pane.min.x + pane.max.x) / 2, (pane.min.y + pane.max.y) / 2};
    compat::feed_mouse(middle);
    frames(1);
    compat::feed_wheel(at.y >= pane.max.y - 1 ? -1.0f : 1.0f);
    frames(2);
  }
  return false;
}

bool ScriptRunner::hover(const std::string& id) {
  if (!bring_into_view(id)) return false;
  compat::feed_mouse(centre_of_item(*app_.items().find(id)));
  frames(2);
  return true;
}

bool ScriptRunner::click(const std::string& id) {
  if (!hover(id)) return false;
  compat::feed_button(0, true);
  frames(1);
  compat::feed_button(0, false);
  frames(1);
  // Away again, so that no tooltip stays in the next picture.
  compat::feed_mouse({-1, -1});
  frames(2);
  return true;
}

void ScriptRunner::type(const std::string& text) {
  for (const char c : text) compat::feed_character(static_cast<unsigned char>(c));
  frames(2);
  press(Key::enter);
}

void ScriptRunner::line(const std::vector<std::string>& words) {
  const std::string& verb = words[0];
  const auto need = [&](std::size_t count, const char* form) {
    if (words.size() != count) refuse(text_, std::string("write: ") + form);
  };
  const auto number = [&](const std::string& word) {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value))
      refuse(text_, "'" + word + "' is no number");
    return value;
  };
  const auto found = [&](bool good, const std::string& id) {
    if (!good) refuse("no control '" + id + "' on the screen", "see the names in viz/README.md");
  };
  if (verb == "size") {
    need(3, "size WIDTH HEIGHT");
    const double width = number(words[1]), height = number(words[2]);
    if (width < 320 || height < 240 || width > 7680 || height > 4320)
      refuse(text_, "give 320x240 to 7680x4320");
    surface_.resize(static_cast<int>(width), static_cast<int>(height));
  } else if (verb == "preset") {
    need(2, "preset NAME");
    app_.show_preset(words[1]);
  } else if (verb == "theme") {
    need(2, "theme dark|light|high-contrast");
    ThemeKind theme{};
    if (!find_theme(words[1].c_str(), theme)) refuse(text_, "give dark, light or high-contrast");
    app_.set_theme(theme);
  } else if (verb == "scale") {
    need(2, "scale FACTOR");
    app_.set_ui_scale(static_cast<float>(number(words[1])));
  } else if (verb == "at") {
    need(2, "at MOMENT");
    go_to_moment(app_, words[1]);
  } else if (verb == "key") {
    if (words.size() < 2 || words.size() > 3)
      refuse(text_, "write: key NAME [TIMES], e.g. key right 3, key ctrl+c");
    const bool control = words[1].rfind("ctrl+", 0) == 0;
    Key key{};
    const std::string key_name = control ? words[1].substr(5) : words[1];
    if (!find_key(key_name.c_str(), key))
      refuse(text_, "no key '" + key_name + "'; e.g. space, right, page_down, a, ctrl+c");
    const double times = words.size() == 3 ? number(words[2]) : 1;
    for (int i = 0; i < static_cast<int>(times); ++i) press(key, control);
  } else if (verb == "click") {
    need(2, "click ID");
    found(click(words[1]), words[1]);
  } else if (verb == "hover") {
    need(2, "hover ID");
    found(hover(words[1]), words[1]);
  } else if (verb == "drag") {
    need(4, "drag ID DX DY");
    found(hover(words[1]), words[1]);
    const ImVec2 from = ImGui::GetIO().MousePos;
    const ImVec2 by{static_cast<float>(number(words[2])), static_cast<float>(number(words[3]))};
    compat::feed_button(0, true);
    frames(1);
    for (int i = 1; i <= 8; ++i) {
      compat::feed_mouse(from + by * (static_cast<float>(i) / 8));
      frames(1);
    }
    compat::feed_button(0, false);
    frames(2);
  } else if (verb == "wheel") {
    need(3, "wheel ID NOTCHES");
    found(hover(words[1]), words[1]);
    compat::feed_wheel(static_cast<float>(number(words[2])));
    frames(2);
  } else if (verb == "type") {
    need(2, "type \"TEXT\"");
    type(words[1]);
  } else if (verb == "wait") {
    need(2, "wait SECONDS");
    frames(static_cast<int>(std::clamp(number(words[1]), 0.0, 600.0) * 60));
  } else if (verb == "paste") {
    need(2, "paste FILE");
    app_.paste(read_file(files_ / words[1], "script", 2u << 20));
  } else if (verb == "tab") {
    need(2, "tab NAME");
    const std::string id = "tab/" + words[1];
    found(click(id), id);
  } else if (verb == "predict") {
    if (words.size() != 2 || (words[1] != "on" && words[1] != "off"))
      refuse(text_, "write: predict on, predict off");
    app_.set_predict(words[1] == "on");
  } else if (verb == "answer") {
    if (words.size() != 2 || (words[1] != "right" && words[1] != "wrong"))
      refuse(text_, "write: answer right, answer wrong");
    answer(words[1] == "right");
  } else if (verb == "lesson") {
    need(2, "lesson NUMBER");
    app_.show_lesson(static_cast<int>(std::clamp(number(words[1]), -1.0, 1e6)));
  } else if (verb == "shot") {
    if (words.size() < 2) refuse(text_, "write: shot FILE.png [PANE ...]");
    frames(3);  // scroll regions know their content from the frame before
    const std::filesystem::path path = shots_ / words[1];
    const Image whole = surface_.read();
    write_png(words.size() == 2 ? whole : cut(whole, {words.begin() + 2, words.end()}), path);
    result_.shots.push_back(path);
  } else if (verb == "expect") {
    if (words.size() < 2) refuse(text_, "say what to expect");
    expect(words);
  } else {
    refuse("'" + verb + "' is no verb", kVerbs);
  }
}

// Clicks the right option, or the one after it, of the prediction that is open, else of the quiz.
void ScriptRunner::answer(bool right) {
  frames(1);
  const Prediction* open = app_.settings().predict ? app_.predictor().open() : nullptr;
  int index = 0, count = 0;
  if (open != nullptr) {
    index = open->right;
    count = static_cast<int>(open->options.size());
  } else if (app_.sitting().page() == quiz::Sitting::Page::question) {
    index = app_.sitting().question().right();
    count = static_cast<int>(app_.sitting().question().options.size());
  } else {
    refuse(text_, "no question is open");
  }
  if (!right) index = (index + 1) % count;
  const std::string id =
      fmt::format("{}/option{}", open != nullptr ? "predict" : "quiz", index + 1);
  if (!click(id)) refuse("no control '" + id + "' on the screen", "show its tab first");
}

// What of a picture the named panes and items cover, and what lies between them, with a margin.
Image ScriptRunner::cut(const Image& whole, const std::vector<std::string>& names) const {
  float x0 = 1e9f, y0 = 1e9f, x1 = 0, y1 = 0;
  const auto take = [&](const ImVec2& min, const ImVec2& max) {
    x0 = std::min(x0, min.x), y0 = std::min(y0, min.y);
    x1 = std::max(x1, max.x), y1 = std::max(y1, max.y);
  };
  for (const std::string& name : names) {
    bool found = false;
    const auto take_if_named = [&](const auto& what) {
      if (what.id == name) take(what.min, what.max), found = true;
    };
    for (const Pane& pane : app_.items().panes()) take_if_named(pane);
    for (const Item& item : app_.items().items()) take_if_named(item);
    if (!found) {
      refuse("nothing on the screen is called '" + name + "'",
             "name panes (left, ring, matrix, bottom, right), controls or texts");
    }
  }
  constexpr float kMargin = 7;
  const float density = surface_.density();
  const auto pixel = [&](float point, int most) {
    return std::clamp(static_cast<int>(point * density), 0, most);
  };
  const int left = pixel(x0 - kMargin, whole.width), top = pixel(y0 - kMargin, whole.height);
  Image part;
  part.width = pixel(x1 + kMargin, whole.width) - left;
  part.height = pixel(y1 + kMargin, whole.height) - top;
  for (int y = top; y < top + part.height; ++y) {
    const auto row = whole.rgba.begin() + 4 * (static_cast<std::ptrdiff_t>(y) * whole.width + left);
    part.rgba.insert(part.rgba.end(), row, row + 4 * part.width);
  }
  return part;
}

void ScriptRunner::expect(const std::vector<std::string>& words) {
  frames(1);
  const std::string& what = words[1];
  const std::string value = words.size() > 2 ? words[2] : "";
  const Playback& playback = app_.playback();
  const auto same = [&](const std::string& found) { check(found == value, "it is " + found); };
  const auto has_text = [&] {
    for (const Item& item : app_.items().items()) {
      if (item.kind == Item::Kind::text && item.id.find(value) != std::string::npos) return true;
    }
    return false;
  };
  if (what == "hop") {
    same(std::to_string(hop_now(app_)));
  } else if (what == "rank") {
    same(std::to_string(app_.state().view.focus_rank));
  } else if (what == "time") {
    same(fmt::format("{:g}", playback.time()));
  } else if (what == "preset") {
    same(app_.state().view.preset);
  } else if (what == "at-end") {
    check(playback.at_end(), fmt::format("it is at {:g} of {:g}", playback.time(), playback.end()));
  } else if (what == "at-start") {
    check(playback.at_start(), fmt::format("it is at {:g}", playback.time()));
  } else if (what == "playing") {
    check(playback.playing(), "it stands");
  } else if (what == "paused") {
    check(!playback.playing(), "it plays");
  } else if (what == "theme") {
    same(ringlab::viz::name(app_.settings().theme));
  } else if (what == "overlay") {
    same(name(app_.overlay()));
  } else if (what == "item") {
    check(app_.items().find(value) != nullptr, "it is not on the screen");
  } else if (what == "no-item") {
    check(app_.items().find(value) == nullptr, "it is on the screen");
  } else if (what == "text") {
    check(has_text(), "no text on the screen has it");
  } else if (what == "toast") {
    check(app_.toast().find(value) != std::string::npos, "it says '" + app_.toast() + "'");
  } else if (what == "quiz") {
    static constexpr const char* kPages[] = {"choose", "question", "answered", "end"};
    same(kPages[static_cast<std::size_t>(app_.sitting().page())]);
  } else if (what == "quiz-score") {
    const quiz::Score& score = app_.sitting().score();
    same(fmt::format("{}/{}", score.right, score.asked));
  } else if (what == "predicted") {
    same(fmt::format("{}/{}", app_.predictor().right(), app_.predictor().answered()));
  } else if (what == "lesson") {
    same(std::to_string(app_.lesson()));
  } else if (what == "layout") {
    for (const std::string& fault : frame_faults(app_.items())) check(false, fault);
  } else {
    refuse("expect " + what,
           "expect hop, rank, time, preset, at-end, at-start, playing, paused, theme, overlay, "
           "item, no-item, text, toast, lesson, quiz, quiz-score, predicted or layout");
  }
}

ScriptResult ScriptRunner::run(const std::string& text, const std::string& source) {
  result_ = {};
  source_ = source;
  line_ = 0;
  frames(2);
  std::istringstream lines(text);
  while (std::getline(lines, text_)) {
    ++line_;
    const std::vector<std::string> words = words_of(text_);
    if (words.empty()) continue;
    ++result_.steps;
    line(words);
  }
  return result_;
}

}  // namespace ringlab::viz

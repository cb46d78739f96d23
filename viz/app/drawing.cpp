// Puts the panels on the screen: which one stands where, and what it is given.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ringlab/viz/app/form.hpp"
#include "ringlab/viz/app/parts.hpp"
#include "ringlab/viz/model/presets.hpp"
#include "ringlab/viz/model/simulated.hpp"
#include "ringlab/viz/panels/balance_panel.hpp"
#include "ringlab/viz/panels/facts_panel.hpp"
#include "ringlab/viz/panels/legend.hpp"
#include "ringlab/viz/panels/matrix_panel.hpp"
#include "ringlab/viz/panels/predict_panel.hpp"
#include "ringlab/viz/panels/proof_panel.hpp"
#include "ringlab/viz/panels/race_panel.hpp"
#include "ringlab/viz/panels/softmax_panel.hpp"
#include "ringlab/viz/panels/story_panel.hpp"
#include "ringlab/viz/panels/timeline_panel.hpp"
#include "ringlab/viz/panels/top_bar.hpp"
#include "ringlab/viz/panels/transport_panel.hpp"
#include "ringlab/viz/panels/widgets.hpp"

namespace ringlab::viz {
namespace {

const Preset* preset_of(const std::string& name) {
  for (const Preset& preset : presets()) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

std::string summary_of(const Ui& ui, const Scenario& s) {
  return ui.texts.say("ui.summary",
                      {std::to_string(s.ranks), grouped(s.tokens), std::to_string(s.heads),
                       std::to_string(s.key_value_heads()), std::to_string(s.head_dim)});
}

// Tabs whose order on the screen is not that of their numbers.
struct NumberedTab {
  TabLabel label;
  int number;
};
float tabs_in_order(const Ui& ui, const Rect& rect, const std::vector<NumberedTab>& list,
                    int& chosen) {
  std::vector<TabLabel> labels;
  int at = 0;
  for (const NumberedTab& tab : list) {
    if (tab.number == chosen) at = static_cast<int>(labels.size());
    labels.push_back(tab.label);
  }
  const float used = viz::tabs(ui, rect, labels, at);
  chosen = list[static_cast<std::size_t>(at)].number;
  return used;
}

// Where the times come from, if that is not the ideal clock.
std::string words_of_clock(const Ui& ui, const Story& story) {
  if (story.options.clock == Clock::ideal) return {};
  if (const Sentence words = clock_words(story); !words.key.empty()) return ui.texts.say(words);
  return ui.texts.say(std::string("timeline.legend.") + name(story.options.clock),
                      {duration_text(story.end * story.seconds_per_unit)});
}

// Draws a pane's content clipped to it and noted under its name.
template <class Draw>
void in_pane(const Ui& ui, const char* id, const Rect& rect, Draw draw) {
  ui.items.push_pane(id, min_of(rect), max_of(rect));
  draw();
  ui.items.pop_pane();
}

}  // namespace

void App::Parts::draw(double seconds) {
  frame_at(*story, playback.time(), frame);
  ++softmax_age;
  pointing.shown = pointing.next;
  pointing.next = {};
  pointing.picked_rank = -1;
  pointing.picked_copy = -1;
  pointing.picked_query = -1;
  toast_seconds -= seconds;
  if (toast_seconds <= 0) toast.clear();
  items.clear();

  const Ui ui{theme_of(settings.theme), fonts, items, texts, scale(), playback.reduced_motion()};
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Rect screen{0, 0, size.x, size.y};
  const PredictPanel predictions = predict_panel();
  const float strip = settings.predict ? predict_height(ui, size.x, predictions) : 0;
  const Shell shell = shell_of(size.x, size.y, scale(), settings, reads(), strip);
  tabbed = shell.tabbed;
  const bool hidden = strip > 0 && shell.strip.height() <= 0;
  if (hidden && !predict_hidden) say("ui.predict.no_room");
  predict_hidden = hidden;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("###ringlab", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min_of(shell.top), max_of(shell.top), ui.theme.bar);
  list.AddRectFilled(min_of(shell.transport), max_of(shell.transport), ui.theme.bar);
  draw_rule(ui, {0, shell.top.y1 - 1}, size.x);
  draw_rule(ui, {0, shell.transport.y0}, size.x);

  const std::string title = scene_title(ui);
  TopBarAsk ask;
  in_pane(ui, "top", shell.top, [&] {
    ask = draw_top_bar(ui, shell.top, {title, summary_of(ui, state.scenario)});
  });
  if (shell.tabbed) {
    draw_one_pane(ui, shell);
  } else {
    draw_three_panes(ui, shell);
  }
  TransportAsk transport;
  in_pane(ui, "transport", shell.transport, [&] {
    transport = draw_transport(ui, shell.transport, *story, playback, settings.predict);
  });
  if (shell.strip.height() > 0) {
    list.AddRectFilled(min_of(shell.strip), max_of(shell.strip), ui.theme.bar);
    draw_rule(ui, {0, shell.strip.y0}, size.x);
    in_pane(ui, "predict", shell.strip, [&] { draw_predict(ui, shell.strip, predictions); });
  }
  draw_toast(ui, screen);
  // The window's size is set: nothing that was placed by hand may enlarge it.
  ImGui::SetCursorScreenPos({0, 0});
  ImGui::Dummy({0, 0});
  ImGui::End();
  draw_overlay(ui, screen);
  draw_pointed(ui);
  take_pointing();
  shown_time = frame.time;

  pending.clear();
  if (ask.presets) pending.push_back(Command::scenes);
  if (ask.copy) pending.push_back(Command::copy);
  if (ask.paste) pending.push_back(Command::paste);
  if (ask.smaller) pending.push_back(Command::smaller);
  if (ask.larger) pending.push_back(Command::larger);
  if (ask.theme) pending.push_back(Command::theme);
  if (ask.help) pending.push_back(Command::help);
  if (transport.predict) pending.push_back(Command::predict);
}

void App::Parts::draw_three_panes(const Ui& ui, const Shell& shell) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const Rect* split : {&shell.split_left, &shell.split_right}) {
    const float x = std::round(split->center().x);
    list.AddRectFilled({x, split->y0}, {x + std::max(1.0f, std::floor(ui.scale)), split->y1},
                       ui.theme.line);
  }
  draw_rule(ui, {shell.split_middle.x0, shell.split_middle.center().y}, shell.split_middle.width());
  in_pane(ui, "left", shell.left, [&] {
    const float used = draw_left_tabs(ui, shell.left);
    draw_left(ui, {shell.left.x0, shell.left.y0 + used, shell.left.x1, shell.left.y1});
  });
  in_pane(ui, "ring", shell.ring, [&] { draw_ring(ui, shell.ring); });
  in_pane(ui, "matrix", shell.matrix, [&] { draw_matrix(ui, shell.matrix); });
  in_pane(ui, "bottom", shell.bottom, [&] {
    const Rect head{shell.bottom.x0, shell.bottom.y0, shell.bottom.x0 + shell.bottom.width() * 0.4f,
                    shell.bottom.y1};
    const float used = viz::tabs(
        ui, head, {{"tab/timeline", ui.t("ui.pane.timeline")}, {"tab/race", ui.t("ui.pane.race")}},
        tabs.bottom);
    const Rect rest{shell.bottom.x0, shell.bottom.y0 + used, shell.bottom.x1, shell.bottom.y1};
    tabs.bottom == 0 ? draw_timeline(ui, rest) : draw_race(ui, rest);
  });
  in_pane(ui, "right", shell.right, [&] {
    const float used = viz::tabs(ui, shell.right,
                                 {{"tab/softmax", ui.t("ui.pane.softmax")},
                                  {"tab/balance", ui.t("ui.pane.balance")},
                                  {"tab/proof", ui.t("ui.pane.proof")}},
                                 tabs.right);
    draw_right(ui, {shell.right.x0, shell.right.y0 + used, shell.right.x1, shell.right.y1},
               tabs.right);
  });
  draw_splitters(ui, shell);
}

void App::Parts::draw_one_pane(const Ui& ui, const Shell& shell) {
  in_pane(ui, "only", shell.only, [&] {
    const std::vector<std::string_view> right{ui.t("ui.pane.softmax"), ui.t("ui.pane.balance"),
                                              ui.t("ui.pane.proof")};
    const float used = tabs_in_order(
        ui, shell.only,
        {{{"tab/story", ui.t("ui.pane.story")}, 0},
         {{"tab/lesson", ui.t("ui.pane.lesson")}, kLessonOnly},
         {{"tab/quiz", ui.t("ui.pane.quiz")}, kQuizOnly},
         {{"tab/ring", ui.t("ui.pane.ring")}, 1},
         {{"tab/matrix", ui.t("ui.pane.matrix.short")}, 2},
         {{"tab/timeline", ui.t(tabs.bottom == 0 ? "ui.pane.timeline" : "ui.pane.race")}, 3},
         {{"tab/inspector", right[static_cast<std::size_t>(tabs.right)]}, 4},
         {{"tab/scene", ui.t("ui.pane.scene")}, 5}},
        tabs.only);
    const Rect rest{shell.only.x0, shell.only.y0 + used, shell.only.x1, shell.only.y1};
    switch (tabs.only) {
      case 1:
        draw_ring(ui, rest);
        break;
      case 2:
        draw_matrix(ui, rest);
        break;
      case 3:
        // What colours mean has a line of its own here.
        if (tabs.bottom == 0) {
          draw_timeline(ui, {rest.x0, rest.y0 + ui.px(28), rest.x1, rest.y1});
        } else {
          draw_race(ui, rest);
        }
        break;
      case 4:
        draw_right(ui, rest, tabs.right);
        break;
      case 5:
        draw_scene(ui, rest);
        break;
      case kLessonOnly:
        draw_lesson(ui, rest);
        break;
      case kQuizOnly:
        draw_quiz(ui, rest);
        break;
      default:
        draw_story(ui, rest);
        break;
    }
  });
}

float App::Parts::draw_left_tabs(const Ui& ui, const Rect& rect) {
  return tabs_in_order(ui, rect,
                       {{{"tab/story", ui.t("ui.pane.story")}, 0},
                        {{"tab/lesson", ui.t("ui.pane.lesson")}, kLessonTab},
                        {{"tab/quiz", ui.t("ui.pane.quiz")}, kQuizTab},
                        {{"tab/scene", ui.t("ui.pane.scene")}, 1}},
                       tabs.left);
}

void App::Parts::draw_left(const Ui& ui, const Rect& rect) {
  if (tabs.left == kLessonTab) return draw_lesson(ui, rect);
  if (tabs.left == kQuizTab) return draw_quiz(ui, rect);
  tabs.left == 0 ? draw_story(ui, rect) : draw_scene(ui, rect);
}

std::string App::Parts::scene_title(const Ui& ui) const {
  if (const Preset* preset = preset_of(state.view.preset)) return std::string(ui.t(preset->title));
  const std::string lesson = lesson_title();
  return lesson.empty() ? std::string(ui.t("ui.scene.own")) : lesson;
}

void App::Parts::draw_story(const Ui& ui, const Rect& rect) {
  const Preset* preset = preset_of(state.view.preset);
  StoryPanel panel{.title = scene_title(ui),
                   .words = preset == nullptr ? summary_of(ui, state.scenario)
                                              : std::string(ui.t(preset->words)),
                   .clock = words_of_clock(ui, *story),
                   .now = &break_at(*story, state.view.focus_rank, playback.time()),
                   .focus_rank = state.view.focus_rank,
                   .ranks = story->size(),
                   .notes = notes,
                   .next = {}};
  // The scenes behind this one in the list.
  const auto& all = presets();
  std::size_t at = 0;
  while (at < all.size() && all[at].name != state.view.preset) ++at;
  for (std::size_t i = 1; i <= 3 && all.size() > 3; ++i) {
    const Preset& next = all[(at + i) % all.size()];
    panel.next.emplace_back(next.name, std::string(ui.t(next.title)));
  }
  const StoryAsk ask = draw_story_panel(ui, rect, panel);
  if (ask.rank != 0) set_focus(state.view.focus_rank + ask.rank);
  if (!ask.preset.empty()) wanted_preset = ask.preset;
}

void App::Parts::draw_scene(const Ui& ui, const Rect& rect) {
  const auto change = draw_scene_panel(ui, rect, {form, fault_field, fault}, form_state);
  if (change) wanted_change = change;
}

void App::Parts::draw_matrix(const Ui& ui, const Rect& rect) {
  const Index picked = query_place(*story, state.view.query);
  const bool square = story->matrix.queries == story->matrix.keys;
  const MatrixKey key{story, matrix_area(ui, rect, square), state.view.matrix, state.view.head,
                      picked};
  if (!(key == matrix_key)) {
    matrix = matrix_picture(*story, key.head, key.area, key.view, key.query);
    matrix_key = key;
  }
  const bool classes = story->matrix.tiles.size() > 1;
  const std::string caption =
      classes
          ? ui.texts.say("ui.matrix.head", {std::to_string(state.view.head)})
          : std::string(ui.t(story->matrix.by_rank ? "ui.matrix.by_rank" : "ui.matrix.caption"));
  draw_matrix_panel(ui, rect,
                    {.story = *story,
                     .frame = frame,
                     .picture = matrix,
                     .view = state.view.matrix,
                     .head = state.view.head,
                     .heading = ui.t("ui.pane.matrix"),
                     .caption = caption},
                    pointing);
}

void App::Parts::draw_timeline(const Ui& ui, const Rect& rect) {
  const TimelineKey key{story, timeline_area(ui, rect), state.view.timeline};
  if (!(key == timeline_key)) {
    timeline = timeline_picture(*story, key.area, key.view, timeline_label_width(ui), texts);
    timeline_key = key;
  }
  draw_timeline_legend(ui, rect);
  const double time = draw_timeline_panel(ui, rect,
                                          {.story = *story,
                                           .frame = frame,
                                           .picture = timeline,
                                           .view = state.view.timeline,
                                           .focus_rank = state.view.focus_rank,
                                           .ghosts = other_trace,
                                           .covered = predicts()},
                                          pointing);
  if (time >= 0) playback.scrub(time);
}

// On the line of the tabs, from the right: the switch for the other trace, then what colours mean.
void App::Parts::draw_timeline_legend(const Ui& ui, const Rect& rect) {
  const Theme& t = ui.theme;
  float right = rect.x1;
  const float y = rect.y0 - ui.px(30);
  if (!timeline.ghosts.empty()) {
    const std::string label =
        ui.texts.say("ui.timeline.other", {"@timeline.other." + timeline.other + "|"});
    const float width = text_size(ui.fonts.body, label).x + ui.px(24);
    const Rect box{right - width, y - ui.px(2), right, y + ui.px(18)};
    if (check_box(ui, "timeline/other", box, label, other_trace)) other_trace = !other_trace;
    if (pointed_at(box)) show_tooltip(ui, ui.texts.say(timeline.legend));
    right -= width + ui.px(16);
  }
  const std::vector<Swatch> swatches{{ui.t("ui.legend.hidden"), t.hidden, Swatch::Kind::line},
                                     {ui.t("ui.legend.exposed"), t.exposed, Swatch::Kind::line},
                                     {ui.t("ui.legend.idle"), with_alpha(t.exposed, 0.45f)}};
  float width = -ui.px(12);
  for (const Swatch& s : swatches) width += ui.px(27) + text_size(ui.fonts.small, s.text).x;
  const float left = right - width;
  if (left > rect.x0 + (tabbed ? 0 : ui.px(170)))
    draw_swatches(ui, {left, y + ui.px(1), right + 1, rect.y0}, swatches);
}

void App::Parts::draw_race(const Ui& ui, const Rect& rect) {
  if (race_story != story) {
    race = make_race(state.scenario, state.options);
    race_story = story;
  }
  // One clock: where this story is, in proportion, so is the race.
  const double time = story->end > 0 ? race->end * playback.time() / story->end : 0;
  const std::vector<RaceLane> lanes = race_at(*race, time);
  draw_race_panel(ui, rect, {lanes, time, race->end});
}

void App::Parts::draw_right(const Ui& ui, const Rect& rect, int which) {
  // Each is as long as it needs to be; where that is too long, it scrolls.
  const Rect view{rect.x0 - ui.px(6), rect.y0, rect.x1 + ui.px(6), rect.y1};
  begin_scroll(ui, which == 0 ? "softmax" : which == 1 ? "balance" : "proof", view);
  const float top = ImGui::GetWindowPos().y - ImGui::GetScrollY();
  const float bar = ImGui::GetScrollMaxY() > 0 ? ui.px(10) : 0;
  const Rect body{rect.x0, top, rect.x1 - bar, top + rect.height()};
  float bottom = top;
  if (which == 0) {
    bottom = draw_softmax(ui, body);
  } else if (which == 1) {
    bottom = draw_balance_panel(
        ui, body, {memory_bars(*story, frame), work_bars(*story, frame), state.view.focus_rank},
        pointing);
  } else {
    if (proof_story != story) {
      proof = make_proof(*story);
      proof_story = story;
    }
    bottom = draw_proof_panel(ui, body, proof);
  }
  end_scroll(ui, bottom);
}

float App::Parts::draw_softmax(const Ui& ui, const Rect& rect) {
  const SoftmaxKey key{story, state.view.query, state.view.head, state.view.precision};
  if (!(key == softmax_key)) {
    softmax = softmax_table(*story, key.query, key.head, key.precision);
    softmax_key = key;
  }
  const Index place = query_place(*story, key.query);
  const SoftmaxAsk ask =
      draw_softmax_panel(ui, rect,
                         {.table = softmax,
                          .time = frame.time,
                          .heads = state.scenario.heads,
                          .can_lower_query = place > 0,
                          .can_raise_query = place + 1 < story->matrix.queries,
                          .follow = frame.time != shown_time || softmax_age > 0});
  softmax_age = -1;
  if (ask.query != 0) step_query(ask.query);
  state.view.head = std::clamp(state.view.head + ask.head, 0, state.scenario.heads - 1);
  if (ask.precision) {
    state.view.precision = key.precision == StatePrecision::float32 ? StatePrecision::bfloat16
                                                                    : StatePrecision::float32;
  }
  if (ask.time >= 0) playback.scrub(ask.time);
  return ask.bottom;
}

void App::Parts::draw_splitters(const Ui& ui, const Shell& shell) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const auto grip = [&](const char* id, const Rect& rect, bool upright) {
    place_invisible(id, rect);
    items.add(id);
    const bool active = ImGui::IsItemActive();
    if (active || ImGui::IsItemHovered()) {
      ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
      const ImVec2 c = centre_of(rect);
      const ImVec2 half =
          upright ? ImVec2{ui.px(1), rect.height() / 2} : ImVec2{rect.width() / 2, ui.px(1)};
      ImGui::GetWindowDrawList()->AddRectFilled(c - half, c + half, ui.theme.accent);
    }
    return active;
  };
  const ImVec2 by = ImGui::GetIO().MouseDelta;
  items.push_pane("splitters", {0, 0}, size);
  if (grip("split/left", shell.split_left, true))
    (reads() ? settings.reading : settings.left) += by.x / size.x;
  if (grip("split/right", shell.split_right, true)) settings.right -= by.x / size.x;
  if (grip("split/middle", shell.split_middle, false))
    settings.upper += by.y / std::max(1.0f, shell.split_left.height());
  items.pop_pane();
  settings = clamped(settings);
}

void App::Parts::draw_pointed(const Ui& ui) {
  const Pointed& p = pointing.next;
  if (!p.anything() || overlay != Overlay::none || ImGui::IsMouseDown(0)) return;
  const double time = frame.time;
  if (p.score && p.query >= 0 && p.key >= 0) {
    draw_facts(ui, facts_of_score(*story, texts, state.view.head, p.query, p.key));
  } else if (p.copy >= 0) {
    draw_facts(ui, facts_of_copy(*story, texts, p.copy, time));
  } else if (p.flight >= 0) {
    draw_facts(ui, facts_of_flight(*story, texts, p.flight, time));
  } else if (p.cell >= 0) {
    draw_facts(ui, facts_of_cell(*story, texts, p.cell, state.view.head, time));
  } else if (p.tile >= 0) {
    draw_facts(ui, facts_of_tile(*story, texts, p.tile, time));
  } else if (p.rank >= 0) {
    draw_facts(ui, facts_of_rank(*story, texts, frame, p.rank));
  }
}

void App::Parts::take_pointing() {
  if (overlay != Overlay::none || answered_by_pointing()) return;
  if (pointing.picked_rank >= 0) set_focus(pointing.picked_rank);
  if (pointing.picked_query >= 0) pick_query(pointing.picked_query);
}

void App::Parts::draw_overlay(const Ui& ui, const Rect& screen) {
  if (overlay == Overlay::help) {
    if (draw_help_overlay(ui, screen, {key_help(texts)})) overlay = Overlay::none;
  } else if (overlay == Overlay::scenes) {
    std::vector<SceneCard> cards;
    for (const Preset& preset : presets()) {
      cards.push_back({preset.name, std::string(ui.t(preset.title)),
                       std::string(ui.t(preset.words)), preset.name == state.view.preset});
    }
    const ScenesAsk ask = draw_scenes_overlay(ui, screen, cards);
    if (ask.close || !ask.preset.empty()) overlay = Overlay::none;
    if (!ask.preset.empty()) wanted_preset = ask.preset;
  }
}

void App::Parts::draw_toast(const Ui& ui, const Rect& screen) {
  if (toast.empty()) return;
  const float width = std::min(screen.width() - ui.px(48), ui.px(560)), pad = ui.px(12);
  const std::vector<std::string_view> lines = wrapped(ui.fonts.body, toast, width - 2 * pad);
  ImVec2 size{0, static_cast<float>(lines.size()) * leading(ui.fonts.body)};
  for (const std::string_view line : lines) {
    size.x = std::max(size.x, text_size(ui.fonts.body, line).x);
  }
  const float bottom = screen.y1 - ui.px(74);
  const Rect box = Rect{screen.center().x - size.x / 2 - pad, bottom - size.y - 2 * pad,
                        screen.center().x + size.x / 2 + pad, bottom};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(min_of(box), max_of(box), ui.theme.text, ui.px(6));
  float y = box.y0 + pad;
  for (const std::string_view line : lines) {
    list.AddText(ui.fonts.body, ui.fonts.body->FontSize, {box.x0 + pad, y}, ui.theme.background,
                 line.data(), line.data() + line.size());
    y += leading(ui.fonts.body);
  }
  items.push_pane("toast", min_of(box), max_of(box), false, 2);
  items.add_text(toast, {box.x0 + pad, box.y0 + pad}, {box.x1 - pad, box.y1 - pad});
  items.pop_pane();
}

}  // namespace ringlab::viz

#include "ringlab/viz/app/app.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/viz/app/form.hpp"
#include "ringlab/viz/app/parts.hpp"
#include "ringlab/viz/model/presets.hpp"
#include "ringlab/viz/model/simulated.hpp"

namespace ringlab::viz {
namespace {

constexpr double kToastSeconds = 6;

// Dear ImGui's clipboard hooks are plain functions; where no window has a clipboard, this is it.
std::string& memory_clipboard() {
  static std::string text;
  return text;
}

}  // namespace

void App::Parts::say(const std::string& key, const std::vector<std::string>& arguments) {
  toast = texts.say(key, arguments);
  toast_seconds = kToastSeconds;
}

void App::Parts::tell(SharedState next) {
  // First everything that can refuse, then the change: a refusal leaves the old scene standing.
  std::vector<Sentence> said = fit_to_limits(next.scenario, next.options);
  auto told = make_story(next.scenario, next.options, trace);
  for (const Sentence& sentence : fit_view(*told, next.view)) said.push_back(sentence);
  said.insert(said.end(), told->notes.begin(), told->notes.end());
  notes = std::move(said);
  story = std::move(told);
  state = std::move(next);
  state.scenario = story->scenario;
  state.options = story->options;
  playback = Playback(story, state.view.focus_rank);
  playback.set_speed(state.view.speed);
  playback.set_reduced_motion(state.view.reduced_motion || settings.reduced_motion);
  playback.set_stop_at_breaks(state.view.stop_at_breaks);
  playback.scrub(state.view.time);
  form = form_of(state.scenario, state.options, texts);
  set_predict(settings.predict);
  fault_field.clear();
  fault.clear();
  pointing = {};
  frame = {};
}

void App::Parts::rebuild_fonts() {
  fonts = load_fonts(font_files, scale());
  surface.fonts_changed();
  apply_style(theme_of(settings.theme), scale());
  ImGui::GetIO().FontDefault = fonts.body;
  fonts_scale = scale();
}

void App::Parts::set_focus(int rank) {
  const int ranks = story->size();
  if (ranks < 1) return;
  state.view.focus_rank = ((rank % ranks) + ranks) % ranks;
  playback.set_focus(state.view.focus_rank);
}

void App::Parts::pick_query(Index position) {
  if (query_place(*story, position) >= 0) state.view.query = position;
}

void App::Parts::step_query(int by) {
  // By place on the axis, since the queries need not be all positions.
  const Index place = std::max<Index>(0, query_place(*story, state.view.query)) + by;
  if (place < 0 || place >= story->matrix.queries) return;
  state.view.query = query_position(*story, place);
}

App::App(Surface& surface, AppOptions options) : parts_(std::make_unique<Parts>(surface)) {
  Parts& p = *parts_;
  p.settings = p.saved = clamped(options.settings);
  p.settings_file = std::move(options.settings_file);
  p.trace = std::move(options.trace);
  p.scene_of_command = std::move(options.scene_of_command);
  p.asked.folder = std::move(options.quiz_folder);
  p.reading_progress = std::move(options.reading);
  p.other_trace = p.trace.has_value();
  p.font_files = find_fonts();
  if (!surface.has_window()) {
    compat::set_clipboard_functions([](void*) { return memory_clipboard().c_str(); },
                                    [](void*, const char* text) { memory_clipboard() = text; });
  }
  p.rebuild_fonts();
  p.tell(std::move(options.state));
}

App::~App() {
  Parts& p = *parts_;
  p.write_reviews();
  if (!p.settings_file.empty() && p.settings != p.saved) save_settings(p.settings, p.settings_file);
}

bool App::frame(double seconds) {
  Parts& p = *parts_;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  if (display.x > 0 && display.y > 0) p.display = {0, 0, display.x, display.y};
  if (std::abs(p.fonts_scale - p.scale()) > 0.005f) p.rebuild_fonts();
  if (!p.surface.begin_frame(seconds)) return false;
  const double passed = seconds > 0 ? seconds : static_cast<double>(ImGui::GetIO().DeltaTime);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Command> commands = commands_of_this_frame();
  const bool touched =
      !commands.empty() || ImGui::IsAnyMouseDown() || ImGui::GetIO().MouseWheel != 0;
  p.greeting.go_on(p.playback, touched, passed);
  for (const Command c : commands) command(c);
  // A long stop (a moved window, a debugger) must not make the story leap.
  p.playback.advance(std::min(passed, 0.1));
  p.follow_story();
  p.draw(passed);
  ImGui::EndFrame();
  p.build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  p.surface.end_frame(theme_of(p.settings.theme).background);
  after_frame();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (p.surface.has_window() && size.x >= 480 && size.y >= 360) {
    p.settings.width = static_cast<int>(size.x);
    p.settings.height = static_cast<int>(size.y);
  }
  return true;
}

// Carries out what was clicked: a scene must not change under the panels that draw it.
void App::after_frame() {
  Parts& p = *parts_;
  for (const Command c : std::exchange(p.pending, {})) command(c);
  if (const std::string preset = std::exchange(p.wanted_preset, {}); !preset.empty())
    show_preset(preset);
  p.do_quiz(std::exchange(p.asked.ask, {}));
  after_lesson_frame();
  const auto change = std::exchange(p.wanted_change, {});
  if (!change) return;
  if (change->name == kPredictField) {
    p.set_predict(change->value == "true");
    return;
  }
  SharedState next = p.state;
  next.view.time = 0;
  next.view.preset.clear();
  next.view.timeline = {};
  next.view.matrix = {};
  try {
    apply_change(*change, next.scenario, next.options);
    check_machine(next.scenario, next.options);
    p.tell(std::move(next));
  } catch (const InputError& error) {
    p.fault_field = change->name;
    p.fault = error.what();
  }
}

void App::greet() {
  parts_->greeting.begin(parts_->playback);
}

void App::show(const SharedState& state) {
  parts_->tell(state);
}

void App::show_preset(const std::string& name) {
  SharedState next = preset_named(name).state;
  next.view.preset = name;
  parts_->tell(std::move(next));
}

std::string App::copied() const {
  SharedState state = parts_->state;
  state.view.time = parts_->playback.time();
  state.view.speed = parts_->playback.speed();
  state.view.reduced_motion = parts_->playback.reduced_motion();
  state.view.stop_at_breaks = parts_->playback.stop_at_breaks();
  return copy_state(state);
}

void App::paste(const std::string& text) {
  Parts& p = *parts_;
  try {
    Pasted pasted = paste_state(text);
    p.tell(pasted.state);
    p.notes.insert(p.notes.begin(), pasted.notes.begin(), pasted.notes.end());
    if (p.notes.empty()) {
      p.say("ui.toast.pasted");
    } else {
      p.say("ui.toast.pasted_with_notes", {std::to_string(p.notes.size())});
    }
  } catch (const InputError& error) {
    p.say("ui.toast.refused", {error.what()});
  }
}

void App::focus_on(int rank) {
  parts_->set_focus(rank);
}

void App::pick_query(Index position) {
  parts_->pick_query(position);
}

void App::pick_head(int head) {
  parts_->state.view.head = std::clamp(head, 0, parts_->state.scenario.heads - 1);
}

void App::set_theme(ThemeKind theme) {
  parts_->settings.theme = theme;
  apply_style(theme_of(theme), parts_->scale());
}

void App::set_predict(bool on) {
  parts_->set_predict(on);
}
const Predictor& App::predictor() const {
  return parts_->predictor;
}
const quiz::Sitting& App::sitting() {
  return parts_->sitting();
}

void App::set_ui_scale(float scale) {
  parts_->settings.ui_scale = scale;
  parts_->settings = clamped(parts_->settings);
}

Items& App::items() {
  return parts_->items;
}
Playback& App::playback() {
  return parts_->playback;
}
const Story& App::story() const {
  return *parts_->story;
}
const SharedState& App::state() const {
  return parts_->state;
}
const Settings& App::settings() const {
  return parts_->settings;
}
Tabs& App::tabs() {
  return parts_->tabs;
}
Overlay App::overlay() const {
  return parts_->overlay;
}
const std::string& App::toast() const {
  return parts_->toast;
}
const std::vector<Sentence>& App::notes() const {
  return parts_->notes;
}
double App::build_seconds() const {
  return parts_->build_seconds;
}

}  // namespace ringlab::viz

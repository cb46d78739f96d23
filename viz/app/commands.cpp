// What each command does. Keys, buttons and scripts all end here.
#include <imgui.h>

#include <algorithm>

#include "ringlab/viz/app/app.hpp"
#include "ringlab/viz/app/parts.hpp"
#include "ringlab/viz/model/presets.hpp"

namespace ringlab::viz {
namespace {

int hop_of(const Playback& playback) {
  const int index = std::max(0, playback.break_index());
  const auto& breaks = playback.breaks();
  return breaks.empty() ? 0 : breaks[static_cast<std::size_t>(index)].hop;
}

std::string preset_after(const std::string& name) {
  const auto& all = presets();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return all[(i + 1) % all.size()].name;
  }
  return all.front().name;
}

}  // namespace

void App::command(Command command) {
  Parts& p = *parts_;
  if (p.overlay != Overlay::none) {
    // Under an overlay only looks can change; its own key closes it.
    const bool same = (command == Command::help && p.overlay == Overlay::help) ||
                      (command == Command::scenes && p.overlay == Overlay::scenes);
    if (command == Command::close || same) {
      p.overlay = Overlay::none;
      return;
    }
    const bool looks = command == Command::theme || command == Command::larger ||
                       command == Command::smaller || command == Command::normal_size ||
                       command == Command::help || command == Command::scenes;
    if (!looks) return;
  }
  ViewState& view = p.state.view;
  switch (command) {
    case Command::play:
      p.playback.toggle();
      break;
    case Command::forward:
      p.playback.step_forward();
      break;
    case Command::back:
      p.playback.step_back();
      break;
    case Command::home:
      p.playback.home();
      break;
    case Command::end:
      p.playback.go_to_end();
      break;
    case Command::next_hop:
      if (!p.playback.go_to_hop(hop_of(p.playback) + 1)) p.playback.go_to_end();
      break;
    case Command::previous_hop:
      p.playback.go_to_hop(std::max(0, hop_of(p.playback) - 1));
      break;
    case Command::next_rank:
      p.set_focus(view.focus_rank + 1);
      break;
    case Command::previous_rank:
      p.set_focus(view.focus_rank - 1);
      break;
    case Command::slower:
      p.playback.set_speed(p.playback.speed() / 2);
      break;
    case Command::faster:
      p.playback.set_speed(p.playback.speed() * 2);
      break;
    case Command::run_through:
      p.playback.set_stop_at_breaks(!p.playback.stop_at_breaks());
      break;
    case Command::jumps:
      p.settings.reduced_motion = !p.playback.reduced_motion();
      p.playback.set_reduced_motion(p.settings.reduced_motion);
      break;
    case Command::zoom_in:
      view.timeline = zoomed(*p.story, view.timeline, p.playback.time(), 1.25);
      break;
    case Command::zoom_out:
      view.timeline = zoomed(*p.story, view.timeline, p.playback.time(), 0.8);
      break;
    case Command::pan_left:
      view.timeline = panned(*p.story, view.timeline, -0.1);
      break;
    case Command::pan_right:
      view.timeline = panned(*p.story, view.timeline, 0.1);
      break;
    case Command::fit:
      view.timeline = {};
      view.matrix = {};
      break;
    case Command::other_trace:
      p.other_trace = !p.other_trace;
      break;
    case Command::next_query:
      p.step_query(1);
      break;
    case Command::previous_query:
      p.step_query(-1);
      break;
    case Command::next_head:
      view.head = std::min(view.head + 1, p.state.scenario.heads - 1);
      break;
    case Command::previous_head:
      view.head = std::max(view.head - 1, 0);
      break;
    case Command::precision:
      view.precision = view.precision == StatePrecision::float32 ? StatePrecision::bfloat16
                                                                 : StatePrecision::float32;
      break;
    case Command::tab_softmax:
    case Command::tab_balance:
    case Command::tab_proof:
      p.tabs.right = static_cast<int>(command) - static_cast<int>(Command::tab_softmax);
      p.tabs.only = 4;
      break;
    case Command::race:
      p.tabs.bottom = 1 - p.tabs.bottom;
      p.tabs.only = 3;
      break;
    case Command::controls:
      p.tabs.left = p.tabs.left == 1 ? 0 : 1;
      p.tabs.only = p.tabs.left == 1 ? 5 : 0;
      break;
    case Command::lesson:
      p.tabs.left = p.tabs.left == kLessonTab ? 0 : kLessonTab;
      p.tabs.only = p.tabs.left == kLessonTab ? kLessonOnly : 0;
      break;
    case Command::quiz: {
      const bool open = p.quiz_is_open();
      p.tabs.left = open ? 0 : kQuizTab;
      p.tabs.only = open ? 0 : kQuizOnly;
      break;
    }
    case Command::predict:
      p.set_predict(!p.settings.predict);
      break;
    case Command::answer_1:
    case Command::answer_2:
    case Command::answer_3:
    case Command::answer_4:
    case Command::quiz_next:
    case Command::quiz_sure:
    case Command::quiz_show:
      p.press_quiz(command);
      break;
    case Command::scenes:
      p.overlay = Overlay::scenes;
      break;
    case Command::next_scene:
      show_preset(preset_after(view.preset));
      break;
    case Command::theme:
      set_theme(static_cast<ThemeKind>((static_cast<int>(p.settings.theme) + 1) % kThemes));
      break;
    case Command::larger:
      set_ui_scale(p.settings.ui_scale + 0.1f);
      break;
    case Command::smaller:
      set_ui_scale(p.settings.ui_scale - 0.1f);
      break;
    case Command::normal_size:
      set_ui_scale(1);
      break;
    case Command::copy:
      ImGui::SetClipboardText(copied().c_str());
      p.say("ui.toast.copied");
      break;
    case Command::paste: {
      const char* text = ImGui::GetClipboardText();
      paste(text == nullptr ? "" : text);
      break;
    }
    case Command::help:
      p.overlay = Overlay::help;
      break;
    case Command::close:
      p.toast_seconds = 0;
      break;
  }
}

}  // namespace ringlab::viz

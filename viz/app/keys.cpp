#include "ringlab/viz/app/keys.hpp"

#include <array>

namespace ringlab::viz {
namespace {

constexpr KeyBinding kBindings[] = {
    {Key::space, false, false, Command::play},
    {Key::right, false, true, Command::forward},
    {Key::left, false, true, Command::back},
    {Key::home, false, false, Command::home},
    {Key::end, false, false, Command::end},
    {Key::page_down, false, true, Command::next_hop},
    {Key::page_up, false, true, Command::previous_hop},
    {Key::down, false, true, Command::next_rank},
    {Key::up, false, true, Command::previous_rank},
    {Key::left_bracket, false, false, Command::slower},
    {Key::right_bracket, false, false, Command::faster},
    {Key::r, false, false, Command::run_through},
    {Key::j, false, false, Command::jumps},
    {Key::w, false, true, Command::zoom_in},
    {Key::s, false, true, Command::zoom_out},
    {Key::a, false, true, Command::pan_left},
    {Key::d, false, true, Command::pan_right},
    {Key::f, false, false, Command::fit},
    {Key::o, false, false, Command::other_trace},
    {Key::e, false, true, Command::next_query},
    {Key::q, false, true, Command::previous_query},
    {Key::period, false, true, Command::next_head},
    {Key::comma, false, true, Command::previous_head},
    {Key::b, false, false, Command::precision},
    {Key::digit_1, false, false, Command::tab_softmax},
    {Key::digit_2, false, false, Command::tab_balance},
    {Key::digit_3, false, false, Command::tab_proof},
    {Key::g, false, false, Command::race},
    {Key::c, false, false, Command::controls},
    {Key::p, false, false, Command::lesson},
    {Key::u, false, false, Command::quiz},
    {Key::x, false, false, Command::predict},
    {Key::digit_1, true, false, Command::answer_1},
    {Key::digit_2, true, false, Command::answer_2},
    {Key::digit_3, true, false, Command::answer_3},
    {Key::digit_4, true, false, Command::answer_4},
    {Key::enter, false, false, Command::quiz_next},
    {Key::y, false, false, Command::quiz_sure},
    {Key::m, false, false, Command::quiz_show},
    {Key::l, false, false, Command::scenes},
    {Key::n, false, false, Command::next_scene},
    {Key::t, false, false, Command::theme},
    {Key::equal, true, true, Command::larger},
    {Key::minus, true, true, Command::smaller},
    {Key::digit_0, true, false, Command::normal_size},
    {Key::c, true, false, Command::copy},
    {Key::v, true, false, Command::paste},
    {Key::h, false, false, Command::help},
    {Key::f1, false, false, Command::help},
    {Key::escape, false, false, Command::close},
};

struct HelpRow {
  const char* keys;
  const char* text;
};

constexpr HelpRow kHelp[] = {
    {"Space", "ui.key.play"},
    {"→  ←", "ui.key.step"},
    {"Home  End", "ui.key.ends"},
    {"PgDn  PgUp", "ui.key.next_hop"},
    {"↓  ↑", "ui.key.rank"},
    {"[  ]", "ui.key.speed"},
    {"R", "ui.key.run"},
    {"J", "ui.key.jumps"},
    {"W  S", "ui.key.zoom"},
    {"A  D", "ui.key.pan"},
    {"F", "ui.key.fit"},
    {"O", "ui.key.other"},
    {"E  Q  .  ,", "ui.key.row"},
    {"B", "ui.key.precision"},
    {"1  2  3", "ui.key.tabs"},
    {"G", "ui.key.race"},
    {"P  U  C", "ui.key.left"},
    {"Ctrl 1  2  3  4", "ui.key.answer"},
    {"Enter  Y  M", "ui.key.quiz_next"},
    {"X", "ui.key.predict"},
    {"L  N", "ui.key.scenes"},
    {"T", "ui.key.theme"},
    {"Ctrl +  −  0", "ui.key.scale"},
    {"Ctrl C  V", "ui.key.copy"},
    {"?  H  F1", "ui.key.help"},
    {"Esc", "ui.key.close"},
};

}  // namespace

std::span<const KeyBinding> key_bindings() {
  return kBindings;
}

std::vector<Command> commands_of_this_frame() {
  std::vector<Command> commands;
  const ImGuiIO& io = ImGui::GetIO();
  for (const KeyBinding& binding : kBindings) {
    if (io.WantTextInput && binding.command != Command::close) continue;
    if (io.KeyCtrl != binding.control || io.KeyAlt || io.KeySuper) continue;
    if (compat::pressed(binding.key, binding.repeats)) commands.push_back(binding.command);
  }
  // Where '?' is depends on the keyboard; so do plus and minus.
  if (!io.WantTextInput && compat::typed('?')) commands.push_back(Command::help);
  return commands;
}

std::vector<KeyHelp> key_help(const Texts& texts) {
  std::vector<KeyHelp> rows;
  for (const HelpRow& row : kHelp) rows.push_back({row.keys, std::string(texts.get(row.text))});
  rows.push_back(
      {std::string(texts.get("ui.key.mouse.name")), std::string(texts.get("ui.key.mouse"))});
  return rows;
}

}  // namespace ringlab::viz

// Every key of the program, in one table: input and the help overlay are made from it.
#pragma once

#include <span>
#include <vector>

#include "ringlab/viz/panels/overlay.hpp"

namespace ringlab::viz {

enum class Command {
  play,
  forward,
  back,
  home,
  end,
  next_hop,
  previous_hop,
  next_rank,
  previous_rank,
  slower,
  faster,
  run_through,
  jumps,
  zoom_in,
  zoom_out,
  pan_left,
  pan_right,
  fit,
  other_trace,
  next_query,
  previous_query,
  next_head,
  previous_head,
  precision,
  tab_softmax,
  tab_balance,
  tab_proof,
  race,
  controls,
  lesson,
  quiz,
  predict,
  answer_1,
  answer_2,
  answer_3,
  answer_4,
  quiz_next,
  quiz_sure,
  quiz_show,
  scenes,
  next_scene,
  theme,
  larger,
  smaller,
  normal_size,
  copy,
  paste,
  help,
  close,
};

struct KeyBinding {
  Key key;
  bool control = false;
  bool repeats = false;  // while it is held down
  Command command = Command::play;
};

std::span<const KeyBinding> key_bindings();

/// The commands whose keys went down in this frame. None but `close` while text is typed.
std::vector<Command> commands_of_this_frame();

/// One line for each key or pair of keys.
std::vector<KeyHelp> key_help(const Texts& texts);

}  // namespace ringlab::viz

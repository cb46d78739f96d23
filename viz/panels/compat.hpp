// The differences between Dear ImGui 1.86 and 1.91, in one place: keys, input fed by hand, and a
// few names. Everything else in viz/ uses only calls that are the same in all of them.
#pragma once

#include <imgui.h>

namespace ringlab::viz {

inline ImVec2 operator+(ImVec2 a, ImVec2 b) {
  return {a.x + b.x, a.y + b.y};
}
inline ImVec2 operator-(ImVec2 a, ImVec2 b) {
  return {a.x - b.x, a.y - b.y};
}
inline ImVec2 operator*(ImVec2 a, float s) {
  return {a.x * s, a.y * s};
}

/// A key; the values are GLFW's, which is also what 1.86 wants as a native index.
enum class Key {
  space = 32,
  comma = 44,
  minus = 45,
  period = 46,
  digit_0 = 48,
  digit_1,
  digit_2,
  digit_3,
  digit_4,
  digit_5,
  digit_6,
  digit_7,
  digit_8,
  digit_9,
  equal = 61,
  a = 65,
  b,
  c,
  d,
  e,
  f,
  g,
  h,
  i,
  j,
  k,
  l,
  m,
  n,
  o,
  p,
  q,
  r,
  s,
  t,
  u,
  v,
  w,
  x,
  y,
  z,
  left_bracket = 91,
  right_bracket = 93,
  escape = 256,
  enter,
  tab,
  backspace,
  insert,
  del,
  right,
  left,
  down,
  up,
  page_up,
  page_down,
  home,
  end,
  f1 = 290,
  left_shift = 340,
  left_control = 341,
};

/// "space", "a", "page_up": what scripts and the help call a key; empty for no key.
const char* name(Key key);
/// The key of a name, or false.
bool find_key(const char* name, Key& key);

namespace compat {

/// True in the frame in which the key goes down (and, with `repeat`, while it stays down).
bool pressed(Key key, bool repeat = false);
/// True if this text character was typed in this frame; '?' has its own place on many keyboards.
bool typed(unsigned character);

/// Input for the next frame, where no window's backend gives it.
void prepare_io_without_window();
void feed_key(Key key, bool down);
void feed_modifiers(bool control, bool shift);
void feed_mouse(ImVec2 position);
void feed_button(int button, bool down);
void feed_wheel(float notches);
void feed_character(unsigned character);

/// 1.86 asserts that time moves on.
void clamp_delta_time();

/// Where copied text goes where no window gives a clipboard.
void set_clipboard_functions(const char* (*get)(void*), void (*set)(void*, const char*));

int list_count(const ImDrawData& data);
const ImDrawList& list(const ImDrawData& data, int index);

}  // namespace compat
}  // namespace ringlab::viz

#include "ringlab/viz/panels/compat.hpp"

#include <algorithm>
#include <cstring>

namespace ringlab::viz {
namespace {

#if IMGUI_VERSION_NUM >= 18700
#define RINGLAB_KEY(key, imgui, text) \
  { Key::key, ImGuiKey_##imgui, text }
struct Row {
  Key key;
  ImGuiKey imgui;
  const char* text;
};
#else
#define RINGLAB_KEY(key, imgui, text) \
  { Key::key, text }
struct Row {
  Key key;
  const char* text;
};
#endif

constexpr Row kRows[] = {
    RINGLAB_KEY(space, Space, "space"),
    RINGLAB_KEY(comma, Comma, "comma"),
    RINGLAB_KEY(minus, Minus, "minus"),
    RINGLAB_KEY(period, Period, "period"),
    RINGLAB_KEY(equal, Equal, "equal"),
    RINGLAB_KEY(left_bracket, LeftBracket, "left_bracket"),
    RINGLAB_KEY(right_bracket, RightBracket, "right_bracket"),
    RINGLAB_KEY(digit_0, 0, "0"),
    RINGLAB_KEY(digit_1, 1, "1"),
    RINGLAB_KEY(digit_2, 2, "2"),
    RINGLAB_KEY(digit_3, 3, "3"),
    RINGLAB_KEY(digit_4, 4, "4"),
    RINGLAB_KEY(digit_5, 5, "5"),
    RINGLAB_KEY(digit_6, 6, "6"),
    RINGLAB_KEY(digit_7, 7, "7"),
    RINGLAB_KEY(digit_8, 8, "8"),
    RINGLAB_KEY(digit_9, 9, "9"),
    RINGLAB_KEY(a, A, "a"),
    RINGLAB_KEY(b, B, "b"),
    RINGLAB_KEY(c, C, "c"),
    RINGLAB_KEY(d, D, "d"),
    RINGLAB_KEY(e, E, "e"),
    RINGLAB_KEY(f, F, "f"),
    RINGLAB_KEY(g, G, "g"),
    RINGLAB_KEY(h, H, "h"),
    RINGLAB_KEY(i, I, "i"),
    RINGLAB_KEY(j, J, "j"),
    RINGLAB_KEY(k, K, "k"),
    RINGLAB_KEY(l, L, "l"),
    RINGLAB_KEY(m, M, "m"),
    RINGLAB_KEY(n, N, "n"),
    RINGLAB_KEY(o, O, "o"),
    RINGLAB_KEY(p, P, "p"),
    RINGLAB_KEY(q, Q, "q"),
    RINGLAB_KEY(r, R, "r"),
    RINGLAB_KEY(s, S, "s"),
    RINGLAB_KEY(t, T, "t"),
    RINGLAB_KEY(u, U, "u"),
    RINGLAB_KEY(v, V, "v"),
    RINGLAB_KEY(w, W, "w"),
    RINGLAB_KEY(x, X, "x"),
    RINGLAB_KEY(y, Y, "y"),
    RINGLAB_KEY(z, Z, "z"),
    RINGLAB_KEY(escape, Escape, "escape"),
    RINGLAB_KEY(enter, Enter, "enter"),
    RINGLAB_KEY(tab, Tab, "tab"),
    RINGLAB_KEY(backspace, Backspace, "backspace"),
    RINGLAB_KEY(insert, Insert, "insert"),
    RINGLAB_KEY(del, Delete, "delete"),
    RINGLAB_KEY(right, RightArrow, "right"),
    RINGLAB_KEY(left, LeftArrow, "left"),
    RINGLAB_KEY(down, DownArrow, "down"),
    RINGLAB_KEY(up, UpArrow, "up"),
    RINGLAB_KEY(page_up, PageUp, "page_up"),
    RINGLAB_KEY(page_down, PageDown, "page_down"),
    RINGLAB_KEY(home, Home, "home"),
    RINGLAB_KEY(end, End, "end"),
    RINGLAB_KEY(f1, F1, "f1"),
    RINGLAB_KEY(left_shift, LeftShift, "shift"),
    RINGLAB_KEY(left_control, LeftCtrl, "control"),
};
#undef RINGLAB_KEY

#if IMGUI_VERSION_NUM >= 18700
ImGuiKey imgui_key(Key key) {
  for (const Row& row : kRows) {
    if (row.key == key) return row.imgui;
  }
  return ImGuiKey_None;
}
#else
ImGuiKey_ named_key(Key key) {
  switch (key) {
    case Key::tab:
      return ImGuiKey_Tab;
    case Key::left:
      return ImGuiKey_LeftArrow;
    case Key::right:
      return ImGuiKey_RightArrow;
    case Key::up:
      return ImGuiKey_UpArrow;
    case Key::down:
      return ImGuiKey_DownArrow;
    case Key::page_up:
      return ImGuiKey_PageUp;
    case Key::page_down:
      return ImGuiKey_PageDown;
    case Key::home:
      return ImGuiKey_Home;
    case Key::end:
      return ImGuiKey_End;
    case Key::insert:
      return ImGuiKey_Insert;
    case Key::del:
      return ImGuiKey_Delete;
    case Key::backspace:
      return ImGuiKey_Backspace;
    case Key::space:
      return ImGuiKey_Space;
    case Key::enter:
      return ImGuiKey_Enter;
    case Key::escape:
      return ImGuiKey_Escape;
    case Key::a:
      return ImGuiKey_A;
    case Key::c:
      return ImGuiKey_C;
    case Key::v:
      return ImGuiKey_V;
    case Key::x:
      return ImGuiKey_X;
    case Key::y:
      return ImGuiKey_Y;
    case Key::z:
      return ImGuiKey_Z;
    default:
      return ImGuiKey_COUNT;
  }
}
#endif

}  // namespace

const char* name(Key key) {
  for (const Row& row : kRows) {
    if (row.key == key) return row.text;
  }
  return "";
}

bool find_key(const char* text, Key& key) {
  for (const Row& row : kRows) {
    if (std::strcmp(row.text, text) != 0) continue;
    key = row.key;
    return true;
  }
  return false;
}

namespace compat {

bool pressed(Key key, bool repeat) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(imgui_key(key), repeat);
#else
  return ImGui::IsKeyPressed(static_cast<int>(key), repeat);
#endif
}

bool typed(unsigned character) {
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    if (c == character) return true;
  }
  return false;
}

void prepare_io_without_window() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  for (const Row& row : kRows) {
    const ImGuiKey_ named = named_key(row.key);
    if (named != ImGuiKey_COUNT) io.KeyMap[named] = static_cast<int>(row.key);
  }
#endif
}

void feed_key(Key key, bool down) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddKeyEvent(imgui_key(key), down);
#else
  ImGui::GetIO().KeysDown[static_cast<int>(key)] = down;
#endif
}

void feed_modifiers(bool control, bool shift) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18900
  io.AddKeyEvent(ImGuiMod_Ctrl, control);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
#elif IMGUI_VERSION_NUM >= 18700
  io.AddKeyEvent(ImGuiKey_ModCtrl, control);
  io.AddKeyEvent(ImGuiKey_ModShift, shift);
#else
  io.KeyCtrl = control;
  io.KeyShift = shift;
#endif
}

void feed_mouse(ImVec2 position) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMousePosEvent(position.x, position.y);
#else
  ImGui::GetIO().MousePos = position;
#endif
}

void feed_button(int button, bool down) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseButtonEvent(button, down);
#else
  ImGui::GetIO().MouseDown[button] = down;
#endif
}

void feed_wheel(float notches) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseWheelEvent(0, notches);
#else
  ImGui::GetIO().MouseWheel += notches;
#endif
}

void feed_character(unsigned character) {
  ImGui::GetIO().AddInputCharacter(character);
}

void clamp_delta_time() {
  ImGuiIO& io = ImGui::GetIO();
  io.DeltaTime = std::max(io.DeltaTime, 1e-5f);
}

void set_clipboard_functions(const char* (*get)(void*), void (*set)(void*, const char*)) {
#if IMGUI_VERSION_NUM >= 19110
  static const char* (*stored_get)(void*) = nullptr;
  static void (*stored_set)(void*, const char*) = nullptr;
  stored_get = get;
  stored_set = set;
  ImGuiPlatformIO& io = ImGui::GetPlatformIO();
  io.Platform_GetClipboardTextFn = [](ImGuiContext*) { return stored_get(nullptr); };
  io.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    stored_set(nullptr, text);
  };
#else
  ImGuiIO& io = ImGui::GetIO();
  io.GetClipboardTextFn = get;
  io.SetClipboardTextFn = set;
#endif
}

int list_count(const ImDrawData& data) {
  return data.CmdListsCount;
}

const ImDrawList& list(const ImDrawData& data, int index) {
  return *data.CmdLists[index];
}

}  // namespace compat
}  // namespace ringlab::viz

// Controls in the look of the house, on Dear ImGui's invisible buttons: the label is text of the
// table, the name is for scripts and never changes with the language.
#pragma once

#include <string>
#include <vector>

#include "ringlab/viz/panels/draw.hpp"

namespace ringlab::viz {

enum class Icon {
  home,
  back,
  play,
  pause,
  forward,
  end,
  minus,
  plus,
  help,
  theme,
  close,
  loop,
  eye,
  aim
};

struct ButtonLook {
  bool on = false;     // pressed in, or the chosen one of several
  bool plain = false;  // no box until the pointer is over it
  bool enabled = true;
};

/// True when clicked. Draws within the rectangle.
bool button(const Ui& ui, const char* id, const Rect& rect, std::string_view label,
            ButtonLook look = {});
bool icon_button(const Ui& ui, const char* id, const Rect& rect, Icon icon,
                 std::string_view tooltip, ButtonLook look = {});
void draw_icon(const Ui& ui, ImDrawList& list, Icon icon, ImVec2 centre, float size, ImU32 colour);
/// A tick or a cross on a disc: right, or not.
void draw_verdict(const Ui& ui, ImDrawList& list, ImVec2 centre, float radius, bool right);
/// The width that a button of this label wants.
float button_width(const Ui& ui, std::string_view label);

struct TabLabel {
  const char* id;
  std::string_view text;
};
/// Labels in a row, the chosen one underlined; changes `chosen` when one is clicked. Labels that do
/// not fit are cut with an ellipsis. Gives the height used.
float tabs(const Ui& ui, const Rect& rect, const std::vector<TabLabel>& labels, int& chosen);

/// [-] value [+]; gives -1, 0 or 1.
int stepper(const Ui& ui, const char* id, const Rect& rect, std::string_view value,
            bool can_lower = true, bool can_raise = true);

/// A box that is on or off, with its label to the right; true when clicked.
bool check_box(const Ui& ui, const char* id, const Rect& rect, std::string_view label, bool on);

/// A region that scrolls, with its own recorded pane. Call end_scroll() whatever it returns.
bool begin_scroll(const Ui& ui, const char* id, const Rect& rect);
/// `bottom` is where the content ends, in screen pixels.
void end_scroll(const Ui& ui, float bottom);

/// Puts Dear ImGui's cursor there: for a native widget.
void place_cursor(ImVec2 at);

}  // namespace ringlab::viz

// What is on the screen by name: every control and every piece of text notes its rectangle here
// while it is drawn. Scripts click by these names, and the tests see from them that nothing is cut
// off and that no two texts lie over each other. Off outside scripts and tests.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

namespace ringlab::viz {

struct Item {
  enum class Kind { control, text };
  std::string id;  // of a control its name; of a text the text
  Kind kind;
  ImVec2 min, max;
  int pane;  // index into panes()
};

struct Pane {
  std::string id;
  ImVec2 min, max;
  bool scrolls = false;   // what lies below its lower edge can be scrolled to
  int layer = 0;          // overlays lie above
  bool sideways = false;  // what lies beside it can be scrolled to
};

class Items {
 public:
  bool recording = false;

  void clear();
  /// Everything noted until pop_pane belongs to this pane.
  void push_pane(std::string_view id, ImVec2 min, ImVec2 max, bool scrolls = false, int layer = 0,
                 bool sideways = false);
  void pop_pane();
  /// The item that Dear ImGui drew last.
  void add(std::string_view id);
  void add(std::string_view id, ImVec2 min, ImVec2 max);
  void add_text(std::string_view text, ImVec2 min, ImVec2 max);

  const std::vector<Item>& items() const { return items_; }
  const std::vector<Pane>& panes() const { return panes_; }
  /// The control of this name in this frame, or null.
  const Item* find(std::string_view id) const;

 private:
  std::vector<Item> items_;
  std::vector<Pane> panes_;
  std::vector<int> open_;
};

/// Sentences about what is wrong with a recorded frame: texts beyond their pane, and texts of one
/// layer over each other.
std::vector<std::string> layout_faults(const Items& items);

}  // namespace ringlab::viz

// The controls: every one is a field of the scenario or of the story's clock. The panel knows none
// of them by name; it draws a form.
#pragma once

#include <optional>

#include "ringlab/viz/panels/widgets.hpp"

namespace ringlab::viz {

struct FormField {
  enum class Kind { text, whole, choice, flag };
  std::string name;  // "kv_heads": also the end of the control's name
  std::string help;  // one sentence and the range
  Kind kind = Kind::text;
  std::vector<std::string> choices;
  std::string value;     // as text of a command line
  bool heading = false;  // no field: a headline of what follows
};

/// What a person is typing: one field at a time.
struct FormState {
  std::string editing;
  char buffer[512] = {};
};

struct FormChange {
  std::string name, value;
};

struct ScenePanel {
  const std::vector<FormField>& fields;
  std::string fault_field, fault;  // what was refused last, and why
};

std::optional<FormChange> draw_scene_panel(const Ui& ui, const Rect& rect, const ScenePanel& panel,
                                           FormState& state);

}  // namespace ringlab::viz

// The whole state as text: what "copy scenario" puts on the clipboard and "paste scenario" takes.
#pragma once

#include "ringlab/viz/model/matrix_picture.hpp"
#include "ringlab/viz/model/softmax_table.hpp"
#include "ringlab/viz/model/timeline_picture.hpp"

namespace ringlab::viz {

/// What is looked at, and how.
struct ViewState {
  double time = 0;
  int focus_rank = 0;
  Index query = 0;  // global position of the picked query
  int head = 0;
  StatePrecision precision = StatePrecision::float32;
  double speed = 1;
  bool reduced_motion = false;
  bool stop_at_breaks = true;
  MatrixView matrix;
  TimelineView timeline;
  std::string preset;  // the one it came from, or empty
  std::string tab;     // the app's own
  bool operator==(const ViewState&) const = default;
};

struct SharedState {
  Scenario scenario;
  StoryOptions options;
  ViewState view;
  bool operator==(const SharedState&) const = default;
};

/// JSON: {"ringlab_viz": 1, "scenario": {...}, "story": {...}, "view": {...}}; also plain
/// scenarios are pasted.
std::string copy_state(const SharedState& state);

struct Pasted {
  SharedState state;
  std::vector<Sentence> notes;  // each value that was clamped, replaced or passed over
};

/// Reads it back. Values out of range are clamped, wrong ones replaced by their default, unknown
/// ones passed over, and each is noted; files are not read. Throws InputError (field `clipboard`)
/// only for text that is no JSON object or longer than 1 MiB.
Pasted paste_state(const std::string& json);

/// Clamps the view to a story.
std::vector<Sentence> fit_view(const Story& story, ViewState& view);

}  // namespace ringlab::viz

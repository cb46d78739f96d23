// The timeline as bars: one row a rank with its compute and transfer lanes. It does not depend on
// the current time; the cursor does.
#pragma once

#include "ringlab/viz/model/geometry.hpp"
#include "ringlab/viz/model/story.hpp"

namespace ringlab::viz {

/// The part of the clock that is in view.
struct TimelineView {
  double start = 0, end = 0;  // end <= start: everything
  bool operator==(const TimelineView&) const = default;
};

TimelineView fit_all(const Story& story);
/// Zooms about a time; factor > 1 goes in.
TimelineView zoomed(const Story& story, TimelineView view, double about, double factor);
/// Moves by a share of the view's width.
TimelineView panned(const Story& story, TimelineView view, double share);

enum class BarKind {
  compute,
  send,
  receive_hidden,   // the part of a receive under which its rank computes
  receive_exposed,  // the part that it waits for
  waiting,          // a rank stands at a wait
};

struct Bar {
  int rank = 0;
  BarKind kind = BarKind::compute;
  Rect rect;
  int colour = 0;  // of the block that is read or moved
  Span time;
  std::string_view text;  // "D", of the story; empty where it would not fit
  int tile = -1, flight = -1;
};

/// A bar of the other trace, drawn as an outline under the story's own.
struct GhostBar {
  int rank = 0;
  Lane lane = Lane::compute;
  Rect rect;
  Span time;
};

struct RowLabel {
  int rank = 0;
  Rect rect;
  std::string text;
};

struct TimelinePicture {
  Rect area;  // of the bars, right of the labels
  std::vector<RowLabel> rows;
  std::vector<Bar> bars;
  std::vector<GhostBar> ghosts;
  std::vector<std::pair<float, std::string>> ticks;  // x and time
  Sentence legend;                                   // which trace is which, and how long they are
  std::string other;        // what the outlines are: given, simulated, measured; empty: none
  double hidden_share = 1;  // of all transfer time
};

TimelinePicture timeline_picture(const Story& story, Rect area, const TimelineView& view,
                                 float label_width, const Texts& texts = Texts::english());

/// x of a time, and back.
float x_of(const TimelinePicture& picture, const Story& story, const TimelineView& view,
           double time);
double time_at(const TimelinePicture& picture, const Story& story, const TimelineView& view,
               float x);

}  // namespace ringlab::viz

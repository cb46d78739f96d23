// The ring as boxes, chips and curves, ready to draw.
//
// Ranks stand on an ellipse, equally far apart along it, those of a node together. A chip is one
// copy of a block; its colour and letter are those of the shard that it came from.
#pragma once

#include "ringlab/viz/model/frame.hpp"
#include "ringlab/viz/model/geometry.hpp"

namespace ringlab::viz {

struct Chip {
  int copy = -1;  // stable id
  Rect rect;
  int colour = 0;  // palette index
  Quantity quantity = Quantity::key_value;
  std::string_view text;  // "D", of the story; empty where it would not fit
  bool solid = false;     // filled with its colour; else an outline (what stays at home)
  bool faded = false;     // held, but neither in use nor next
  bool active = false;    // read by the running tile
  float arrival = 1;      // progress of its flight; 1 on a rank
  bool dot = false;       // in a crowd: small, without its letter
};

struct RankBox {
  int rank = 0;
  Rect rect;
  int colour = 0;
  std::string title;  // "rank 3", "3" where it is small, "rank 3 ×2" if it is slow
  bool show_title = true;
  std::vector<Chip> chips;
  int hidden_chips = 0;  // held, but not drawn for want of room
  Doing doing = Doing::idle;
  float fraction = 0;  // of the running tile
  bool focus = false;
};

/// A quadratic curve from box to box.
struct Wire {
  int from = 0, to = 0;
  Point start, control, end;
  float width = 2;  // pixels: thinner for a slow link
  float load = 0;   // 0: nothing on it now; else 1
  bool slow = false;
  bool quiet = false;  // in a crowd, and not of the rank from which the story is told
  std::string label;   // of a slow link: "×3", "50.0 GB/s"
  Point label_at;      // its centre, beside the curve
};

/// Ranks that stand together: inside a frame of their own, or on a band of one common ring.
struct NodeBox {
  Rect rect;                // around its ranks; frames do not overlap
  std::vector<Point> band;  // the line that the band follows; empty: a frame
  float band_width = 0;
  std::string title;  // "node 0"
  Point title_at;     // its left upper corner; of a band, the middle of its outer end
};

struct RingPicture {
  std::vector<RankBox> boxes;
  std::vector<Wire> wires;
  std::vector<Chip> travelling;
  int hidden_travelling = 0;   // on a wire, but not drawn (more than kMostTravelling)
  std::vector<NodeBox> nodes;  // empty for one node
  Rect centre;                 // room for words in the middle
  float text_pixels = 13;      // size that suits the chips
};

inline constexpr int kMostTravelling = 512;

/// Only the places: boxes without chips. Boxes never overlap and lie inside `area`. Nodes have
/// rings of their own, unless `one_round`: then all ranks stand on one ring, node by node.
std::vector<Rect> ring_places(int ranks, const std::vector<int>& node_of_rank, Rect area,
                              bool one_round = false);

/// Whether two or four equal nodes are linked as one ring: each rank with its neighbours only.
bool goes_one_round(const Story& story);

RingPicture ring_picture(const Story& story, const Frame& frame, Rect area, int focus_rank,
                         const Texts& texts = Texts::english());

/// The point of a wire at progress 0 to 1.
Point on_wire(const Wire& wire, float progress);

}  // namespace ringlab::viz

// The state at one time: a pure function of (story, time).
#pragma once

#include <array>

#include "ringlab/viz/model/story.hpp"

namespace ringlab::viz {

/// Where a copy of a block is.
struct BlockPlace {
  int copy = 0;         // index into Story::copies; a stable id
  int rank = 0;         // the rank that has it, or the one that it flies to
  bool flying = false;  // on the link from -> rank
  int from = -1;
  float progress = 1;    // of the flight, 0 to 1
  bool in_use = false;   // read by the tile that is being computed
  bool leaving = false;  // being sent on right now
  bool operator==(const BlockPlace&) const = default;
};

enum class Doing { idle, computing, waiting, finished };

struct RankNow {
  Doing doing = Doing::idle;
  int hop = 0;         // of the running tile, else of the last break point
  int step = 0;        // steps begun so far
  int tile = -1;       // being computed, else -1
  int last_tile = -1;  // finished last
  int next_tile = -1;
  float tile_fraction = 0;
  Index bytes_sent = 0, bytes_received = 0;  // of messages that have arrived
  Index bytes_leaving = 0;                   // of messages on the way
  Index pair_heads = 0;                      // of finished tiles
  double pair_heads_now = 0;                 // with the share of the running one
  std::array<Index, 7> memory{};             // by Quantity
  Index memory_parts = 0;
  Index memory_total = 0;
  bool operator==(const RankNow&) const = default;
};

/// A link with something on it.
struct LinkNow {
  int link = 0;  // index into Story::links
  int messages = 0;
  Index bytes = 0;
  float progress = 0;  // of the first message
  bool operator==(const LinkNow&) const = default;
};

struct Frame {
  double time = 0;
  std::vector<BlockPlace> places;    // of every live copy, by rank
  std::vector<int> places_begin;     // [ranks + 1]: those at or flying to a rank
  std::vector<float> tile_progress;  // [tiles]: 0 to come, 1 done
  std::vector<RankNow> ranks;
  std::vector<LinkNow> links;       // busy ones
  int first_hop = 0, last_hop = 0;  // of the ranks that are not finished; the last hop at the end
  Index bytes_sent = 0;
  double share_done = 0;  // of all visible pairs
  bool operator==(const Frame&) const = default;
};

/// The frame at `time`, clamped to [0, story.end].
Frame frame_at(const Story& story, double time);

/// The same into a frame that is kept from one call to the next, without new memory.
void frame_at(const Story& story, double time, Frame& frame);

/// What the rank's last break point at or before `time` says.
const BreakPoint& break_at(const Story& story, int rank, double time);

/// "hop 3: arrive", for the scrub bar, in any language.
std::string name_of(const BreakPoint& point, const Texts& texts);

}  // namespace ringlab::viz

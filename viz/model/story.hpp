// Everything that is computed once from a scenario, so that any moment of it is a look-up.
//
// A story is a schedule with times: when each tile is computed, when each message flies, and from
// when to when each copy of a block lives at a place. The times come from a lock-step ideal clock,
// from a run with real numbers, from the simulator, or from a trace that is handed in. All of it is
// read from steps and contents; nothing here knows an algorithm.
//
// Next: frame.hpp is the state at one time; playback.hpp moves the time; *_picture.hpp lay it out.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/session/session.hpp"
#include "ringlab/reference/trace/overlap.hpp"
#include "ringlab/viz/model/text.hpp"

namespace ringlab::viz {

/// What the visualiser shows; larger scenarios are clamped, and the clamping said.
struct Limits {
  static constexpr Index kTokens = 4096;
  static constexpr int kRanks = 64;
  static constexpr int kHeads = 64;
  static constexpr int kHeadDim = 256;
  static constexpr Index kSimulatedTokens = Index{1} << 24;
  /// Real numbers are computed up to this many FLOPs of the run and its judge together.
  static constexpr double kFlopsOfNumbers = 3e9;
};

enum class Clock {
  ideal,      // lock step: a tile takes as long as it has visible pairs, a message as its bytes
  measured,   // the times of the run with real numbers, on this machine
  simulated,  // what the schedule costs on a described cluster (simulated.hpp)
  imported,   // of a trace file
};
const char* name(Clock clock);

/// What may be chosen beside the scenario.
struct StoryOptions {
  Clock clock = Clock::ideal;
  /// Ideal clock: time of the largest message over time of the largest tile. 0: links cost nothing.
  double transfer_ratio = 0.6;
  int slow_link_from = -1, slow_link_to = -1;  // -1: none
  double slow_link_factor = 4;                 // its messages take so many times longer
  int slow_rank = -1;                          // -1: none
  double slow_rank_factor = 2;                 // its tiles take so many times longer
  /// Simulated clock: the cluster, by a name of the catalogue or composed as 2x4xh100. Empty: the
  /// scenario's hardware; without that, as many 8xh100 as hold the ranks. Named, its times are also
  /// there to be laid over another clock's.
  std::string cluster;
  /// The length that the simulated clock stands for, a multiple of the tokens drawn; 0: those.
  Index simulated_tokens = 0;
  ElementType simulated_dtype = ElementType::bfloat16;
  /// Ranks of one node, for the picture's grouping; 0: as cluster or traffic show.
  int node_size = 0;
  bool numbers = true;  // run it with real numbers, if it is small enough
  /// Ideal clock, for stories that are held against each other: 0 takes the largest tile of this
  /// schedule as the unit, and its largest message for transfer_ratio.
  double pair_heads_per_unit = 0, bytes_per_unit = 0;

  bool operator==(const StoryOptions&) const = default;
};

/// Start and end in units of the story's clock. In the ideal clock a unit is the largest tile.
struct Span {
  double start = 0, end = 0;
  bool operator==(const Span&) const = default;
};

/// One attend step: a tile of the attention matrix that a rank computes.
struct Tile {
  int rank = 0, step = 0, hop = 0;
  Content query, key_value;
  Index pairs = 0, square = 0;       // visible and all pairs, of one head
  double flops = 0, real_flops = 0;  // real: at the length that the simulated clock stands for
  Span time;
  int query_copy = -1, key_value_copy = -1, result_copy = -1;  // indices into Story::copies
  std::string label;                                           // "q3 x kv1"
  TileClass kind() const {
    return pairs == 0 ? TileClass::empty : pairs == square ? TileClass::full : TileClass::partial;
  }
};

/// One message: a part of a collective, or a point-to-point move.
struct Flight {
  int from = 0, to = 0;            // ranks
  int from_step = 0, to_step = 0;  // the steps that begin it
  int hop = 0;
  Content content;
  Index bytes = 0, real_bytes = 0;  // real: as the simulated clock has them; 0 in other clocks
  Span time;                        // until it is there
  double sent = 0;                  // until the sender is done with it
  bool collective = false;
  int copy = -1;         // what it becomes, index into Story::copies
  int source_copy = -1;  // what it is (a part) of, at the sender
  int link = -1;         // index into Story::links
  double hidden = 0;     // share of its time during which the receiving rank computes
  std::string label;     // "kv3"
};

/// One copy of a block in one buffer of one rank.
///
/// It lives in [born, dies). If it comes over a link it is on that link in [born, arrives) and on
/// its rank in [arrives, dies); else it is made on its rank and arrives == born. It dies when its
/// buffer is released or when a receive into the buffer is begun, else never (infinity). The
/// sender's own copy is another one, and lives on. Parts of a collective are copies of their own
/// until the wait for it, when the whole takes their place.
struct Copy {
  int rank = 0;
  BufferId buffer = 0;
  Content content;
  Index bytes = 0;
  double born = 0, arrives = 0, dies = 0;
  int flight = -1;          // how it came, or -1
  bool part = false;        // of a collective
  int origin = -1;          // shard of its first piece: its colour and letter
  bool mixed = false;       // pieces of several shards
  std::string label;        // "kv3 heads 0-1"
  std::string short_label;  // "D": fits into a chip
};

/// A directed pair of ranks between which something flies.
struct Link {
  int from = 0, to = 0;
  Index bytes = 0;  // in all
  int messages = 0;
  double slow = 1;  // factor of its time; simulated: against the fastest link of the picture
  // Simulated clock: the network that it belongs to, and what that reaches.
  std::string level;
  double bytes_per_second = 0, latency_seconds = 0;
};

enum class BreakKind { start, send, arrive, attend, merge, home };
const char* name(BreakKind kind);

/// A moment at which motion stops by itself, told from one rank's place.
struct BreakPoint {
  double time = 0;
  BreakKind kind = BreakKind::start;  // of the last sentence
  int hop = 0;
  int tile = -1, flight = -1;       // what it is about, if one
  std::vector<Sentence> sentences;  // what just happened and why; more than one if at one time
  std::string short_name;           // "hop 3: arrive", for the scrub bar
};

/// A cut of one axis of the matrix: consecutive tokens in the axis order that lie in one shard.
struct Segment {
  Index first = 0, count = 0;  // place on the axis, in tokens
  int shard = 0;
  Index local_first = 0;     // in the shard
  Index first_position = 0;  // global position of its first token
  Index last_position = 0;
};

/// One cell of the matrix: a segment of queries against a segment of keys.
struct Cell {
  int query = 0, key = 0;  // segments
  Index pairs = 0, square = 0;
  TileClass kind() const {
    return pairs == 0 ? TileClass::empty : pairs == square ? TileClass::full : TileClass::partial;
  }
};

/// Visible part of a partial cell: rows and columns in fractions of the cell.
struct Strip {
  float row0 = 0, row1 = 0, column0 = 0, column1 = 0;
};

/// The attention matrix, cut into cells. Heads with the same tiles form one class.
struct Matrix {
  Index queries = 0, keys = 0;  // tokens along the axes
  std::vector<Segment> query_segments, key_segments;
  std::vector<Index> query_position, key_position;  // [place on the axis]: global position
  /// False: positions ascend along the axes. True: too finely dealt for that (striped over a long
  /// sequence), so the axes run rank by rank.
  bool by_rank = false;
  std::vector<Cell> cells;              // with a visible pair; by query segment, then key segment
  std::vector<std::vector<int>> tiles;  // [head class][cell]: index into Story::tiles, or -1
  std::vector<int> class_of_head;       // [query head]
  std::vector<int> strip_begin;         // [cells + 1] into strips; empty range: full cell
  std::vector<Strip> strips;
};

/// The run with real numbers and its judge.
struct Numbers {
  std::vector<AttentionOutput<float>> outputs;  // by rank
  Partial<double> right;  // float64, whole sequence of queries, [queries, heads, ...]
  Verification verification;
  Trace trace;                 // of the direction that is shown
  Tensor<double> queries;      // as the run saw them, rotated; row i: the i-th query position
  KeyValue<double> key_value;  // row i: position i
};

/// One rank's part of the story.
struct RankStory {
  std::vector<Span> steps;                       // by step
  std::vector<int> tiles, arrivals, departures;  // by time; indices into tiles and flights
  std::vector<int> copies_begin;      // [buffers + 2] into copies_by_buffer; the last: parts
  std::vector<int> copies_by_buffer;  // of one buffer by birth
  /// Memory from a time on, by quantity, as the ledger counts it.
  struct Memory {
    double time = 0;
    std::array<Index, 7> bytes{};  // by Quantity
    Index parts = 0;               // of a reducing collective, waiting to be summed
    Index total() const;
  };
  std::vector<Memory> memory;  // by time
  std::vector<BreakPoint> breaks;
  // Running sums, one longer than their lists: pairs x heads of tiles, bytes of messages by their
  // end.
  std::vector<Index> pair_heads_before, bytes_sent_before, bytes_received_before;
  std::vector<double> departure_ends, arrival_ends;  // ascending
};

struct Simulated;  // simulated.hpp

struct Story {
  Scenario scenario;  // as it is shown
  StoryOptions options;
  std::vector<Sentence> notes;  // what was clamped or left out, and why
  Session session;
  Schedule schedule;  // the one that is shown: forward, or backward if the scenario asks
  Ledger ledger;

  double end = 0;               // of the clock
  double seconds_per_unit = 0;  // 0: the clock is ideal
  double pair_heads_per_unit = 1, bytes_per_unit = 1;
  std::vector<Tile> tiles;      // by rank, then step
  std::vector<Flight> flights;  // by start
  std::vector<Copy> copies;
  std::vector<Link> links;  // by (from, to)
  std::vector<RankStory> ranks;
  Matrix matrix;
  std::vector<int> node_of_rank;  // all 0: one node
  int nodes = 1;

  std::optional<Numbers> numbers;
  /// Traces to draw: the measured one, and the one handed in.
  std::optional<Trace> measured, given;
  /// The simulator's run, where it is the clock or can be laid over it; else null.
  std::shared_ptr<const Simulated> simulated;

  int size() const { return schedule.size(); }
};

/// Brings a scenario within the limits and makes its fields agree, saying what was changed.
/// Afterwards make_story does not refuse it, unless a file that it names is missing or unfit.
std::vector<Sentence> fit_to_limits(Scenario& scenario, StoryOptions& options);

/// Tells the story. `given` is a trace for Clock::imported (drawn over the story whatever the
/// clock). Throws InputError as open_session and check_simulated do.
std::shared_ptr<const Story> make_story(Scenario scenario, StoryOptions options = {},
                                        std::optional<Trace> given = {});

/// "A" for shard 0, ... "Z", "A2", ...
std::string letter_of(int shard);
/// The palette index of what comes from several shards.
inline constexpr int kMixedColour = 64;

/// The palette index of a shard or rank, 0 to 63; of none in particular kMixedColour.
inline int colour_of(int shard) {
  return shard < 0 ? kMixedColour : shard % 64;
}
inline int colour_of(const Copy& copy) {
  return copy.mixed ? kMixedColour : colour_of(copy.origin);
}

}  // namespace ringlab::viz

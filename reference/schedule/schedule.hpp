// A schedule is data: for each rank, named buffers and an ordered list of steps, and nothing else.
//
// What a step costs, moves and proves follows from the contents of its buffers, so no reader
// (checker, ledger, executors, simulator, picture) asks which algorithm it reads. A new algorithm
// is one builder.
//
//   attend           visible tiles of query x key_value, folded into a partial result
//   attend_backward  their gradients, added to a query gradient and a key/value gradient
//   exchange         begins a group of point-to-point moves; does not wait
//   collective       begins an all-gather, all-to-all or reduce-scatter in a group; does not wait
//   wait             the only step that blocks
//   merge            folds one partial result into another
//   accumulate       adds one gradient to another
//   release          the buffer's memory is free, and the buffer empty, from here
//
// A buffer is a place. What it holds changes: a receive names what arrives, and a computation that
// writes into an empty buffer fills it (a partial result starts as the identity, a gradient at
// zero).
//
// Next: ring.hpp builds one, collective.hpp takes a collective apart into moves, contents.hpp
// follows what each buffer holds, check.hpp proves it.
#pragma once

#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "ringlab/reference/sequence/layout.hpp"

namespace ringlab {

enum class Quantity {
  query,               // Q
  key_value,           // K and V
  partial,             // O and lse over some of the keys
  output_gradient,     // dO
  row_statistics,      // lse of the whole row, and delta
  query_gradient,      // dQ
  key_value_gradient,  // dK and dV
};

const char* name(Quantity quantity);

/// A slice of one rank's shard: its local indices [first, first + count).
struct Piece {
  int shard = 0;
  Index first = 0;
  Index count = 0;
  bool operator==(const Piece&) const = default;
};

/// A quantity over some tokens and heads. Tokens are slices of the layouts' shards (of queries or
/// of keys, as the quantity wants), heads are query heads or key/value heads likewise.
struct Content {
  Quantity quantity = Quantity::query;
  std::vector<Piece> pieces;
  int first_head = 0;
  int heads = 0;
  bool operator==(const Content&) const = default;
};

/// An index into Schedule::contents.
using ContentId = int;
/// An index into RankProgram::buffers.
using BufferId = int;
inline constexpr ContentId kNothing = -1;

struct Buffer {
  std::string name;                // "query", "kv", "slot a"
  ContentId initially = kNothing;  // what it holds before the first step
  bool operator==(const Buffer&) const = default;
};

struct Attend {
  BufferId query, key_value, partial;
  bool operator==(const Attend&) const = default;
};

struct AttendBackward {
  BufferId query, output_gradient, row_statistics, key_value, query_gradient, key_value_gradient;
  bool operator==(const AttendBackward&) const = default;
};

/// One end of a point-to-point move. The content is what is sent, or what is to arrive.
struct Move {
  int peer = 0;
  BufferId buffer = 0;
  ContentId content = kNothing;
  bool operator==(const Move&) const = default;
};

struct Exchange {
  int id = 0;  // unique on its rank
  std::vector<Move> sends, receives;
  int channel = 0;  // what is begun on one channel runs in order; channels run side by side
  bool operator==(const Exchange&) const = default;
};

enum class CollectiveKind { all_gather, all_to_all, reduce_scatter };

const char* name(CollectiveKind kind);

/// All ranks of a group bring what they hold to where it is wanted: each token and head of
/// `receives` comes from the member that `sends` it, or, of a result that several members have
/// parts of, from all of them, summed (gradients) or merged (partial results). The kind names the
/// pattern of traffic.
struct Collective {
  int id = 0;  // unique on its rank, and the same on every rank of the group
  CollectiveKind kind = CollectiveKind::all_gather;
  std::vector<int> group;  // this rank among them; the same list on every member
  BufferId in = 0, out = 0;
  ContentId sends = kNothing, receives = kNothing;  // of `in`, and what `out` will hold
  int channel = 0;
  bool operator==(const Collective&) const = default;
};

struct Wait {
  int id = 0;  // of an exchange or collective
  bool operator==(const Wait&) const = default;
};

struct Merge {
  BufferId from, into;
  bool operator==(const Merge&) const = default;
};

struct Accumulate {
  BufferId from, into;
  bool operator==(const Accumulate&) const = default;
};

struct Release {
  BufferId buffer;
  bool operator==(const Release&) const = default;
};

using Action =
    std::variant<Attend, AttendBackward, Exchange, Collective, Wait, Merge, Accumulate, Release>;

struct Step {
  int hop = 0;  // which turn of the ring, for people and pictures
  Action action;
  bool operator==(const Step&) const = default;
};

struct RankProgram {
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  /// Where the results stand after the last step: buffers that together hold the rank's own shard,
  /// all heads. Empty where the schedule makes none.
  std::vector<BufferId> partial, query_gradient, key_value_gradient;
  bool operator==(const RankProgram&) const = default;
};

/// Finds contents by value for builders; says nothing about the schedule.
struct ContentIndex {
  std::unordered_multimap<std::size_t, ContentId> by_hash;
  std::vector<ContentId> whole;  // shards, by quantity and rank; kNothing where not yet known
  bool operator==(const ContentIndex&) const { return true; }
};

struct Schedule {
  std::string name;  // "ring"
  bool backward = false;
  int hops = 0;
  int query_heads = 1, kv_heads = 1, head_dim = 1;
  /// Largest number of key/value blocks (of the largest shard's size) alive on a rank that the
  /// algorithm promises; the checker holds it to that.
  int key_value_blocks = 3;
  Layout query_layout, key_layout;
  std::vector<Content> contents;
  std::vector<RankProgram> ranks;
  ContentIndex content_index = {};  // of add_content

  int size() const { return static_cast<int>(ranks.size()); }
  const Content& content(ContentId id) const { return contents[static_cast<std::size_t>(id)]; }
  const RankProgram& rank(int r) const { return ranks[static_cast<std::size_t>(r)]; }

  /// The tokens of a content, in the order in which a buffer holds them.
  Positions tokens_of(const Content& content) const;
  /// Number of tokens of a content.
  Index token_count(const Content& content) const;

  bool operator==(const Schedule&) const = default;
};

/// Bytes of one element of each kind. Float32 runs: 4 and 4; bfloat16 inputs with float32
/// accumulation: 2 and 4.
struct ElementBytes {
  int input = 4;        // Q, K, V, dO
  int accumulator = 4;  // O, lse, delta, dQ, dK, dV
  int wire_result = 0;  // O, dQ, dK, dV while they travel; 0: as in memory
};

/// Bytes that a content takes in memory.
Index bytes_of(const Schedule& schedule, const Content& content, const ElementBytes& element = {});
/// Bytes that it takes on the wire: less where results travel narrow (lse and delta never do).
Index wire_bytes_of(const Schedule& schedule, const Content& content,
                    const ElementBytes& element = {});

/// "kv3", "q0 heads 2-3": what a person calls the content.
std::string label(const Schedule& schedule, const Content& content);
std::string label(const Schedule& schedule, ContentId content);

/// The part that two contents of one quantity have in common, in the order of the first.
Content common_part(const Content& a, const Content& b);

/// True for the quantities over query tokens and query heads.
bool is_of_queries(Quantity quantity);

}  // namespace ringlab

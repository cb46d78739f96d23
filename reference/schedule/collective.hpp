// A collective as the moves it is made of: what every reader of a schedule needs to know of one.
//
// A member sends to each other member the part of its content that the other wants, as one message,
// and takes its own part without one. That is an all-to-all, and with everything wanted by everyone
// an all-gather; a reduce-scatter is the same with results that are summed where they arrive. Bytes
// per rank equal those of the ring algorithms: (G - 1) / G of the gathered data for equal parts.
#pragma once

#include <map>
#include <optional>

#include "ringlab/reference/schedule/schedule.hpp"

namespace ringlab {

/// One message of a collective.
struct PartMove {
  int peer = 0;
  Content part;  // of the sender's content, in its order; never empty
};

struct CollectiveMoves {
  std::vector<PartMove> sends, receives;  // in the order of the group
  std::optional<Content> own;             // what a member brings to itself, if anything
  /// True if several members bring parts of one token and head, so that parts are summed or merged
  /// and wait in memory of their own until then.
  bool reduces = false;
};

/// Finds the partners of a collective on the other ranks.
class CollectiveIndex {
 public:
  /// The schedule outlives this object.
  explicit CollectiveIndex(const Schedule& schedule);

  /// The collective of that id on a rank, or null.
  const Collective* find(int rank, int id) const;
  /// Throws InvariantError if a member lacks its part of the collective.
  CollectiveMoves moves(int rank, const Collective& collective) const;

 private:
  const Schedule& schedule_;
  std::map<std::pair<int, int>, const Collective*> by_rank_and_id_;
};

}  // namespace ringlab

// Which GPU each rank stands on, and what the slowest link of a ring is then.
#pragma once

#include <string>
#include <vector>

#include "ringlab/sim/cluster/cluster.hpp"

namespace ringlab {

enum class Placement {
  flat,       // rank r on GPU r
  topology,   // a ring of ranks crosses each outer network as rarely as it can; round a torus it
              // goes from neighbour to neighbour
  scattered,  // neighbouring ranks in different outermost members: what careless numbering gives
};

const char* name(Placement placement);
/// Throws InputError (field `placement`) that lists the names.
Placement placement_from(const std::string& text);

/// The GPU of each rank. Throws InputError (field `ranks`) for more ranks than GPUs.
std::vector<int> place_ranks(const Cluster& cluster, int ranks, Placement placement);

/// The slowest pair of neighbours of a ring rank 0 -> 1 -> ... -> 0.
struct RingBottleneck {
  int from_rank = 0, to_rank = 0;
  std::string level;  // the network between them; empty for one rank
  LinkSpec link;
};
/// The slowest by time of a message of `bytes`; the first of equals.
RingBottleneck ring_bottleneck(const Cluster& cluster, const std::vector<int>& placement,
                               double bytes);

}  // namespace ringlab

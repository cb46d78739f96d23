// The links of a cluster, numbered, and which of them a message between two GPUs takes.
//
// A crossbar gives each GPU (or so many that share one) a port out and a port in; a bus is one link
// for all its members; in a torus each chip has a link in both directions of each dimension, and a
// message goes dimension by dimension, the shorter way round. Ids are dense and computed, so that a
// cluster of any size costs nothing until a link is used.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ringlab/sim/cluster/cluster.hpp"

namespace ringlab {

class Network {
 public:
  /// The cluster outlives this object.
  explicit Network(const Cluster& cluster);

  /// The links from one GPU to another, in the order in which a message passes them.
  std::vector<std::int64_t> path(int a, int b) const;
  /// The level whose network a link belongs to.
  int level_of(std::int64_t link) const;
  /// "node gpu3 out", for people.
  std::string name(std::int64_t link) const;

 private:
  struct Place {
    std::int64_t first_link;
    int below;  // GPUs of one member
  };
  const Cluster* cluster_;
  std::vector<Place> levels_;
};

}  // namespace ringlab

// A described cluster: GPUs under levels of network, innermost first (node, rail, rack, ...).
//
// GPU g stands at the mixed-radix place of g in the sizes of the levels: in 2 nodes of 8, GPU 11 is
// GPU 3 of node 1. Two GPUs talk over the network of the outermost level at which their places
// differ.
#pragma once

#include <string>
#include <vector>

#include "ringlab/sim/cluster/gpu.hpp"

namespace ringlab {

enum class LevelKind {
  crossbar,  // every member has its own link into a switch that is never the bottleneck (NVSwitch,
             // rails)
  bus,       // one link that all members share (PCIe host bridge, Ethernet segment)
  torus,     // neighbours in one or more dimensions, wrapped
};

struct Level {
  std::string name;  // "node", "rail"
  int size = 1;      // members: GPUs of a node, nodes of a rack
  LevelKind kind = LevelKind::crossbar;
  LinkSpec link;                     // of one member GPU, one way
  bool store_and_forward = false;    // a switch receives the whole message before it sends it on
  std::vector<int> dimensions = {};  // of a torus; their product is the size
  int gpus_per_link = 1;  // so many neighbours share one link of a crossbar: a NIC for eight GPUs
  bool fair_share =
      false;  // concurrent messages share a link; else they queue, first come first served
  bool operator==(const Level&) const = default;
};

struct Cluster {
  std::string name;
  Gpu gpu;
  std::vector<Level> levels;        // innermost first
  double dollars_per_gpu_hour = 0;  // 0: not known
  std::string source;

  int gpus() const;
  /// The outermost level at which two different GPUs differ.
  int level_between(int a, int b) const;
  /// An uncontended message between two different GPUs, as alpha and beta.
  LinkSpec between(int a, int b) const;

  bool operator==(const Cluster&) const = default;
};

/// A cluster by preset name (sim/data/clusters; also "16x8xh100", "8xh100": nodes, GPUs, part) or
/// from a JSON file. Throws InputError: a part without bandwidth, sizes below one, a torus whose
/// dimensions do not multiply up, by field.
Cluster load_cluster(const std::string& name_or_file);

/// JSON that load_cluster reads back.
std::string to_json(const Cluster& cluster);

}  // namespace ringlab

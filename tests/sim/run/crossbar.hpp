// A cluster of one switch with round figures, and rings on it.
#pragma once

#include "ringlab/sim/run/simulate.hpp"
#include "tests/reference/schedule/problems.hpp"

namespace ringlab::test {

inline Cluster crossbar(int gpus, double bytes_per_second, double latency_seconds = 0) {
  Cluster cluster;
  cluster.name = "switch";
  cluster.gpu = {.name = "part", .flops_per_second = 1e15, .memory_bytes_per_second = 1e12};
  cluster.levels = {{.name = "node", .size = gpus, .link = {bytes_per_second, latency_seconds}}};
  return cluster;
}

/// Messages only cost their wire, tiles only their FLOPs: what closed forms count.
inline SimOptions bare(Cluster cluster, double flops_per_second) {
  SimOptions options;
  options.cluster = std::move(cluster);
  options.attention = AttentionCost::constant(flops_per_second);
  options.free_folds = true;
  return options;
}

}  // namespace ringlab::test

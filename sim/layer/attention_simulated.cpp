#include <algorithm>
#include <cmath>

#include "ringlab/sim/layer/attention_time.hpp"
#include "ringlab/sim/run/simulate.hpp"

namespace ringlab {
namespace {

// The group alone on the cluster, with links as slow as the other groups at work make them.
Cluster contended(const Machine& machine, const AttentionProblem& p) {
  Cluster cluster = machine.cluster();
  int below = 1;
  for (std::size_t l = 0; l < cluster.levels.size(); ++l) {
    Level& level = cluster.levels[l];
    const int block = below * level.size;
    if (level.kind == LevelKind::crossbar && level.gpus_per_link > 1) {
      // Members of this group behind one link queue for it by themselves.
      const int mine = std::max(1, std::min(level.gpus_per_link / p.stride, p.context));
      level.link.bytes_per_second *= static_cast<double>(mine) / level.gpus_per_link;
    } else if (level.kind == LevelKind::bus) {
      const int mine = std::max(1, std::min(block / p.stride, p.context));
      level.link.bytes_per_second *= static_cast<double>(mine) / block;
    }
    below = block;
  }
  return cluster;
}

}  // namespace

AttentionTime attention_simulated(const Machine& machine, const AttentionProblem& p) {
  ScheduleProblem problem;
  const Index tokens = static_cast<Index>(std::llround(p.shape.tokens)) * p.context;
  problem.key_layout = make_layout(LayoutKind::zigzag, whole_sequence(tokens), p.context);
  problem.query_layout = problem.key_layout;
  problem.query_heads = static_cast<int>(p.shape.query_heads);
  problem.kv_heads = static_cast<int>(p.shape.kv_heads);
  problem.head_dim = static_cast<int>(p.shape.head_dim);
  const int ring = p.context / std::max(1, p.ulysses);
  if (p.family == Family::ulysses_ring) {
    problem.degree = p.ulysses_inside ? Degree{{"U", p.ulysses}, {"R", ring}}
                                      : Degree{{"R", ring}, {"U", p.ulysses}};
  }
  SimOptions options;
  options.cluster = contended(machine, p);
  options.attention = machine.attention();
  options.mask.causal = p.causal;
  if (p.window > 0) options.mask.window_left = p.window - 1;
  options.element = {static_cast<int>(p.shape.input_bytes),
                     static_cast<int>(p.shape.accumulator_bytes)};
  options.longest_chain = false;
  options.free_folds = true;
  for (int rank = 0; rank < p.context; ++rank) options.placement.push_back(rank * p.stride);
  const CatalogEntry& entry = catalog_entry(p.context == 1 ? "ring" : name(p.family));
  const SimResult result = simulate(entry, problem, p.backward, options);
  AttentionTime time;
  time.total = result.seconds();
  for (const RankResult& rank : result.ranks) {
    time.compute = std::max(time.compute, static_cast<double>(rank.compute) * 1e-12);
  }
  return time;
}

}  // namespace ringlab

#include "ringlab/sim/layer/attention_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ringlab/sim/cost/collective_cost.hpp"

namespace ringlab {
namespace {

// A tile of so many tokens on each side, all heads given.
double tile_seconds(const Machine& machine, const AttentionProblem& p, double pairs, double queries,
                    double keys, double heads) {
  AttentionTile tile;
  tile.pair_heads = pairs * heads;
  tile.square_heads = queries * keys * heads;
  tile.queries = queries;
  tile.keys = keys;
  tile.query_heads = std::max(1, static_cast<int>(heads));
  tile.head_dim = static_cast<int>(p.shape.head_dim);
  tile.backward = p.backward;
  return machine.attention().seconds(tile);
}

struct Sizes {
  double query, block, out, statistics, query_gradient, block_gradient;  // bytes of one rank
};

Sizes sizes_of(const AttentionShape& s, double copies) {
  const double row = s.query_heads * s.head_dim, kv = 2 * s.kv_heads * s.head_dim * copies;
  return {s.tokens * row * s.input_bytes,
          s.tokens * kv * s.input_bytes,
          s.tokens * (row + s.query_heads) * s.accumulator_bytes,
          s.tokens * 2 * s.query_heads * s.accumulator_bytes,
          s.tokens * row * s.accumulator_bytes,
          s.tokens * kv * s.accumulator_bytes};
}

// A ring over `ranks` seats, each of `tokens` tokens and `heads` query heads.
AttentionTime ring_time(const Machine& machine, const AttentionProblem& p, const LinkSpec& hop,
                        int ranks, double tokens, double heads, double block,
                        double block_gradient) {
  const double square = tokens * tokens;
  const double mean = p.pairs / ranks / ranks;
  // Under a causal mask the own tile has its diagonal, the others exactly half.
  const bool plain = p.causal && p.window == 0;
  const double own = plain ? (square + tokens) / 2 : mean;
  const double other = plain ? square / 2 : mean;
  const double first = tile_seconds(machine, p, own, tokens, tokens, heads);
  const double next = tile_seconds(machine, p, other, tokens, tokens, heads);
  AttentionTime time;
  time.compute = first + (ranks - 1) * next;
  const double move = hop.seconds(block);
  if (!p.backward) {
    time.total = std::max(first, move) + (ranks - 2) * std::max(next, move) + next;
    return time;
  }
  // Gradients follow one hop behind, on the same link, and go home after the last tile.
  const double carry = hop.seconds(block_gradient);
  time.total = std::max(first, move) + (ranks - 2) * std::max(next, move + carry) +
               std::max(next, carry) + carry;
  return time;
}

}  // namespace

AttentionTime attention_closed_form(const Machine& machine, const AttentionProblem& p) {
  const double n = p.shape.tokens, heads = p.shape.query_heads;
  AttentionTime time;
  if (p.context == 1) {
    time.total = time.compute = tile_seconds(machine, p, p.pairs, n, n, heads);
    return time;
  }
  if (p.family == Family::all_gather) {
    const Sizes s = sizes_of(p.shape, 1);
    const GroupPath& path = machine.path({p.context, p.stride});
    time.compute = tile_seconds(machine, p, p.pairs / p.context, n, n * p.context, heads);
    time.total = time.compute + direct_exchange_seconds(path, s.block) +
                 (p.backward ? direct_exchange_seconds(path, s.block_gradient) : 0);
    return time;
  }
  const int u = p.family == Family::ulysses        ? p.context
                : p.family == Family::ulysses_ring ? p.ulysses
                                                   : 1;
  const int ring = p.context / u;
  const Sizes s = sizes_of(p.shape, std::max(1.0, u / p.shape.kv_heads));
  const int ring_stride = p.ulysses_inside ? p.stride * u : p.stride;
  const int swap_stride = p.ulysses_inside ? p.stride : p.stride * ring;
  if (ring == 1) {
    time.total = time.compute = tile_seconds(machine, p, p.pairs, n * u, n * u, heads / u);
  } else {
    const GroupPath& path = machine.path({ring, ring_stride});
    time = ring_time(machine, p, path.ring_hop, ring, n * u, heads / u, s.block, s.block_gradient);
  }
  if (u > 1) {
    const GroupPath& path = machine.path({u, swap_stride});
    const auto swap = [&](double bytes) { return direct_exchange_seconds(path, bytes / u); };
    if (!p.backward) {
      time.total += swap(s.query) + swap(s.block) + swap(s.out);
    } else {
      time.total += 2 * swap(s.query) + swap(s.statistics) + swap(s.block) +
                    swap(s.query_gradient) + swap(s.block_gradient);
    }
  }
  return time;
}

double break_even_tokens(const Machine& machine, AttentionProblem problem, Family better,
                         Family than, double most) {
  const auto gain = [&](double tokens) {
    problem.shape.tokens = tokens / problem.context;
    problem.pairs = problem.causal ? tokens * (tokens + 1) / 2 : tokens * tokens;
    problem.family = better;
    const double a = attention_closed_form(machine, problem).total;
    problem.family = than;
    return attention_closed_form(machine, problem).total - a;
  };
  double low = 2.0 * problem.context, high = low;
  if (gain(low) > 0) return 0;
  while (gain(high) <= 0) {
    low = high;
    high *= 2;
    if (high > most) return std::numeric_limits<double>::infinity();
  }
  while (high / low > 1.001) {
    const double middle = std::sqrt(low * high);
    (gain(middle) > 0 ? high : low) = middle;
  }
  return high;
}

}  // namespace ringlab

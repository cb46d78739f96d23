// Runs a schedule in simulated time on a described cluster.
//
// The interpreter knows steps and contents, and no algorithm. A rank's program goes on step by
// step: a tile takes the compute lane for as long as AttentionCost says, an exchange or collective
// is begun and goes on by itself, `wait` blocks. What is begun on one channel of a rank runs in
// order; a message starts once both ends have come to it, and queues for the links on its path.
// Everything hop by hop, nothing drawn at random unless jitter is asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/trace/trace.hpp"
#include "ringlab/sim/cluster/cluster.hpp"
#include "ringlab/sim/cost/attention_cost.hpp"
#include "ringlab/sim/engine/workload.hpp"

namespace ringlab {

/// A rank whose computation takes `factor` times as long (>= 1).
struct Straggler {
  int rank = 0;
  double factor = 1;
};

/// From `seconds` on, the first link on the way from one rank to another carries nothing.
struct LinkLoss {
  int from_rank = 0, to_rank = 0;
  double seconds = 0;
};

/// The first link on the way from one rank to another carries so many times fewer bytes a second
/// (>= 1), for all that goes over it.
struct SlowLink {
  int from_rank = 0, to_rank = 0;
  double factor = 1;
};

struct SimOptions {
  Cluster cluster;
  AttentionCost attention = AttentionCost::constant(1e15);
  Mask mask;
  ElementBytes element{2, 4};
  std::vector<int> placement;  // GPU of each rank; empty: rank r on GPU r
  bool free_folds = false;     // merging and adding take no time: closed forms leave them out
  std::vector<Straggler> stragglers;
  std::vector<SlowLink> slow_links;
  double jitter = 0;  // tiles take up to so much longer: 1 + jitter * |standard normal|
  std::uint64_t seed = 1;
  std::optional<LinkLoss> link_loss;
  bool keep_trace = false;
  bool longest_chain = true;  // find that lower bound too, by a second run without queues
};

/// Bytes by what is held.
struct MemoryParts {
  Index query = 0;               // Q
  Index key_value = 0;           // K and V, own and in flight
  Index partial = 0;             // O and lse
  Index output_gradient = 0;     // dO
  Index row_statistics = 0;      // lse and delta
  Index query_gradient = 0;      // dQ
  Index key_value_gradient = 0;  // dK and dV, own and in flight
  Index waiting = 0;             // parts of a reduction until all have come
  Index total() const {
    return query + key_value + partial + output_gradient + row_statistics + query_gradient +
           key_value_gradient + waiting;
  }
  bool operator==(const MemoryParts&) const = default;
};

/// One rank.
struct RankResult {
  Picoseconds compute = 0;   // compute lane busy
  Picoseconds transfer = 0;  // time in which the rank sends, receives or both
  Picoseconds hidden = 0;    // transfer under computation
  Picoseconds exposed = 0;   // the rest of the transfer
  Picoseconds finish = 0;
  double straggler = 1;
  Index messages_sent = 0, messages_received = 0;
  Index bytes_sent = 0, bytes_received = 0;
  MemoryParts memory;  // at the moment of the rank's peak
  double flops = 0;    // of visible pairs
};

/// One link that was used.
struct LinkResult {
  std::int64_t id = 0;  // of Network
  std::string name;     // "node gpu3 out"
  std::string level;    // "node"
  std::int64_t messages = 0, bytes = 0;
  Picoseconds busy = 0;
  Picoseconds queued = 0;       // that messages waited for their path, this link last
  Picoseconds most_queued = 0;  // of one message
  double bytes_per_second = 0;
};

/// A time that no run can beat, by what it is counted from.
struct LowerBound {
  std::string name;  // "compute of rank 3"
  double seconds = 0;
};

struct SimResult {
  Picoseconds total = 0;  // until the last rank is done
  double seconds() const { return static_cast<double>(total) * 1e-12; }
  std::int64_t nanoseconds() const { return total / 1000; }
  std::vector<RankResult> ranks;
  std::vector<LinkResult> links;   // in the order of the cluster's numbering
  std::vector<LowerBound> bounds;  // compute, each rank's transfers, links, longest chain
  const LowerBound& tightest() const;
  std::int64_t events = 0;
  int hops = 0;
  std::string schedule;  // its name
  bool backward = false;
  Trace trace;  // if kept; nanoseconds

  int busiest_rank() const;     // by compute
  double hidden_share() const;  // of all ranks' transfer; 1 if there is none
};

/// Simulates a whole schedule. Throws InputError (fields `ranks`, `placement`, `straggler`,
/// `slow_link`, `tokens`) for what the cluster cannot take, RunError for a run that ends in a
/// deadlock (the cycle of who waits for whom) or on a lost link (link, time and who waits).
SimResult simulate(const Schedule& schedule, const SimOptions& options);

/// The same for a schedule of the catalog, built a few ranks at a time: a ring of 1024 ranks never
/// stands in memory as a whole. Throws InputError from the builder, too.
SimResult simulate(const CatalogEntry& entry, const ScheduleProblem& problem, bool backward,
                   const SimOptions& options);

}  // namespace ringlab

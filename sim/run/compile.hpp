// A schedule as the engine's workload, one rank after another: what steps cost and move follows
// from the contents of their buffers.
#pragma once

#include <unordered_map>

#include "ringlab/reference/schedule/collective.hpp"
#include "ringlab/sim/cluster/network.hpp"
#include "ringlab/sim/run/simulate.hpp"

namespace ringlab::detail {

/// What people read of an operation or of one end of a message.
struct Label {
  std::string text;
  int hop = 0;
  double flops = 0;
};

/// The workload, and what is counted on the way.
struct Compiled {
  engine::Workload work;
  std::vector<std::int64_t> link_ids;  // of Network, by the workload's links
  std::vector<RankResult> ranks;       // all but the times
  std::vector<Picoseconds> compute;    // of each rank, without jitter
  std::vector<Picoseconds> channels;   // of each rank's channel that takes longest, uncontended
  std::vector<Label> ops;              // if labels are kept, one an operation
  std::vector<Label> sends, receives;  // likewise, one a message
};

class Compiler {
 public:
  /// Both outlive this object. Throws InputError for options that do not fit the cluster.
  Compiler(int ranks, const SimOptions& options, bool keep_labels);

  /// Appends the program of the next rank. `collectives` is null where there are none.
  void add_rank(const Schedule& schedule, int rank, const CollectiveIndex* collectives);
  /// Throws RunError for a message that has only one end.
  Compiled take();

 private:
  friend class RankCompiler;
  // The messages from one rank to another on one channel, in order: the k-th sent is the k-th
  // received.
  struct Pairing {
    std::vector<engine::Id> messages;
    std::size_t sent = 0, received = 0;
    engine::Id path = 0;
    double first_link = 0, whole_path = 0;  // picoseconds a byte, uncontended
    Picoseconds latency = 0;
  };
  struct Key {
    int from, to, channel, collective;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  Pairing& pairing(const Key& key);
  engine::Id path(int from, int to);
  engine::Id link(std::int64_t id);

  const SimOptions& options_;
  bool labels_;
  Network network_;
  std::vector<int> placement_;
  std::unordered_map<Key, Pairing, KeyHash> pairings_;
  std::unordered_map<std::uint64_t, engine::Id> paths_;
  std::unordered_map<std::int64_t, engine::Id> links_;
  std::unordered_map<std::int64_t, double> slow_;  // factor of a link of Network
  Compiled compiled_;
};

}  // namespace ringlab::detail

// Workloads by hand, in few words.
#pragma once

#include "ringlab/sim/engine/engine.hpp"

namespace ringlab::engine::test {

class Builder {
 public:
  explicit Builder(int ranks) : programs_(static_cast<std::size_t>(ranks)) {}

  Id link(double picoseconds_per_byte, bool fair_share = false) {
    work_.links.push_back({picoseconds_per_byte, fair_share});
    return static_cast<Id>(work_.links.size()) - 1;
  }
  Id path(const std::vector<Id>& links, Picoseconds latency = 0, bool store_and_forward = false) {
    work_.paths.push_back({static_cast<std::int64_t>(work_.path_links.size()),
                           static_cast<std::int32_t>(links.size()), store_and_forward, latency});
    work_.path_links.insert(work_.path_links.end(), links.begin(), links.end());
    return static_cast<Id>(work_.paths.size()) - 1;
  }
  Id message(std::int64_t bytes, Id path) {
    work_.messages.push_back({bytes, path});
    return static_cast<Id>(work_.messages.size()) - 1;
  }
  /// A group of a rank that sends and receives; its number.
  Id group(Id rank, Id channel, const std::vector<Id>& sends, const std::vector<Id>& receives) {
    const Id g = static_cast<Id>(work_.groups.size());
    work_.groups.push_back({rank, channel, static_cast<Id>(work_.group_messages.size()),
                            static_cast<Id>(sends.size() + receives.size())});
    for (const Id m : sends) {
      work_.messages[static_cast<std::size_t>(m)].sender = g;
      work_.group_messages.push_back(m);
    }
    for (const Id m : receives) {
      work_.messages[static_cast<std::size_t>(m)].receiver = g;
      work_.group_messages.push_back(m);
    }
    work_.channels = std::max(work_.channels, channel + 1);
    return g;
  }
  void compute(Id rank, Picoseconds time) { add(rank, {time, kNone, OpKind::compute}); }
  void begin(Id rank, Id group) { add(rank, {0, group, OpKind::begin}); }
  void wait(Id rank, Id group) { add(rank, {0, group, OpKind::wait}); }
  /// One message on channels of its own, begun and waited for at once.
  void pass(Id from, Id to, std::int64_t bytes, Id path) {
    const Id m = message(bytes, path);
    for (const bool send : {true, false}) {
      const Id rank = send ? from : to;
      const Id g =
          send ? group(rank, work_.channels, {m}, {}) : group(rank, work_.channels, {}, {m});
      begin(rank, g);
      wait(rank, g);
    }
  }
  Workload& work() {
    work_.ops.clear();
    work_.first_op = {0};
    for (const std::vector<Op>& program : programs_) {
      work_.ops.insert(work_.ops.end(), program.begin(), program.end());
      work_.first_op.push_back(static_cast<std::int64_t>(work_.ops.size()));
    }
    return work_;
  }

 private:
  void add(Id rank, const Op& op) { programs_[static_cast<std::size_t>(rank)].push_back(op); }
  std::vector<std::vector<Op>> programs_;
  Workload work_;
};

}  // namespace ringlab::engine::test

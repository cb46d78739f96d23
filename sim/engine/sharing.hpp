// Links that all messages on them share equally, as an Ethernet segment or a host bridge does.
//
// A message goes at the smallest of its shares. Whenever one comes or goes, those that meet it on a
// link are settled up to now and get a new time of arrival.
#pragma once

#include <vector>

#include "ringlab/sim/engine/event_queue.hpp"
#include "ringlab/sim/engine/workload.hpp"

namespace ringlab::engine {

class Sharing {
 public:
  explicit Sharing(const Workload& workload)
      : workload_(workload), on_link_(workload.links.size()), busy_since_(workload.links.size()) {}

  struct Done {
    Id message = kNone;  // kNone: the event was overtaken by a newer one
    Picoseconds started = 0;
  };

  /// A message sets out. New times of arrival are pushed with keys that `done` takes.
  void add(Id message, Picoseconds now, std::uint64_t kind, EventQueue& queue);
  /// The event of a key has come.
  Done done(std::uint64_t key, Picoseconds now, std::uint64_t kind, EventQueue& queue);
  /// Time during which the link carried something.
  Picoseconds busy(Id link) const { return busy_since_[static_cast<std::size_t>(link)].sum; }

 private:
  struct Flow {
    Id message = kNone;
    double remaining = 0;  // bytes
    double bytes_per_picosecond = 0;
    Picoseconds started = 0, settled = 0;
    std::uint32_t version = 0;
  };
  struct Busy {
    Picoseconds since = 0, sum = 0;
  };
  void retime(const Path& path, Picoseconds now, std::uint64_t kind, EventQueue& queue);

  const Workload& workload_;
  std::vector<Flow> flows_;
  std::vector<Id> free_;
  std::vector<std::vector<Id>> on_link_;  // flows
  std::vector<Busy> busy_since_;
};

}  // namespace ringlab::engine

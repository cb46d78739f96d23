#include "ringlab/sim/engine/sharing.hpp"

#include <algorithm>
#include <cmath>

namespace ringlab::engine {
namespace {

constexpr std::uint32_t kVersions = 1u << 24;

}  // namespace

void Sharing::add(Id message, Picoseconds now, std::uint64_t kind, EventQueue& queue) {
  const Message& m = workload_.messages[static_cast<std::size_t>(message)];
  const Path& path = workload_.paths[static_cast<std::size_t>(m.path)];
  Id slot = static_cast<Id>(flows_.size());
  if (free_.empty()) {
    flows_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  Flow& flow = flows_[static_cast<std::size_t>(slot)];
  flow = {message, static_cast<double>(m.bytes), 0, now, now, flow.version};
  for (int i = 0; i < path.links; ++i) {
    const auto link = static_cast<std::size_t>(
        workload_.path_links[static_cast<std::size_t>(path.first_link + i)]);
    if (on_link_[link].empty()) busy_since_[link].since = now;
    on_link_[link].push_back(slot);
  }
  retime(path, now, kind, queue);
}

void Sharing::retime(const Path& path, Picoseconds now, std::uint64_t kind, EventQueue& queue) {
  std::vector<Id> met;
  for (int i = 0; i < path.links; ++i) {
    const Id link = workload_.path_links[static_cast<std::size_t>(path.first_link + i)];
    const std::vector<Id>& flows = on_link_[static_cast<std::size_t>(link)];
    met.insert(met.end(), flows.begin(), flows.end());
  }
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  for (const Id slot : met) {
    Flow& flow = flows_[static_cast<std::size_t>(slot)];
    flow.remaining -= flow.bytes_per_picosecond * static_cast<double>(now - flow.settled);
    flow.settled = now;
    double slowest = 0;  // picoseconds a byte
    const Message& m = workload_.messages[static_cast<std::size_t>(flow.message)];
    const Path& own = workload_.paths[static_cast<std::size_t>(m.path)];
    for (int i = 0; i < own.links; ++i) {
      const auto link = static_cast<std::size_t>(
          workload_.path_links[static_cast<std::size_t>(own.first_link + i)]);
      slowest = std::max(slowest, workload_.links[link].picoseconds_per_byte *
                                      static_cast<double>(on_link_[link].size()));
    }
    flow.bytes_per_picosecond = 1 / slowest;
    const double left = std::min(std::max(0.0, flow.remaining) * slowest, 0x1p61);
    flow.version = (flow.version + 1) % kVersions;
    queue.push({now + static_cast<Picoseconds>(std::llround(left)),
                kind | std::uint64_t{flow.version} << 32 | static_cast<std::uint32_t>(slot)});
  }
}

Sharing::Done Sharing::done(std::uint64_t key, Picoseconds now, std::uint64_t kind,
                            EventQueue& queue) {
  const auto slot = static_cast<Id>(key & 0xffffffffu);
  Flow& flow = flows_[static_cast<std::size_t>(slot)];
  if (flow.message == kNone || flow.version != (key >> 32) % kVersions) return {};
  const Done done{flow.message, flow.started};
  flow.message = kNone;
  const Message& m = workload_.messages[static_cast<std::size_t>(done.message)];
  const Path& path = workload_.paths[static_cast<std::size_t>(m.path)];
  for (int i = 0; i < path.links; ++i) {
    const auto link = static_cast<std::size_t>(
        workload_.path_links[static_cast<std::size_t>(path.first_link + i)]);
    std::vector<Id>& flows = on_link_[link];
    flows.erase(std::find(flows.begin(), flows.end(), slot));
    if (flows.empty()) busy_since_[link].sum += now - busy_since_[link].since;
  }
  free_.push_back(slot);
  retime(path, now, kind, queue);
  return done;
}

}  // namespace ringlab::engine

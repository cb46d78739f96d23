#include "ringlab/reference/schedule/catalog.hpp"

#include <fmt/format.h>

#include "ringlab/reference/schedule/all_gather.hpp"
#include "ringlab/reference/schedule/bidirectional_ring.hpp"
#include "ringlab/reference/schedule/decode.hpp"
#include "ringlab/reference/schedule/double_ring.hpp"
#include "ringlab/reference/schedule/query_ring.hpp"
#include "ringlab/reference/schedule/ring.hpp"
#include "ringlab/reference/schedule/ulysses.hpp"

namespace ringlab {
namespace {

void check_degree(const CatalogEntry& entry, const ScheduleProblem& problem) {
  if (!entry.axes.empty() || problem.degree.empty()) return;
  throw InputError("degree", to_text(problem.degree),
                   fmt::format("{} has no mesh; leave it out", entry.name));
}

}  // namespace

const std::vector<CatalogEntry>& schedule_catalog() {
  static const std::vector<CatalogEntry> entries = {
      {"ring",
       "queries stay, key/value blocks pass from neighbour to neighbour",
       {},
       ring_forward,
       ring_backward},
      {"bidirectional_ring",
       "half of every block goes each way round",
       {},
       bidirectional_ring_forward,
       bidirectional_ring_backward},
      {"double_ring",
       "inner rings over fast links, an outer ring behind whole inner turns",
       {"I", "O"},
       double_ring_forward,
       double_ring_backward},
      {"query_ring",
       "keys and values stay, queries travel, partial results come home",
       {},
       query_ring_forward,
       query_ring_backward},
      {"auto",
       "ring or query_ring, by the published rule",
       {},
       auto_ring_forward,
       auto_ring_backward},
      {"all_gather",
       "every rank gathers all keys and values, then computes alone",
       {},
       all_gather_forward,
       all_gather_backward},
      {"all_gather_heads",
       "the same, one key/value head at a time",
       {},
       all_gather_heads_forward,
       all_gather_heads_backward},
      {"ulysses",
       "all-to-all from sequence shards to head shards and back",
       {},
       ulysses_forward,
       ulysses_backward},
      {"ulysses_ring",
       "Ulysses in groups, rings across them",
       {"U", "R"},
       ulysses_ring_forward,
       ulysses_ring_backward},
      {"decode_tree",
       "few queries over a sharded cache, results merged up a tree",
       {},
       decode_tree,
       nullptr},
      {"decode_ring",
       "few queries go round a sharded cache with their result",
       {},
       decode_ring,
       nullptr},
  };
  return entries;
}

const CatalogEntry& catalog_entry(const std::string& name) {
  std::string names;
  for (const CatalogEntry& entry : schedule_catalog()) {
    if (entry.name == name) return entry;
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  throw InputError("schedule", fmt::format("'{}'", name), "use one of: " + names);
}

Schedule forward_of(const CatalogEntry& entry, const ScheduleProblem& problem) {
  check_degree(entry, problem);
  return entry.forward(problem);
}

Schedule backward_of(const CatalogEntry& entry, const ScheduleProblem& problem) {
  check_degree(entry, problem);
  if (entry.backward) return entry.backward(problem);
  throw InputError("backward", fmt::format("true with schedule {}", entry.name),
                   "leave backward out, or take a schedule that has one, such as ring");
}

}  // namespace ringlab

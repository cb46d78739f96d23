#include "ringlab/reference/schedule/catalog.hpp"

#include <fmt/format.h>

#include "ringlab/reference/schedule/ring.hpp"

namespace ringlab {

const std::vector<CatalogEntry>& schedule_catalog() {
  static const std::vector<CatalogEntry> entries = {
      {"ring",
       "queries stay, key/value blocks pass from neighbour to neighbour",
       {},
       ring_forward,
       ring_backward},
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

Schedule backward_of(const CatalogEntry& entry, const ScheduleProblem& problem) {
  if (entry.backward) return entry.backward(problem);
  throw InputError("backward", fmt::format("true with schedule {}", entry.name),
                   "leave backward out, or take a schedule that has one, such as ring");
}

}  // namespace ringlab

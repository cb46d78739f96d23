// The schedules by name: the one place that knows which algorithms there are.
#pragma once

#include <string>
#include <vector>

#include "ringlab/reference/schedule/builder.hpp"

namespace ringlab {

struct CatalogEntry {
  std::string name;
  std::string summary;            // one line
  std::vector<std::string> axes;  // of its mesh, for --degree; empty: it takes none
  Schedule (*forward)(const ScheduleProblem&);
  Schedule (*backward)(const ScheduleProblem&);  // null: this one has no backward
};

const std::vector<CatalogEntry>& schedule_catalog();

/// Throws InputError (field `schedule`) that lists the names.
const CatalogEntry& catalog_entry(const std::string& name);

/// Builds one. Throws InputError: field `degree` for a mesh that an entry does not have or that
/// does not fit, field `backward` for an entry that has none.
Schedule forward_of(const CatalogEntry& entry, const ScheduleProblem& problem);
Schedule backward_of(const CatalogEntry& entry, const ScheduleProblem& problem);

}  // namespace ringlab

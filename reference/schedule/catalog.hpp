// The schedules by name: the one place that knows which algorithms there are.
#pragma once

#include <string>
#include <vector>

#include "ringlab/reference/schedule/builder.hpp"

namespace ringlab {

struct CatalogEntry {
  std::string name;
  std::string summary;  // one line
  Schedule (*forward)(const ScheduleProblem&, Rotation);
  Schedule (*backward)(const ScheduleProblem&, Rotation);
};

const std::vector<CatalogEntry>& schedule_catalog();

/// Throws InputError (field `schedule`) that lists the names.
const CatalogEntry& catalog_entry(const std::string& name);

}  // namespace ringlab

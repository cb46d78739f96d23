// The generated cases as each schedule of the catalog can take them: head counts that a degree
// divides, meshes of every shape.
#pragma once

#include "ringlab/reference/schedule/catalog.hpp"
#include "tests/cases.hpp"

namespace ringlab::test {

/// The case with as many heads as the family needs.
Case fit_case(Case c, const CatalogEntry& entry);

/// The problem of a fitted case: either direction, and for meshes one of the factorisations of its
/// ranks in one of the orders that the family knows.
ScheduleProblem problem_for(const Case& c, const CatalogEntry& entry);

}  // namespace ringlab::test

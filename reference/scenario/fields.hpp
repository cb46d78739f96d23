// The table of a scenario's fields: one row each, and everything else is made from it.
#pragma once

#include "ringlab/reference/scenario/scenario.hpp"
#include "ringlab/reference/scenario/value.hpp"

namespace ringlab::detail {

struct Field {
  std::string name;
  FieldType type;
  std::string help;  // one sentence
  FieldValue (*get)(const Scenario&);
  void (*set)(Scenario&, const FieldValue&);  // of a checked value
};

const std::vector<Field>& fields();

/// Throws InputError (field: the unknown name) that suggests the nearest known one.
const Field& field_named(const std::string& name);

}  // namespace ringlab::detail

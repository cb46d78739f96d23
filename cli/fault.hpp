// What `ringlab run` and `ringlab schedule` say about planted faults and their symptoms.
#pragma once

#include <nlohmann/json.hpp>

#include "ringlab/reference/fault/fault.hpp"
#include "ringlab/reference/session/symptoms.hpp"

namespace ringlab::cli {

/// `--fault list`: each with its part and what it is; with `json` all that is known. The exit code.
int list_faults(bool json);

/// Which rows and gradients are wrong, a line each.
void print_symptoms(const Symptoms& symptoms);
nlohmann::ordered_json symptoms_json(const Symptoms& symptoms);

}  // namespace ringlab::cli

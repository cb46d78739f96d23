// Known mistakes of ring attention, planted on purpose: each is a named change to a plan (to its
// schedule, its mask, its merge, its gradients) that somebody really made, one file each.
//
// A plan with a fault runs like any other. What it gives is wrong in a way that can be told from
// the outside, and that is what the lessons, the picture and the comparison of foreign tensors use
// it for. The judge of a run is not touched: it takes the rule of the plan, which no fault changes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ringlab/reference/execute/attention.hpp"

namespace ringlab {

/// What a fault changes.
enum class FaultPart { merge, mask, rule, schedule, gradient };

const char* name(FaultPart part);

struct PlantedFault {
  std::string name;
  FaultPart part;
  std::string title;        // one line
  std::string symptom;      // what a person sees
  std::string cause;        // what the code did
  std::string seen;         // the public thread in which it was told, or that there is none
  std::string fingerprint;  // what tells it from the others
  /// Scenario fields, beside those of fault_probe(), with which it shows: {"backward", "true"}.
  std::vector<std::pair<std::string, std::string>> fields;
  /// True where the checker refuses the schedule before a number is computed.
  bool found_by_checker = false;
  /// Plants it. Throws InputError (field `fault`) where the plan has nothing that it could spoil.
  void (*plant)(AttentionPlan&);
};

/// All of them, in the order of their parts.
const std::vector<PlantedFault>& fault_catalog();

/// Throws InputError (field `fault`) that lists the names.
const PlantedFault& planted_fault(const std::string& name);

/// Plants a fault into a plan whose schedules are `ring`. Throws InputError (field `fault`).
void plant(const PlantedFault& fault, AttentionPlan& plan);

/// Scenario fields of the smallest run that tells nearly all of them apart: 16 tokens, 4 ranks,
/// grouped heads, causal, rotary, zigzag.
const std::vector<std::pair<std::string, std::string>>& fault_probe();

}  // namespace ringlab

#include <fmt/format.h>

#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab {

const char* name(FaultPart part) {
  switch (part) {
    case FaultPart::merge:
      return "merge";
    case FaultPart::mask:
      return "mask";
    case FaultPart::rule:
      return "rule";
    case FaultPart::schedule:
      return "schedule";
    case FaultPart::gradient:
      return "gradient";
  }
  return "?";
}

const std::vector<PlantedFault>& fault_catalog() {
  static const std::vector<PlantedFault> faults = {
      fault::merge_newest_only(),
      fault::merge_lse_added(),
      fault::merge_averaged(),
      fault::merge_without_rescale(),
      fault::lse_base_two(),
      fault::lse_of_empty_wins(),
      fault::accumulator_bfloat16(),
      fault::mask_local_indices(),
      fault::mask_strict_diagonal(),
      fault::mask_other_direction(),
      fault::mask_as_contiguous(),
      fault::mask_top_left(),
      fault::window_lost(),
      fault::window_off_by_one(),
      fault::documents_ignored(),
      fault::scale_forgotten(),
      fault::kv_head_modulo(),
      fault::rotary_local_positions(),
      fault::last_hop_skipped(),
      fault::local_block_only(),
      fault::stale_block(),
      fault::sends_first(),
      fault::gradient_one_hop_too_far(),
      fault::gradient_last_hop_lost(),
      fault::gradient_local_kv(),
      fault::delta_per_hop(),
      fault::lse_per_hop(),
      fault::gradient_group_mean(),
  };
  return faults;
}

const PlantedFault& planted_fault(const std::string& name) {
  std::string names;
  for (const PlantedFault& fault : fault_catalog()) {
    if (fault.name == name) return fault;
    names += (names.empty() ? "" : ", ") + fault.name;
  }
  throw InputError("fault", fmt::format("'{}'", name), "use list, or one of: " + names);
}

void plant(const PlantedFault& fault, AttentionPlan& plan) {
  if (plan.forward.name != "ring") {
    throw InputError("fault", fmt::format("{} with schedule {}", fault.name, plan.forward.name),
                     "faults are planted into --schedule ring");
  }
  fault.plant(plan);
}

const std::vector<std::pair<std::string, std::string>>& fault_probe() {
  static const std::vector<std::pair<std::string, std::string>> fields = {
      {"tokens", "16"},  {"ranks", "4"},       {"heads", "4"},     {"kv_heads", "2"},
      {"head_dim", "8"}, {"layout", "zigzag"}, {"mask", "causal"}, {"rotary_base", "10000"}};
  return fields;
}

}  // namespace ringlab

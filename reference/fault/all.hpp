// Every fault by name; catalog.cpp puts them in order.
#pragma once

#include "ringlab/reference/fault/fault.hpp"

namespace ringlab::fault {

PlantedFault merge_newest_only();
PlantedFault merge_lse_added();
PlantedFault merge_averaged();
PlantedFault merge_without_rescale();
PlantedFault lse_base_two();
PlantedFault lse_of_empty_wins();
PlantedFault accumulator_bfloat16();
PlantedFault mask_local_indices();
PlantedFault mask_strict_diagonal();
PlantedFault mask_other_direction();
PlantedFault mask_as_contiguous();
PlantedFault mask_top_left();
PlantedFault window_lost();
PlantedFault window_off_by_one();
PlantedFault documents_ignored();
PlantedFault scale_forgotten();
PlantedFault kv_head_modulo();
PlantedFault rotary_local_positions();
PlantedFault last_hop_skipped();
PlantedFault local_block_only();
PlantedFault stale_block();
PlantedFault sends_first();
PlantedFault gradient_one_hop_too_far();
PlantedFault gradient_last_hop_lost();
PlantedFault gradient_local_kv();
PlantedFault delta_per_hop();
PlantedFault lse_per_hop();
PlantedFault gradient_group_mean();

}  // namespace ringlab::fault

// GPUs and links as JSON values, for the files of GPUs and of clusters alike.
#pragma once

#include "ringlab/sim/cluster/gpu.hpp"
#include "ringlab/sim/cluster/json_fields.hpp"

namespace ringlab::detail {

/// The fields of a link, among others of the same object.
LinkSpec link_from(JsonFields& fields);
nlohmann::ordered_json link_json(const LinkSpec& link);

Gpu gpu_from(const Json& json, const std::string& place);
nlohmann::ordered_json gpu_json(const Gpu& gpu);

}  // namespace ringlab::detail

#include "ringlab/sim/cluster/gpu.hpp"

#include "ringlab/sim/cluster/gpu_json.hpp"

namespace ringlab {

using detail::Json;
using detail::JsonFields;

namespace detail {

// Wide enough for any machine there is; what lies outside is a unit confused.
LinkSpec link_from(JsonFields& fields) {
  return {fields.number("bytes_per_second", 1e3, 1e15), fields.number("latency_seconds", 0, 10)};
}

nlohmann::ordered_json link_json(const LinkSpec& link) {
  return {{"bytes_per_second", link.bytes_per_second}, {"latency_seconds", link.latency_seconds}};
}

Gpu gpu_from(const Json& json, const std::string& place) {
  JsonFields fields(json, place);
  Gpu gpu;
  gpu.name = fields.text("name");
  gpu.flops_per_second = fields.number("flops_per_second", 1e6, 1e20);
  gpu.reached_flops_per_second =
      fields.number_or("reached_flops_per_second", gpu.flops_per_second, 1e6, gpu.flops_per_second);
  gpu.memory_bytes = fields.number("memory_bytes", 1e6, 1e16);
  gpu.memory_bytes_per_second = fields.number("memory_bytes_per_second", 1e6, 1e16);
  if (fields.has("host")) {
    JsonFields host(fields.at("host"), fields.name("host"));
    gpu.host = link_from(host);
    host.finish();
  }
  if (fields.has("scale_up")) {
    JsonFields scale_up(fields.at("scale_up"), fields.name("scale_up"));
    gpu.scale_up = link_from(scale_up);
    gpu.scale_up_gpus = scale_up.integer("gpus", 1, 1 << 20);
    scale_up.finish();
  }
  if (fields.has("nic")) {
    JsonFields nic(fields.at("nic"), fields.name("nic"));
    gpu.nic = link_from(nic);
    nic.finish();
  }
  gpu.source = fields.text_or("source", "");
  fields.finish();
  return gpu;
}

nlohmann::ordered_json gpu_json(const Gpu& gpu) {
  nlohmann::ordered_json json = {{"name", gpu.name},
                                 {"flops_per_second", gpu.flops_per_second},
                                 {"reached_flops_per_second", gpu.reached_flops_per_second},
                                 {"memory_bytes", gpu.memory_bytes},
                                 {"memory_bytes_per_second", gpu.memory_bytes_per_second}};
  if (gpu.host.bytes_per_second > 0) json["host"] = link_json(gpu.host);
  if (gpu.scale_up.bytes_per_second > 0) {
    json["scale_up"] = link_json(gpu.scale_up);
    json["scale_up"]["gpus"] = gpu.scale_up_gpus;
  }
  if (gpu.nic.bytes_per_second > 0) json["nic"] = link_json(gpu.nic);
  json["source"] = gpu.source;
  return json;
}

}  // namespace detail

Gpu load_gpu(const std::string& name_or_file) {
  const std::string text = detail::preset_or_file("gpus", name_or_file, "gpu");
  const Json json = detail::parse_json(text, name_or_file);
  return detail::gpu_from(json, "");
}

std::string to_json(const Gpu& gpu) {
  return detail::gpu_json(gpu).dump(2) + "\n";
}

}  // namespace ringlab

#include "ringlab/sim/cost/calibration.hpp"

#include <algorithm>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/sim/cluster/gpu_json.hpp"

namespace ringlab {

using detail::Json;
using detail::JsonFields;

namespace {

LinkSpec whole_link(const Json& json, const std::string& place) {
  JsonFields fields(json, place);
  const LinkSpec link = detail::link_from(fields);
  fields.finish();
  return link;
}

}  // namespace

void Calibration::apply_to(Cluster& cluster) const {
  Gpu& gpu = cluster.gpu;
  if (reached_flops_per_second) {
    gpu.reached_flops_per_second = *reached_flops_per_second;
    gpu.flops_per_second = std::max(gpu.flops_per_second, *reached_flops_per_second);
  }
  if (memory_bytes_per_second) gpu.memory_bytes_per_second = *memory_bytes_per_second;
  if (host) gpu.host = *host;
  for (const auto& [name, link] : links) {
    std::string known;
    bool found = false;
    for (Level& level : cluster.levels) {
      known += (known.empty() ? "" : ", ") + level.name;
      if (level.name != name) continue;
      level.link = link;
      found = true;
    }
    if (!found) {
      throw InputError("links." + name, "no such level",
                       "cluster " + cluster.name + " has: " + known);
    }
  }
}

Calibration parse_calibration(const std::string& json_text, const std::string& source) {
  const Json json = detail::parse_json(json_text, source);
  JsonFields fields(json, "");
  Calibration c;
  if (fields.has("reached_flops_per_second")) {
    c.reached_flops_per_second = fields.number("reached_flops_per_second", 1e6, 1e20);
  }
  if (fields.has("memory_bytes_per_second")) {
    c.memory_bytes_per_second = fields.number("memory_bytes_per_second", 1e6, 1e16);
  }
  if (fields.has("host")) c.host = whole_link(fields.at("host"), "host");
  if (fields.has("links")) {
    const Json& links = fields.at("links");
    if (!links.is_object()) {
      throw InputError("links", detail::brief(links), "give an object: level name to link");
    }
    for (const auto& [name, link] : links.items())
      c.links[name] = whole_link(link, "links." + name);
  }
  if (fields.has("attention")) {
    c.attention = AttentionCost::parse(fields.at("attention").dump(), source + ".attention");
  }
  c.source = fields.text_or("source", source);
  fields.finish();
  return c;
}

Calibration load_calibration(const std::string& file) {
  return parse_calibration(read_file(file, "calibration", 1u << 20), file);
}

}  // namespace ringlab

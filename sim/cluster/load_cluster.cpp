#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "ringlab/sim/cluster/cluster.hpp"
#include "ringlab/sim/cluster/gpu_json.hpp"
#include "ringlab/sim/data/data.hpp"

namespace ringlab {
namespace {

using detail::Json;
using detail::JsonFields;

constexpr int kMostGpus = 1 << 20;

const char* name(LevelKind kind) {
  return kind == LevelKind::crossbar ? "crossbar" : kind == LevelKind::bus ? "bus" : "torus";
}

Level level_from(const Json& json, const std::string& place) {
  JsonFields fields(json, place);
  Level level;
  level.name = fields.text("name");
  level.size = fields.integer("size", 1, kMostGpus);
  const std::string kind = fields.text_or("kind", "crossbar");
  if (kind == "bus") {
    level.kind = LevelKind::bus;
  } else if (kind == "torus") {
    level.kind = LevelKind::torus;
  } else if (kind != "crossbar") {
    throw InputError(fields.name("kind"), kind, "give crossbar, bus or torus");
  }
  level.link = detail::link_from(fields);
  level.store_and_forward = fields.flag_or("store_and_forward", false);
  level.fair_share = fields.flag_or("fair_share", false);
  if (level.store_and_forward && level.fair_share) {
    throw InputError(fields.name("fair_share"), "true",
                     "links that share are cut through: drop this or store_and_forward");
  }
  if (fields.has("gpus_per_link")) {
    level.gpus_per_link = fields.integer("gpus_per_link", 1, kMostGpus);
    if (level.gpus_per_link > 1 && level.kind != LevelKind::crossbar) {
      throw InputError(fields.name("gpus_per_link"), std::to_string(level.gpus_per_link),
                       "only a crossbar has ports to share; leave it out");
    }
  }
  if (fields.has("dimensions")) {
    const Json& list = fields.at("dimensions");
    if (!list.is_array()) {
      throw InputError(fields.name("dimensions"), detail::brief(list), "give a list of sizes");
    }
    int product = 1;
    for (const Json& size : list) {
      const auto one =
          static_cast<int>(detail::integer_from(size, fields.name("dimensions"), 1, level.size));
      level.dimensions.push_back(one);
      product = one > level.size / product ? level.size + 1 : product * one;
    }
    if (product != level.size || list.size() > 3) {
      throw InputError(fields.name("dimensions"), detail::brief(list),
                       fmt::format("give at most three whose product is the size, {}", level.size));
    }
  }
  if ((level.kind == LevelKind::torus) != !level.dimensions.empty()) {
    throw InputError(fields.name("dimensions"), level.dimensions.empty() ? "missing" : "given",
                     "a torus has dimensions, and nothing else has");
  }
  fields.finish();
  return level;
}

void check_sizes(const Cluster& cluster, const std::string& field) {
  std::int64_t gpus = 1, below = 1;
  for (std::size_t l = 0; l < cluster.levels.size(); ++l) {
    const Level& level = cluster.levels[l];
    gpus *= level.size;
    if (gpus > kMostGpus) {
      throw InputError(field, "too many GPUs",
                       fmt::format("make the sizes multiply up to at most {}", kMostGpus));
    }
    // GPUs that share a link stand in one member, or the link would join what it should part.
    if (below % level.gpus_per_link != 0) {
      throw InputError(fmt::format("levels[{}].gpus_per_link", l),
                       std::to_string(level.gpus_per_link),
                       fmt::format("give a divisor of the {} GPUs of one member", below));
    }
    below = gpus;
  }
}

Cluster cluster_from(const std::string& text, const std::string& source) {
  const Json json = detail::parse_json(text, source);
  JsonFields fields(json, "");
  Cluster cluster;
  cluster.name = fields.text("name");
  const Json& gpu = fields.at("gpu");
  cluster.gpu = gpu.is_string() ? load_gpu(gpu.get<std::string>()) : detail::gpu_from(gpu, "gpu");
  const Json& levels = fields.at("levels");
  if (!levels.is_array() || levels.empty()) {
    throw InputError("levels", detail::brief(levels),
                     "give a list of levels, innermost first; without one no GPU reaches another");
  }
  for (std::size_t l = 0; l < levels.size(); ++l) {
    cluster.levels.push_back(level_from(levels[l], fmt::format("levels[{}]", l)));
  }
  cluster.dollars_per_gpu_hour = fields.number_or("dollars_per_gpu_hour", 0, 0, 1e6);
  cluster.source = fields.text_or("source", "");
  fields.finish();
  check_sizes(cluster, "levels");
  return cluster;
}

// "8xh100" is one node, "4x8xh100" so many of them with a NIC for each GPU.
Cluster composed(const std::string& text, int nodes, int gpus, const std::string& part) {
  Cluster cluster;
  cluster.name = text;
  try {
    cluster.gpu = load_gpu(part);
  } catch (const InputError& error) {
    throw InputError("cluster", text, "no such part: " + error.remedy());
  }
  const Gpu& gpu = cluster.gpu;
  const bool bridged = gpu.scale_up.bytes_per_second == 0;  // over the host's PCIe
  if (bridged && gpu.host.bytes_per_second == 0) {
    throw InputError("cluster", text, part + " has no link of its own; describe it in a file");
  }
  if (!bridged && gpus > gpu.scale_up_gpus) {
    throw InputError("cluster", text,
                     fmt::format("a node joins at most {} {}; give nodes x gpus x part, as in "
                                 "2x{}x{}",
                                 gpu.scale_up_gpus, part, gpu.scale_up_gpus, part));
  }
  cluster.levels.push_back(
      {.name = "node", .size = gpus, .link = bridged ? gpu.host : gpu.scale_up});
  if (nodes > 1) {
    if (gpu.nic.bytes_per_second == 0) {
      throw InputError("cluster", text,
                       part + " has no figure for a network card; describe the cluster in a file");
    }
    cluster.levels.push_back({.name = "rail", .size = nodes, .link = gpu.nic});
  }
  cluster.source = gpu.source;
  check_sizes(cluster, "cluster");
  return cluster;
}

int small_number(const std::string& digits, const std::string& text) {
  const int number = digits.size() > 7 ? 0 : std::stoi(digits);
  if (number < 1 || number > kMostGpus) {
    throw InputError("cluster", text, fmt::format("give counts from 1 to {}", kMostGpus));
  }
  return number;
}

bool is_name_of(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Cluster load_cluster(const std::string& name_or_file) {
  const bool is_path = name_or_file.find('/') != std::string::npos ||
                       (name_or_file.size() > 5 && name_or_file.ends_with(".json"));
  if (!is_path && !is_name_of(data_names("clusters"), name_or_file)) {
    static const std::regex kComposed("(?:(\\d+)x)?(\\d+)x([a-z][a-z0-9-]*)");
    std::smatch parts;
    if (std::regex_match(name_or_file, parts, kComposed)) {
      const int nodes = parts[1].matched ? small_number(parts[1], name_or_file) : 1;
      return composed(name_or_file, nodes, small_number(parts[2], name_or_file), parts[3]);
    }
    std::string known;
    for (const std::string& one : data_names("clusters")) known += one + ", ";
    std::string gpus;
    for (const std::string& one : data_names("gpus")) gpus += (gpus.empty() ? "" : ", ") + one;
    throw InputError("cluster", name_or_file,
                     fmt::format("give a file, one of {}or [nodes x] gpus x part, as 8xh100 or "
                                 "4x8xh100, of {}",
                                 known, gpus));
  }
  return cluster_from(detail::preset_or_file("clusters", name_or_file, "cluster"), name_or_file);
}

std::string to_json(const Cluster& cluster) {
  nlohmann::ordered_json levels = nlohmann::ordered_json::array();
  for (const Level& level : cluster.levels) {
    nlohmann::ordered_json json = {
        {"name", level.name}, {"size", level.size}, {"kind", name(level.kind)}};
    json.update(detail::link_json(level.link));
    if (level.store_and_forward) json["store_and_forward"] = true;
    if (level.fair_share) json["fair_share"] = true;
    if (level.gpus_per_link != 1) json["gpus_per_link"] = level.gpus_per_link;
    if (!level.dimensions.empty()) json["dimensions"] = level.dimensions;
    levels.push_back(json);
  }
  nlohmann::ordered_json json = {
      {"name", cluster.name}, {"gpu", detail::gpu_json(cluster.gpu)}, {"levels", levels}};
  if (cluster.dollars_per_gpu_hour > 0) json["dollars_per_gpu_hour"] = cluster.dollars_per_gpu_hour;
  json["source"] = cluster.source;
  return json.dump(2) + "\n";
}

}  // namespace ringlab

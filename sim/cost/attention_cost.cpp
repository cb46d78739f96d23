#include "ringlab/sim/cost/attention_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ringlab/reference/io/json.hpp"
#include "ringlab/sim/cluster/json_fields.hpp"
#include "ringlab/sim/data/data.hpp"

namespace ringlab {
namespace {

using detail::Json;
using detail::JsonFields;

using Points = std::vector<AttentionCost::Point>;

Points points_from(const Json& list, const std::string& field) {
  if (!list.is_array() || list.empty()) {
    throw InputError(field, detail::brief(list), "give a list of points of the curve");
  }
  Points points;
  for (std::size_t i = 0; i < list.size(); ++i) {
    JsonFields fields(list[i], fmt::format("{}[{}]", field, i));
    AttentionCost::Point point{fields.number("tile_tokens", 1, 1e12),
                               fields.number("full_flops_per_second", 1, 1e20), 0};
    point.partial_flops_per_second =
        fields.number_or("partial_flops_per_second", point.full_flops_per_second, 1, 1e20);
    fields.finish();
    if (!points.empty() && point.tile_tokens <= points.back().tile_tokens) {
      throw InputError(fields.name("tile_tokens"), fmt::format("{:g}", point.tile_tokens),
                       "give the points in ascending order");
    }
    points.push_back(point);
  }
  return points;
}

Points scaled(Points points, double factor) {
  for (AttentionCost::Point& point : points) {
    point.full_flops_per_second *= factor;
    point.partial_flops_per_second *= factor;
  }
  return points;
}

// A kernel's file: its curve, the part it was measured on, the parts whose default it is.
struct Curve {
  std::string name, gpu, source;
  std::vector<std::string> default_for;
  Points forward, backward;
  double overhead_seconds = 0;
};

Curve curve_from(const std::string& text, const std::string& source) {
  const Json json = detail::parse_json(text, source);
  JsonFields fields(json, "");
  Curve curve;
  curve.name = fields.text("name");
  curve.gpu = fields.text_or("gpu", "");
  if (fields.has("default_for")) {
    for (const Json& part : fields.at("default_for")) {
      if (part.is_string()) curve.default_for.push_back(part.get<std::string>());
    }
  }
  curve.forward = points_from(fields.at("forward"), "forward");
  if (fields.has("backward")) {
    curve.backward = points_from(fields.at("backward"), "backward");
    if (fields.has("backward_rate")) {
      throw InputError("backward_rate", "given", "give a backward curve or a rate, not both");
    }
  } else {
    curve.backward = scaled(curve.forward, fields.number_or("backward_rate", 1, 1e-3, 1e3));
  }
  curve.overhead_seconds = fields.number_or("overhead_seconds", 0, 0, 10);
  curve.source = fields.text_or("source", "");
  fields.finish();
  return curve;
}

Curve preset(const std::string& name) {
  return curve_from(std::string(data_text("kernels", name, "kernel")), name);
}

double rate_at(const Points& points, double tile_tokens, bool full) {
  const auto rate = [&](const AttentionCost::Point& p) {
    return full ? p.full_flops_per_second : p.partial_flops_per_second;
  };
  if (tile_tokens <= points.front().tile_tokens) return rate(points.front());
  if (tile_tokens >= points.back().tile_tokens) return rate(points.back());
  const auto above = std::find_if(points.begin(), points.end(),
                                  [&](const auto& p) { return p.tile_tokens >= tile_tokens; });
  const AttentionCost::Point &right = *above, &left = *(above - 1);
  const double share =
      std::log(tile_tokens / left.tile_tokens) / std::log(right.tile_tokens / left.tile_tokens);
  return rate(left) + share * (rate(right) - rate(left));
}

}  // namespace

AttentionCost AttentionCost::constant(double flops_per_second, double overhead_seconds) {
  if (!(flops_per_second > 0) || !std::isfinite(flops_per_second)) {
    throw InputError("flops_per_second", fmt::format("{}", flops_per_second),
                     "give a rate above zero");
  }
  AttentionCost cost;
  cost.forward_ = cost.backward_ = {{1, flops_per_second, flops_per_second}};
  cost.overhead_seconds_ = overhead_seconds;
  cost.provenance_ = fmt::format("{:g} TFLOP/s for every tile", flops_per_second * 1e-12);
  return cost;
}

AttentionCost AttentionCost::load(const std::string& name_or_file) {
  return parse(detail::preset_or_file("kernels", name_or_file, "kernel"), name_or_file);
}

AttentionCost AttentionCost::parse(const std::string& json_text, const std::string& source) {
  const Curve curve = curve_from(json_text, source);
  AttentionCost cost;
  cost.forward_ = curve.forward;
  cost.backward_ = curve.backward;
  cost.overhead_seconds_ = curve.overhead_seconds;
  cost.provenance_ = curve.name;
  return cost;
}

AttentionCost AttentionCost::for_gpu(const Gpu& gpu) {
  Curve best;
  double best_distance = INFINITY, best_peak = 1;
  for (const std::string& name : data_names("kernels")) {
    const Curve curve = preset(name);
    if (curve.default_for.empty()) continue;
    const double peak = load_gpu(curve.gpu).flops_per_second;
    const bool named = std::find(curve.default_for.begin(), curve.default_for.end(), gpu.name) !=
                       curve.default_for.end();
    // A part that no curve names takes the one whose own part is nearest in speed.
    const double distance = named ? -1 : std::fabs(std::log(gpu.flops_per_second / peak));
    if (distance < best_distance) {
      best = curve;
      best_distance = distance;
      best_peak = peak;
    }
  }
  RINGLAB_ENSURE(!best.forward.empty(), "the simulator carries a default kernel curve");
  const double ratio = gpu.flops_per_second / best_peak;
  AttentionCost cost;
  cost.forward_ = scaled(best.forward, ratio);
  cost.backward_ = scaled(best.backward, ratio);
  cost.overhead_seconds_ = best.overhead_seconds;
  cost.provenance_ =
      gpu.name == best.gpu
          ? best.name + ", measured on this part"
          : fmt::format("{} times {:.3g}, the ratio of {} to {} in matrix peak: not measured",
                        best.name, ratio, gpu.name, best.gpu);
  return cost;
}

double AttentionCost::seconds(const AttentionTile& tile) const {
  if (tile.pair_heads <= 0) return 0;
  const double flops = tile.pair_heads * tile.head_dim * (tile.backward ? 10 : 4);
  const bool full = tile.pair_heads >= tile.square_heads;
  const double tile_tokens = std::sqrt(tile.queries * tile.keys);
  return overhead_seconds_ +
         flops / rate_at(tile.backward ? backward_ : forward_, tile_tokens, full);
}

}  // namespace ringlab

#include "cli/sim_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/figures.hpp"

namespace ringlab::cli {
namespace {

constexpr int kMostRanks = 1024;

// "rank=3,x=1.5" as numbers by name.
std::vector<double> numbers_of(const std::string& flag, const std::string& text,
                               const std::vector<std::string>& names, const std::string& example) {
  std::vector<double> numbers(names.size(), NAN);
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t equals = item.find('=');
    const auto name = std::find(names.begin(), names.end(), item.substr(0, equals));
    double value = NAN;
    if (equals != std::string::npos) {
      const std::string digits = item.substr(equals + 1);
      char* last = nullptr;
      value = std::strtod(digits.c_str(), &last);
      if (digits.empty() || *last != '\0') value = NAN;
    }
    if (name == names.end() || !std::isfinite(value) || std::fabs(value) > 1e9) {
      throw InputError(flag, fmt::format("'{}'", text), "give it as " + example);
    }
    numbers[static_cast<std::size_t>(name - names.begin())] = value;
    begin = end + 1;
  }
  for (const double number : numbers) {
    if (std::isnan(number)) throw InputError(flag, fmt::format("'{}'", text), "give " + example);
  }
  return numbers;
}

int rank_of(const std::string& flag, double number) {
  if (number != std::nearbyint(number)) {
    throw InputError(flag, fmt::format("{:g}", number), "a rank is a whole number");
  }
  return static_cast<int>(number);
}

void take_shape(const Model& model, const ScenarioFlags& flags, Scenario& scenario) {
  for (const std::string& field : flags.given()) {
    if (field == "heads" || field == "kv_heads" || field == "head_dim") {
      throw InputError(field, "given with --model",
                       "the model has its own; leave one of the two out");
    }
  }
  scenario.heads = model.heads;
  scenario.kv_heads = model.moved_kv_heads();
  scenario.head_dim = model.moved_head_dim();
  const std::vector<std::string> given = flags.given();
  if (model.window && std::find(given.begin(), given.end(), "mask") == given.end()) {
    scenario.mask.window_left = *model.window - 1;
  }
}

// The machine of the algebra: one rate for every tile, one link for every block, all else free.
void take_ideal(const SimFlags& flags, const Scenario& s, SimOptions& options) {
  for (const auto& [field, value] : {std::pair{"cluster", flags.cluster},
                                     {"kernel", flags.kernel},
                                     {"calibration", flags.calibration_file}}) {
    if (!value.empty()) {
      throw InputError(field, value, "given with --ideal, which has its own; leave one out");
    }
  }
  const std::string rates =
      "tflops=400,gbs=50, or tflops=400,gbs=50,us=5 with a latency, or "
      "tile_us=240,hop_us=300";
  double flops_per_second = 0;
  LinkSpec link;
  if (flags.ideal.find("tile_us") != std::string::npos) {
    const auto numbers = numbers_of("ideal", flags.ideal, {"tile_us", "hop_us"}, rates);
    if (s.tokens % s.ranks != 0 || s.tokens == 0 || s.backward) {
      throw InputError("ideal", fmt::format("'{}'", flags.ideal),
                       "times of a full tile and a block need shards of one size, forward; give "
                       "tflops and gbs");
    }
    const double shard = static_cast<double>(s.tokens / s.ranks);
    flops_per_second = 4.0 * s.heads * s.head_dim * shard * shard / (numbers[0] * 1e-6);
    link.bytes_per_second = 2.0 * shard * s.key_value_heads() * s.head_dim *
                            static_cast<double>(bytes_of(s.dtype)) / (numbers[1] * 1e-6);
  } else {
    const bool latency = flags.ideal.find("us=") != std::string::npos;
    const auto numbers = latency ? numbers_of("ideal", flags.ideal, {"tflops", "gbs", "us"}, rates)
                                 : numbers_of("ideal", flags.ideal, {"tflops", "gbs"}, rates);
    flops_per_second = numbers[0] * 1e12;
    link = {numbers[1] * 1e9, latency ? numbers[2] * 1e-6 : 0};
  }
  if (!(flops_per_second > 0 && link.bytes_per_second > 0 && link.latency_seconds >= 0) ||
      !std::isfinite(flops_per_second) || !std::isfinite(link.bytes_per_second)) {
    throw InputError("ideal", fmt::format("'{}'", flags.ideal), "give rates and times above 0");
  }
  options.cluster.name = "ideal";
  options.cluster.levels = {Level{.name = "link", .size = std::max(s.ranks, 2), .link = link}};
  options.attention = AttentionCost::constant(flops_per_second);
  options.free_folds = true;
}

}  // namespace

void SimFlags::add_to(CLI::App& command) {
  scenario.add_to(command, {"input", "hardware"});
  command
      .add_option("--cluster", cluster,
                  "Where it runs: 8xh100, 4x8xh100 (nodes x GPUs x part), a preset, or a file "
                  "[the scenario's hardware; else as many 8xh100 as hold the ranks]")
      ->type_name("NAME|FILE");
  command.add_option("--model", model, "Takes heads, kv_heads and head_dim from a model")
      ->type_name("NAME|FILE");
  command
      .add_option("--kernel", kernel,
                  "The curve of the attention kernel's rate [the one measured on the part]")
      ->type_name("NAME|FILE");
  command
      .add_option("--ideal", ideal,
                  "Instead of cluster and kernel the machine of the algebra: one rate for all "
                  "tiles, one for all links, nothing else takes time; or the times of a full tile "
                  "and of a block's transfer")
      ->type_name("tflops=400,gbs=50|tile_us=240,hop_us=300");
  command
      .add_option("--calibration", calibration_file,
                  "Measured figures that replace those of cluster and kernel")
      ->type_name("FILE");
  command
      .add_option("--placement", placement,
                  "Which GPU a rank stands on: topology (neighbours on the fastest network), flat "
                  "or scattered [topology]")
      ->type_name("NAME");
  command
      .add_option("--straggler", stragglers,
                  "A rank that computes so many times slower; may be given again")
      ->type_name("rank=3,x=1.5");
  command
      .add_option("--slow-link", slow_links,
                  "The first link on the way from one rank to another carries so many times fewer "
                  "bytes a second; may be given again")
      ->type_name("from=1,to=2,x=4");
  command.add_option("--jitter", jitter, "Each tile takes longer by this times |normal| [0]");
  command
      .add_option("--lose", lose,
                  "The first link on the way from one rank to another fails at a "
                  "time in seconds")
      ->type_name("from=1,to=2,at=0.001");
}

SimRequest request_of(const SimFlags& flags) {
  SimRequest request;
  Scenario base;
  base.dtype = ElementType::bfloat16;
  request.scenario = flags.scenario.scenario(base);
  Scenario& scenario = request.scenario;
  if (!flags.model.empty()) {
    request.model = load_model(flags.model);
    take_shape(*request.model, flags.scenario, scenario);
  }
  check(scenario);
  if (scenario.ranks > kMostRanks) {
    throw InputError("ranks", std::to_string(scenario.ranks),
                     fmt::format("give at most {}: one group that shares a sequence is simulated "
                                 "hop by hop; ringlab plan composes larger clusters of such groups",
                                 kMostRanks));
  }
  request.placement = placement_from(flags.placement);
  std::optional<Calibration> measured;
  if (!flags.calibration_file.empty()) {
    measured = load_calibration(flags.calibration_file);
    request.calibration = measured->source.empty() ? flags.calibration_file : measured->source;
  }
  SimOptions& options = request.options;
  if (flags.ideal.empty()) {
    options = options_on({flags.cluster, flags.kernel, request.placement}, scenario,
                         measured ? &*measured : nullptr);
    scenario.hardware = options.cluster.name;
  } else {
    take_ideal(flags, scenario, options);
    take_scenario(scenario, request.placement, options);
  }
  options.jitter = flags.jitter;
  for (const std::string& text : flags.stragglers) {
    const auto numbers = numbers_of("straggler", text, {"rank", "x"}, "rank=3,x=1.5");
    options.stragglers.push_back({rank_of("straggler", numbers[0]), numbers[1]});
  }
  for (const std::string& text : flags.slow_links) {
    const auto numbers =
        numbers_of("slow_link", text, {"from", "to", "x"}, "from=1,to=2,x=4, so many times slower");
    options.slow_links.push_back(
        {rank_of("slow_link", numbers[0]), rank_of("slow_link", numbers[1]), numbers[2]});
  }
  if (!flags.lose.empty()) {
    const auto numbers = numbers_of("lose", flags.lose, {"from", "to", "at"},
                                    "from=1,to=2,at=0.001, the time in seconds");
    options.link_loss =
        LinkLoss{rank_of("lose", numbers[0]), rank_of("lose", numbers[1]), numbers[2]};
  }
  return request;
}

SimResult simulate(const SimRequest& request) {
  return ringlab::simulate(request.scenario, request.options);
}

}  // namespace ringlab::cli

// Links, torus collectives, and Ulysses times ring on one node.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <map>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/sim/cost/collective_cost.hpp"
#include "ringlab/sim/layer/machine.hpp"
#include "ringlab/sim/run/simulate.hpp"
#include "ringlab/sim/validate/case.hpp"

namespace ringlab::detail {
namespace {

void torus(const Case& c) {
  const std::string op = c.inputs()["op"].get<std::string>();
  const double tolerance = c.tolerance()["rel"].get<double>(), printed = c.printed("us");
  if (c.inputs()["hw"].get<std::string>() == "v5e 4x4") {
    const LinkSpec link{load_cluster("tpu-v5e-256").levels[0].link.bytes_per_second, 0};
    c.exact("microseconds",
            1e6 * two_way_all_gather_seconds(link, 4, 2.0 * 2048 * 8192,
                                             c.inputs()["wrap"].get<bool>()),
            printed, tolerance);
    return;
  }
  const LinkSpec link{load_cluster("tpu-v4-64").levels[0].link.bytes_per_second, 0};
  const double array = 2.0 * c.in("B") * c.in("D");
  double seconds = 0;
  if (op.starts_with("AllGather_XY")) {
    seconds = torus_all_gather_seconds(link, 2, array);
  } else if (op.starts_with("AllGather_X")) {
    seconds = torus_all_gather_seconds(link, 1, array / 4);  // columns stay sharded over Y
  } else {
    seconds = 2 * torus_all_gather_seconds(link, 1, array);
  }
  ValidationRow& row = c.exact("microseconds", 1e6 * seconds, printed, tolerance);
  if (op.starts_with("AllReduce")) row.note = "of the whole array, as the print must mean";
}

void point_to_point(const Case& c) {
  const std::string name = c.inputs()["link"].get<std::string>();
  const double bytes = c.in("bytes");
  LinkSpec link{c.in("beta_GBs") * 1e9, c.in("alpha_us") * 1e-6};
  // The constant that the project's own data carry.
  if (name == "H100 NVLink") link = load_gpu("h100").scale_up;
  const double us = 1e6 * link.seconds(bytes), printed = c.printed("us");
  const Json& relative = c.tolerance()["rel"];
  ValidationRow& row =
      c.timed("microseconds", us, printed, relative.is_null() ? 0 : relative.get<double>());
  row.fixed_by = name + ": rows from 4 MiB";
  if (relative.is_null()) {
    // Below 4 MiB a straight line is only asked to be within a factor of two.
    row.tolerance = 1;
    row.passed = us <= 2 * printed && us >= printed / 2;
    row.note = row.passed ? "within a factor of 2" : "short messages cost more than the line says";
  }
}

struct Setup {
  int heads = 1, kv_heads = 1, head_dim = 1, batch = 1;
  std::string cluster;
};

// "128K h32 kv8 hs32 8xA100 NVLink bs2 qkvpack".
Setup setup_from(const std::string& text) {
  Setup setup;
  std::size_t at = 0;
  bool grouped = false;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    int value = 0;
    if (std::sscanf(word.c_str(), "hs%d", &value) == 1) {
      setup.head_dim = value;
    } else if (std::sscanf(word.c_str(), "h%d", &value) == 1) {
      setup.heads = value;
    } else if (std::sscanf(word.c_str(), "kv%d", &value) == 1) {
      setup.kv_heads = value;
      grouped = true;
    } else if (std::sscanf(word.c_str(), "bs%d", &value) == 1) {
      setup.batch = value;
    } else if (word.starts_with("8x")) {
      setup.cluster = word == "8xA100" ? "8xa100" : "8xl20";
    }
  }
  if (!grouped) setup.kv_heads = setup.heads;
  return setup;
}

double iterations(const std::string& text, int ulysses, LayoutKind layout) {
  static std::map<std::string, double> known;  // four rows share a divisor
  const std::string key = fmt::format("{} {} {}", text, ulysses, static_cast<int>(layout));
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const Setup setup = setup_from(text);
  const Machine machine(load_cluster(setup.cluster));
  ScheduleProblem problem;
  problem.key_layout = make_layout(layout, whole_sequence(131072), 8);
  problem.query_layout = problem.key_layout;
  problem.query_heads = setup.heads * setup.batch;
  problem.kv_heads = setup.kv_heads * setup.batch;
  problem.head_dim = setup.head_dim;
  problem.degree = {{"U", ulysses}, {"R", 8 / ulysses}};
  SimOptions options;
  options.cluster = machine.cluster();
  options.attention = machine.attention();
  options.mask.causal = true;
  options.element = {2, 2};  // their results travel in 16 bits
  options.longest_chain = false;
  const double rate =
      1 / simulate(catalog_entry("ulysses_ring"), problem, false, options).seconds();
  return known[key] = rate;
}

// What the same setup prints for degree 8, zigzag.
double printed_at_eight(const std::string& setup) {
  static const std::map<std::string, double> zigzag = {
      {"128K h32 hs32 8xA100 NVLink bs2 qkvpack", 15.895},
      {"128K h8 hs32 8xA100 NVLink qkvpack", 58.629},
      {"128K h8 hs128 8xA100 NVLink qkvpack", 20.992},
      {"128K h64 kv8 hs32 8xA100 NVLink nopack", 8.37},
      {"128K h32 hs32 8xL20 PCIe bs2 nopack", 3.947},
      {"128K h32 kv8 hs128 8xL20 PCIe bs1", 2.586},
  };
  const auto found = zigzag.find(setup);
  RINGLAB_ENSURE(found != zigzag.end(), "every setup has a row of degree 8: " + setup);
  return found->second;
}

void hybrid(const Case& c) {
  const std::string setup = c.inputs()["setup"].get<std::string>();
  const int ulysses = c.whole("ulysses");
  const double zigzag = iterations(setup, ulysses, LayoutKind::zigzag);
  const double eight = iterations(setup, 8, LayoutKind::zigzag);
  const Json& printed = c.expected()["iters_s"];
  const double theirs = printed["zigzag"].get<double>() / printed_at_eight(setup);
  const bool pcie = setup.find("L20") != std::string::npos;
  const char* rates = pcie ? "assumed host bridge" : "A100 attention";
  if (ulysses != 8) {
    c.timed("zigzag over Ulysses 8", zigzag / eight, theirs, 0.15).fixed_by = rates;
    // Which of the two is faster, where the print tells them apart.
    if (std::fabs(theirs - 1) > 0.05) {
      c.timed_within("faster than Ulysses 8", zigzag > eight ? 1 : 0, theirs > 1 ? 1 : 0, 0)
          .fixed_by = rates;
    }
  }
  c.shown("iterations a second, zigzag", zigzag, printed["zigzag"].get<double>());
}

}  // namespace

bool predict_timing(const Case& c) {
  const std::string id = c.id();
  if (id.starts_with("JAX-")) return torus(c), true;
  if (id.starts_with("P2P-")) return point_to_point(c), true;
  if (id.starts_with("USP-")) return hybrid(c), true;
  return false;
}

}  // namespace ringlab::detail

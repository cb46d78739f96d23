// Clusters as files: every preset, what is refused and by which name, paths and placements.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/cluster/network.hpp"
#include "ringlab/sim/cluster/placement.hpp"
#include "ringlab/sim/data/data.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

// A file of its own for each text.
std::string file_with(const std::string& text) {
  static int number = 0;
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("cluster_test_" + std::to_string(number++) + ".json");
  std::ofstream(path) << text;
  return path.string();
}

std::string refused(const std::string& text) {
  try {
    load_cluster(file_with(text));
  } catch (const InputError& error) {
    return error.field();
  }
  return "";
}

std::string with_level(const std::string& level) {
  return R"({"name": "x", "gpu": "h100", "levels": [)" + level + "]}";
}

}  // namespace

TEST_CASE("every preset is read, and its JSON read back is equal") {
  REQUIRE(data_names("gpus").size() >= 10);
  for (const std::string& name : data_names("gpus")) {
    INFO(name);
    const Gpu gpu = load_gpu(name);
    CHECK(gpu.name == name);
    CHECK(gpu.reached_flops_per_second <= gpu.flops_per_second);
    CHECK(!gpu.source.empty());
    CHECK(load_gpu(file_with(to_json(gpu))) == gpu);
  }
  std::vector<std::string> names = data_names("clusters");
  REQUIRE(names.size() >= 5);
  for (const char* composed : {"8xa100", "8xh100", "8xh200", "4x8xh100", "2xrtx4090", "72xgb200"}) {
    names.push_back(composed);
  }
  for (const std::string& name : names) {
    INFO(name);
    const Cluster cluster = load_cluster(name);
    CHECK(cluster.name == name);
    CHECK(cluster.gpus() >= 2);
    CHECK(!cluster.source.empty());
    CHECK(load_cluster(file_with(to_json(cluster))) == cluster);
  }
}

TEST_CASE("the figures of the published table are in the files") {
  const std::map<std::string, std::array<double, 4>> table = {
      // TFLOP/s, reached, GB, TB/s
      {"a100-40", {312, 271, 40, 1.555}}, {"a100", {312, 271, 80, 2.039}},
      {"h100", {989, 794, 80, 3.35}},     {"h800", {989, 794, 80, 3.35}},
      {"h200", {989, 794, 141, 4.8}},     {"b200", {2250, 1745, 180, 8.0}},
      {"tpu-v4", {275, 220, 32, 1.2}},    {"tpu-v5e", {197, 158, 16, 0.81}},
      {"rtx4090", {165, 143, 24, 1.008}}};
  for (const auto& [name, figures] : table) {
    INFO(name);
    const Gpu gpu = load_gpu(name);
    CHECK(gpu.flops_per_second == figures[0] * 1e12);
    CHECK(gpu.reached_flops_per_second == figures[1] * 1e12);
    CHECK(gpu.memory_bytes == figures[2] * 1e9);
    CHECK(gpu.memory_bytes_per_second == Approx(figures[3] * 1e12));
  }
  CHECK(load_gpu("h100").scale_up.bytes_per_second == 362e9);
  CHECK(load_gpu("h800").scale_up.bytes_per_second == 160e9);
  CHECK(load_gpu("a100").scale_up.bytes_per_second == 274e9);
}

TEST_CASE("a name composes nodes, GPUs and a part") {
  const Cluster cluster = load_cluster("4x8xh100");
  REQUIRE(cluster.levels.size() == 2);
  CHECK(cluster.gpus() == 32);
  CHECK(cluster.level_between(0, 7) == 0);
  CHECK(cluster.level_between(7, 8) == 1);
  CHECK(cluster.level_between(3, 11) == 1);
  CHECK(cluster.between(0, 7).bytes_per_second == 362e9);
  CHECK(cluster.between(0, 8).bytes_per_second == 46e9);
  CHECK(cluster.between(0, 8).seconds(46e9) == Approx(1 + 7e-6));
}

TEST_CASE("what is wrong is refused by name") {
  const std::string fine =
      R"({"name": "node", "size": 8, "bytes_per_second": 1e9, "latency_seconds": 0})";
  CHECK(refused(with_level(fine)).empty());
  CHECK(refused(with_level(
            R"({"name": "n", "size": 8, "bytes_per_second": 0, "latency_seconds": 0})")) ==
        "levels[0].bytes_per_second");
  CHECK(refused(with_level(R"({"name": "n", "size": 8, "latency_seconds": 0})")) ==
        "levels[0].bytes_per_second");
  CHECK(refused(with_level(
            R"({"name": "n", "size": 0, "bytes_per_second": 1e9, "latency_seconds": 0})")) ==
        "levels[0].size");
  CHECK(refused(with_level(
            R"({"name": "n", "size": 8, "bytes_per_second": 1e9, "latency_seconds": -1})")) ==
        "levels[0].latency_seconds");
  CHECK(refused(with_level(R"({"name": "n", "size": 8, "kind": "mesh", "bytes_per_second": 1e9,
                               "latency_seconds": 0})")) == "levels[0].kind");
  CHECK(refused(with_level(R"({"name": "n", "size": 8, "kind": "torus", "dimensions": [2, 2],
                               "bytes_per_second": 1e9, "latency_seconds": 0})")) ==
        "levels[0].dimensions");
  CHECK(refused(with_level(R"({"name": "n", "size": 8, "kind": "torus",
                               "bytes_per_second": 1e9, "latency_seconds": 0})")) ==
        "levels[0].dimensions");
  CHECK(refused(with_level(fine + R"(, {"name": "r", "size": 2, "gpus_per_link": 3,
                               "bytes_per_second": 1e9, "latency_seconds": 0})")) ==
        "levels[1].gpus_per_link");
  CHECK(refused(with_level("")) == "levels");
  CHECK(refused(with_level(R"({"name": "a", "size": 1048576, "bytes_per_second": 1e9,
                               "latency_seconds": 0}, )" +
                           fine)) == "levels");
  CHECK(refused(R"({"name": "x", "gpu": "h100", "levels": [)" + fine + R"(], "colour": 1})") ==
        "colour");
  CHECK(refused(R"({"name": "x", "gpu": "h99", "levels": [)" + fine + "]}") == "gpu");
  CHECK(refused(R"({"name": "x", "gpu": {"name": "y"}, "levels": [)" + fine + "]}") ==
        "gpu.flops_per_second");
  for (const char* name : {"8xh99", "9xh100", "2x2x2xh100", "moon", "0x8xh100", "8xh100 ",
                           "4x2xrtx4090", "99999999999x8xh100", "1048576x8xh100", "missing.json"}) {
    INFO(name);
    CHECK_THROWS_AS(load_cluster(name), InputError);
  }
}

TEST_CASE("a path takes the ports of the level that parts two GPUs") {
  const Cluster cluster = load_cluster("2x8xh100");
  const Network network(cluster);
  const auto names = [&](int a, int b) {
    std::vector<std::string> list;
    for (const std::int64_t link : network.path(a, b)) list.push_back(network.name(link));
    return list;
  };
  CHECK(names(3, 4) == std::vector<std::string>{"node gpu3 out", "node gpu4 in"});
  CHECK(names(3, 11) == std::vector<std::string>{"rail gpu3 out", "rail gpu11 in"});
  const Cluster box = load_cluster("8xrtx4090");
  CHECK(Network(box).name(Network(box).path(0, 5).at(0)) == "box gpu0-7 shared");
  Cluster shared = cluster;
  shared.levels[1].gpus_per_link = 8;
  CHECK(Network(shared).name(Network(shared).path(1, 12).at(0)) == "rail gpu0-7 out");
  CHECK(Network(shared).path(1, 12) == Network(shared).path(7, 9));
}

TEST_CASE("a torus is crossed by the shortest way, over links that join neighbours") {
  const Cluster cube = load_cluster("tpu-v4-64");
  const Network network(cube);
  const auto distance = [](int a, int b) {
    int sum = 0;
    for (int d = 0, stride = 1; d < 3; ++d, stride *= 4) {
      const int gap = std::abs(a / stride % 4 - b / stride % 4);
      sum += std::min(gap, 4 - gap);
    }
    return sum;
  };
  std::set<std::int64_t> used;
  for (int a = 0; a < 64; ++a) {
    for (int b = 0; b < 64; ++b) {
      if (a == b) continue;
      const auto path = network.path(a, b);
      REQUIRE(static_cast<int>(path.size()) == distance(a, b));
      CHECK(cube.between(a, b).latency_seconds == Approx(1e-6 * distance(a, b)));
      if (distance(a, b) == 1) used.insert(path[0]);
    }
  }
  CHECK(used.size() == 64 * 6);  // every chip has six links of its own
}

TEST_CASE("a ring is placed so that its slowest hop is as fast as the cluster allows") {
  const Cluster nodes = load_cluster("4x8xh100");
  const auto bottleneck = [](const Cluster& cluster, int ranks, Placement placement) {
    return ring_bottleneck(cluster, place_ranks(cluster, ranks, placement), 1e6);
  };
  CHECK(bottleneck(nodes, 8, Placement::flat).level == "node");
  CHECK(bottleneck(nodes, 8, Placement::scattered).level == "rail");
  CHECK(bottleneck(nodes, 32, Placement::topology).level == "rail");
  // Of 32 hops only 4 leave a node; scattered, all do.
  const auto crossing = [&](Placement placement) {
    const std::vector<int> place = place_ranks(nodes, 32, placement);
    int count = 0;
    for (std::size_t r = 0; r < 32; ++r) {
      count += nodes.level_between(place[r], place[(r + 1) % 32]) == 1;
    }
    return count;
  };
  CHECK(crossing(Placement::topology) == 4);
  CHECK(crossing(Placement::scattered) == 32);
  // Round a torus every hop is one link; in plain order some are two.
  for (const char* name : {"tpu-v4-64", "tpu-v5e-256"}) {
    const Cluster torus = load_cluster(name);
    const std::vector<int> place = place_ranks(torus, torus.gpus(), Placement::topology);
    std::set<int> all(place.begin(), place.end());
    CHECK(static_cast<int>(all.size()) == torus.gpus());
    for (std::size_t r = 0; r < place.size(); ++r) {
      REQUIRE(Network(torus).path(place[r], place[(r + 1) % place.size()]).size() == 1);
    }
  }
  const Cluster cube = load_cluster("tpu-v4-64");
  CHECK(bottleneck(cube, 64, Placement::flat).link.latency_seconds >
        bottleneck(cube, 64, Placement::topology).link.latency_seconds);
  CHECK_THROWS_AS(place_ranks(nodes, 33, Placement::flat), InputError);
}

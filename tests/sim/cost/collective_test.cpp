// Collectives against loops over their steps and published times; what a group has of the links
// against a count over all messages of all groups.
#include "ringlab/sim/cost/collective_cost.hpp"

#include <map>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/cluster/network.hpp"
#include "ringlab/sim/cost/compute_cost.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

Cluster cluster_of(std::vector<Level> levels) {
  Cluster cluster;
  cluster.name = "test";
  cluster.levels = std::move(levels);
  return cluster;
}

// The slowest hop of all groups' rings at once, link by link.
struct Counted {
  double bytes_per_second = 1e300;
  int flows = 0;
};
Counted count_ring(const Cluster& cluster, const RankGroup& group) {
  const Network network(cluster);
  std::map<std::int64_t, int> load;
  const int gpus = cluster.gpus(), span = group.size * group.stride;
  std::vector<std::vector<std::int64_t>> paths;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    const int seat = gpu % span / group.stride;
    const int next = gpu + (seat + 1 == group.size ? 1 - group.size : 1) * group.stride;
    paths.push_back(network.path(gpu, next));
    for (const std::int64_t link : paths.back()) ++load[link];
  }
  Counted worst;
  for (const auto& [link, flows] : load) {
    const Level& level = cluster.levels[static_cast<std::size_t>(network.level_of(link))];
    const double rate = level.link.bytes_per_second / flows;
    if (rate < worst.bytes_per_second) worst = {rate, flows};
  }
  return worst;
}

}  // namespace

TEST_CASE("what a ring's hop has of a link is what a count of all messages says") {
  const Level node{"node", 8, LevelKind::crossbar, {400e9, 1e-6}};
  Level rail{"rail", 4, LevelKind::crossbar, {50e9, 5e-6}};
  Level one_nic = rail;
  one_nic.gpus_per_link = 8;
  Level two_nics = rail;
  two_nics.gpus_per_link = 4;
  const Level segment{"segment", 4, LevelKind::bus, {10e9, 50e-6}};
  const Level box{"box", 8, LevelKind::bus, {25e9, 5e-6}};
  const Level torus{"cube", 64, LevelKind::torus, {45e9, 1e-6}, false, {4, 4, 4}};
  int compared = 0;
  for (const Cluster& cluster : {cluster_of({node, rail}), cluster_of({node, one_nic}),
                                 cluster_of({node, two_nics}), cluster_of({node, segment}),
                                 cluster_of({box}), cluster_of({box, rail}), cluster_of({torus})}) {
    const int gpus = cluster.gpus();
    for (int stride = 1; stride < gpus; stride *= 2) {
      for (int size = 2; size * stride <= gpus; size *= 2) {
        const GroupPath path = path_of(cluster, {size, stride});
        const Counted counted = count_ring(cluster, {size, stride});
        INFO(cluster.levels[0].name << " " << gpus << " GPUs, " << size << " by " << stride);
        CHECK(path.ring_hop.bytes_per_second == Approx(counted.bytes_per_second));
        CHECK(path.ring_flows == counted.flows);
        ++compared;
      }
    }
  }
  CHECK(compared > 80);
}

TEST_CASE("rails add up, and a group inside a node never sees them") {
  const Cluster cluster = cluster_of({{"node", 8, LevelKind::crossbar, {400e9, 1e-6}},
                                      {"rail", 4, LevelKind::crossbar, {50e9, 5e-6}}});
  CHECK(path_of(cluster, {1, 1}).alone());
  CHECK(path_of(cluster, {8, 1}).ring_level == 0);
  CHECK(path_of(cluster, {8, 1}).collective == LinkSpec{400e9 * 1, 1e-6});
  // Eight members a node, eight NICs: as fast as the node. Two: two NICs.
  CHECK(path_of(cluster, {32, 1}).collective.bytes_per_second == 400e9);
  CHECK(path_of(cluster, {8, 4}).collective.bytes_per_second == 100e9);
  CHECK(path_of(cluster, {4, 8}).collective.bytes_per_second == 50e9);
  CHECK_THROWS_AS(path_of(cluster, {8, 8}), InputError);
  CHECK_THROWS_AS(path_of(cluster, {0, 1}), InputError);

  // One NIC a node: what a GPU has of it, and what a node's two members have together.
  Cluster one_nic = cluster;
  one_nic.levels[1].gpus_per_link = 8;
  CHECK(path_of(one_nic, {4, 8}).levels[0].share.bytes_per_second == 50e9 / 8);
  CHECK(path_of(one_nic, {4, 8}).collective.bytes_per_second == 50e9 / 8);
  CHECK(path_of(one_nic, {8, 4}).collective.bytes_per_second == 50e9 / 4);
  CHECK(direct_exchange_seconds(path_of(one_nic, {2, 8}), 50e6) == Approx(5e-6 + 8e-3));

  // Direct exchange among 16 members of two nodes: 7 messages inside, 8 over the NIC.
  const GroupPath two = path_of(cluster, {16, 1});
  CHECK(direct_exchange_bytes(two, 0, 1.0) == 7);
  CHECK(direct_exchange_bytes(two, 1, 1.0) == 8);
  CHECK(direct_exchange_seconds(two, 50e6) == Approx(5e-6 + 8 * 1e-3));
}

TEST_CASE("ring collectives are the sum of their steps") {
  const LinkSpec hop{10e9, 3e-6};
  for (const int n : {1, 2, 3, 8}) {
    const double bytes = 240e6;
    double seconds = 0, moved = 0;
    for (int step = 1; step < n; ++step) {
      seconds += 3e-6 + bytes / n / 10e9;
      moved += bytes / n;
    }
    INFO(n);
    CHECK(all_gather_seconds(hop, n, bytes) == Approx(seconds));
    CHECK(reduce_scatter_seconds(hop, n, bytes) == Approx(seconds));
    CHECK(all_reduce_seconds(hop, n, bytes) == Approx(2 * seconds));
    if (n > 1) CHECK(all_to_all_seconds(hop, n, bytes) == Approx(3e-6 + moved / 10e9));
  }
}

TEST_CASE("torus collectives take the times that the scaling book prints") {
  // Links of 45 GB/s each way; latency is left out there.
  const LinkSpec link{45e9, 0};
  const double array = 2.0 * 1024 * 4096;
  CHECK(two_way_all_gather_seconds(link, 4, array / 4) == Approx(23e-6).epsilon(0.05));
  // v5e, 2048 x 8192: 377 us wrapped, 560 us not.
  const double v5e = 2.0 * 2048 * 8192;
  CHECK(two_way_all_gather_seconds(link, 4, v5e) == Approx(377e-6).epsilon(0.02));
  CHECK(two_way_all_gather_seconds(link, 4, v5e, false) == Approx(560e-6).epsilon(0.02));
}

TEST_CASE("a product is bound by its FLOPs or by its bytes") {
  Gpu gpu;
  gpu.reached_flops_per_second = 100e12;
  gpu.memory_bytes_per_second = 1e12;
  CHECK(matrix_seconds(gpu, 4096, 4096, 4096) == Approx(2 * 4096.0 * 4096 * 4096 / 100e12));
  CHECK(matrix_seconds(gpu, 1, 4096, 4096) == Approx(2 * (4096.0 * 4096 + 2 * 4096) / 1e12));
}

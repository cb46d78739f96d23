// A calibration replaces the figures it names, leaves the others, and refuses what it does not
// know.
#include "ringlab/sim/cost/calibration.hpp"

#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

void refused(const std::string& field, const std::string& json) {
  INFO(json);
  try {
    Cluster cluster = load_cluster("2x8xh100");
    parse_calibration(json, "c.json").apply_to(cluster);
    FAIL("not refused");
  } catch (const InputError& error) {
    CHECK(error.field() == field);
  }
}

}  // namespace

TEST_CASE("a calibration replaces what it names") {
  const Cluster before = load_cluster("2x8xh100");
  const std::string level = before.levels[1].name;
  const Calibration c =
      parse_calibration(R"({"reached_flops_per_second": 500e12, "links": {")" + level +
                            R"(": {"bytes_per_second": 26e9, "latency_seconds": 40e-6}},
             "attention": {"name": "mine", "forward": [
               {"tile_tokens": 1024, "full_flops_per_second": 300e12},
               {"tile_tokens": 4096, "full_flops_per_second": 400e12}]},
             "source": "bench"})",
                        "c.json");
  Cluster after = before;
  c.apply_to(after);
  CHECK(after.gpu.reached_flops_per_second == 500e12);
  CHECK(after.gpu.memory_bytes_per_second == before.gpu.memory_bytes_per_second);
  CHECK(after.gpu.host == before.gpu.host);
  CHECK(after.levels[0] == before.levels[0]);
  CHECK(after.levels[1].link == LinkSpec{26e9, 40e-6});
  REQUIRE(c.attention);
  AttentionTile tile{4.0 * 1024 * 1024, 4.0 * 1024 * 1024, 1024, 1024, 4, 128, false};
  CHECK(c.attention->seconds(tile) == Approx(4 * 128 * tile.pair_heads / 300e12));
  CHECK(c.source == "bench");
}

TEST_CASE("a calibration refuses what it does not know") {
  refused("speed", R"({"speed": 1})");
  refused("reached_flops_per_second", R"({"reached_flops_per_second": 0})");
  refused("host.bytes", R"({"host": {"bytes_per_second": 1e9, "latency_seconds": 0, "bytes": 1}})");
  refused("links", R"({"links": []})");
  refused("links.moon", R"({"links": {"moon": {"bytes_per_second": 1e9, "latency_seconds": 0}}})");
  refused("links.node.bytes_per_second",
          R"({"links": {"node": {"bytes_per_second": 0, "latency_seconds": 0}}})");
  refused("forward", R"({"attention": {"name": "x"}})");
  refused("c.json", "{");
  CHECK_THROWS_AS(load_calibration("missing.json"), InputError);
}

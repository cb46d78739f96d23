// A scenario on a machine: which cluster it comes to, and that it is the schedule's own simulation.
#include "ringlab/sim/scenario/on_cluster.hpp"

#include "ringlab/reference/session/session.hpp"
#include "tests/catch.hpp"

namespace ringlab {
namespace {

Scenario causal(int ranks) {
  Scenario s;
  s.tokens = 65536;
  s.ranks = ranks;
  s.dtype = ElementType::bfloat16;
  return s;
}

template <class Call>
std::string field_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.field();
  }
  return "";
}

TEST_CASE("the cluster is the one named, else the scenario's, else as many nodes as it takes") {
  Scenario s = causal(8);
  CHECK(cluster_name_of({}, s) == "8xh100");
  s.ranks = 9;
  CHECK(cluster_name_of({}, s) == "2x8xh100");
  s.hardware = "16xgb200";
  CHECK(cluster_name_of({}, s) == "16xgb200");
  CHECK(cluster_name_of({.cluster = "2x8xa100"}, s) == "2x8xa100");
}

TEST_CASE("a scenario on a cluster costs what its schedule costs there") {
  for (const bool backward : {false, true}) {
    Scenario s = causal(8);
    s.backward = backward;
    const SimOptions options = options_on({.cluster = "2x4xh100"}, s);
    CHECK(options.element.input == 2);
    CHECK(options.placement == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(simulate(s, options).total == simulate(schedule_of(s), options).total);
    // Two bytes of four: the messages of keys and values are half as large.
    s.dtype = ElementType::float32;
    const SimOptions wide = options_on({.cluster = "2x4xh100"}, s);
    if (!backward) {
      CHECK(simulate(s, wide).ranks[0].bytes_sent == 2 * simulate(s, options).ranks[0].bytes_sent);
    }
  }
}

TEST_CASE("measured figures take the place of the cluster's") {
  const Scenario s = causal(8);
  Calibration measured;
  measured.links["node"] = {1e9, 0};
  measured.attention = AttentionCost::constant(1e14);
  const SimOptions options = options_on({}, s, &measured);
  CHECK(options.cluster.levels[0].link.bytes_per_second == 1e9);
  CHECK(options.attention.seconds({1e6, 1e6, 1e3, 1e3, 1, 128, false}) ==
        Approx(4e6 * 128 / 1e14).epsilon(1e-12));
}

TEST_CASE("what a machine cannot take is refused by name") {
  Scenario s = causal(8);
  CHECK(field_of([&] { options_on({.cluster = "8xnothing"}, s); }) == "cluster");
  CHECK(field_of([&] { options_on({.cluster = "4xh100"}, s); }) == "ranks");
  CHECK(field_of([&] { options_on({.kernel = "fast"}, s); }) == "kernel");
  s.hardware = "8xnothing";
  CHECK(field_of([&] { options_on({}, s); }) == "hardware");
}

}  // namespace
}  // namespace ringlab

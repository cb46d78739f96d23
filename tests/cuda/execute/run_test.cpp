// Properties of whole runs: bfloat16 over rings of any size, the 16-bit wire, trace and overlap.
#include "ringlab/cuda/execute/hop_overlap.hpp"
#include "tests/catch.hpp"
#include "tests/cuda/execute/device_grid.hpp"

using namespace ringlab;
using cuda::DataType;

namespace {

test::Case plain_case(Index tokens, int ranks) {
  test::Case c = test::make_case(0);
  c.tokens = c.query_tokens = tokens;
  c.documents = {tokens};
  c.ranks = ranks;
  c.rule = {.query_heads = 2, .kv_heads = 1, .head_dim = 64, .scale = default_scale(64)};
  c.rule.mask.causal = true;
  c.layout_kind = LayoutKind::zigzag;
  return c;
}

test::RunErrors errors_of_run(const test::Case& c, const cuda::DeviceOptions& options) {
  const AttentionPlan plan = test::plan_of(c, catalog_entry("ring"));
  const test::Inputs inputs = test::inputs_of(c);
  return test::errors_of(c, inputs, test::device_judge(c, inputs, options.type),
                         test::run_on_streams(c, plan, inputs, options));
}

}  // namespace

TEST_CASE("the error of bfloat16 does not grow with the ring") {
  std::vector<test::RunErrors> errors;
  for (const int ranks : {2, 4, 8, 16, 32}) {
    errors.push_back(errors_of_run(plain_case(256, ranks), {DataType::bf16}));
    INFO("ring of " << ranks << ": " << test::text(errors.back()));
    REQUIRE(test::right(errors.back(), DataType::bf16));
  }
  const auto hold = [&](double test::RunErrors::*which) {
    double least = INFINITY, most = 0;
    for (const test::RunErrors& e : errors) {
      least = std::min(least, e.*which);
      most = std::max(most, e.*which);
    }
    // Or all of it is the rounding of float32, which a bfloat16 run may well be that good at.
    CHECK(most <= std::max(1.2 * least, 5e-7));
  };
  hold(&test::RunErrors::out);
  hold(&test::RunErrors::query_gradient);
  hold(&test::RunErrors::key_gradient);
  hold(&test::RunErrors::value_gradient);
}

TEST_CASE("a 16-bit wire halves the gradients' bytes and costs accuracy") {
  const test::Case c = plain_case(64, 4);
  const AttentionPlan plan = test::plan_of(c, catalog_entry("ring"));
  const test::Inputs inputs = test::inputs_of(c);
  const auto wide = test::run_on_streams(c, plan, inputs, {});
  const auto narrow = test::run_on_streams(c, plan, inputs, {.wire16 = true});
  const Index blocks = 3 * 16 * 2 * 64 * 4, gradients = 4 * 16 * 2 * 64 * 4;
  for (std::size_t r = 0; r < wide.size(); ++r) {
    CHECK(narrow[r].forward.bytes_sent == wide[r].forward.bytes_sent);
    CHECK(wide[r].backward.bytes_sent == blocks + gradients);
    CHECK(narrow[r].backward.bytes_sent == blocks + gradients / 2);
    CHECK(narrow[r].result == wide[r].result);
  }
  const test::RunErrors before = errors_of_run(c, {}), after = errors_of_run(c, {.wire16 = true});
  INFO(test::text(after));
  CHECK(before.key_gradient < 1e-6);
  CHECK(after.key_gradient > 1e-4);
  CHECK(after.key_gradient < 1e-2);
  CHECK(after.value_gradient < 1e-2);
}

TEST_CASE("a 16-bit wire of partial results keeps lse whole") {
  for (const char* name : {"query_ring", "decode_ring"}) {
    test::Case c = plain_case(64, 4);
    const AttentionPlan plan = test::plan_of(c, catalog_entry(name));
    const test::Inputs inputs = test::inputs_of(c);
    const test::Judge right = test::device_judge(c, inputs, DataType::f32);
    const auto outputs = test::run_on_streams(c, plan, inputs, {.wire16 = true});
    const test::RunErrors errors = test::errors_of(c, inputs, right, outputs);
    INFO(name << ": " << test::text(errors));
    CHECK(errors.lse < 2e-6);
    CHECK(errors.out < 1e-2);
    CHECK(errors.out > 1e-5);
  }
}

TEST_CASE("the ledger knows the bytes of a 16-bit wire, in every family") {
  for (const CatalogEntry& entry : schedule_catalog()) {
    const test::Case c = test::fit_case(plain_case(64, 4), entry);
    const AttentionPlan plan = test::plan_of(c, entry);
    const auto outputs =
        test::run_on_streams(c, plan, test::inputs_of(c), {DataType::bf16, {}, true});
    const ElementBytes element = cuda::element_bytes(DataType::bf16, true);
    const Ledger forward = make_ledger(plan.forward, c.rule.mask, element);
    std::string wrong;
    for (std::size_t r = 0; r < outputs.size(); ++r) {
      wrong += test::counts_differ(outputs[r].forward, forward.ranks[r]);
    }
    if (plan.backward) {
      const Ledger backward = make_ledger(*plan.backward, c.rule.mask, element);
      for (std::size_t r = 0; r < outputs.size(); ++r) {
        wrong += test::counts_differ(outputs[r].backward, backward.ranks[r]);
      }
    }
    INFO(entry.name << ": " << wrong);
    CHECK(wrong.empty());
  }
}

TEST_CASE("a trace has one tile a hop, and every move on both sides at the same time") {
  const test::Case c = plain_case(64, 4);
  const AttentionPlan plan = test::plan_of(c, catalog_entry("ring"));
  std::vector<TraceEvent> all;
  for (const auto& rank : test::run_on_streams(c, plan, test::inputs_of(c), {})) {
    int tiles = 0, sends = 0, receives = 0;
    for (const TraceEvent& event : rank.events) {
      tiles += event.lane == Lane::compute;
      sends += event.lane == Lane::send;
      receives += event.lane == Lane::receive;
      CHECK(event.end_nanoseconds >= event.start_nanoseconds);
      all.push_back(event);
    }
    CHECK(tiles == 8);
    CHECK(sends == 3 + 3 + 4);  // blocks forward, blocks backward, gradients
    CHECK(receives == sends);
  }
  const std::vector<cuda::HopOverlap> hops = cuda::overlap_by_hop(all);
  REQUIRE(hops.size() == 4);
  for (const cuda::HopOverlap& hop : hops) {
    CHECK(hop.transfer_nanoseconds > 0);
    CHECK(hop.hidden_fraction() >= 0);
    CHECK(hop.hidden_fraction() <= 1);
  }
}

TEST_CASE("transfers that are posted before a tile lie under it, and a slow link sticks out") {
  const test::Case c = plain_case(64, 4);
  AttentionPlan plan = test::plan_of(c, catalog_entry("ring"));
  plan.backward.reset();
  const test::Inputs inputs = test::inputs_of(c);
  const auto hidden = [&](cuda::LinkSpeed speed) {
    cuda::CpuDevice device;
    cuda::LocalWire wire(device, 4, speed);
    std::vector<AttentionInput<float>> shards;
    std::vector<cuda::DeviceCommunicator*> ranks;
    for (int r = 0; r < 4; ++r) {
      shards.push_back(test::shard_of<float>(c, inputs, r));
      ranks.push_back(&wire.rank(r));
    }
    std::vector<TraceEvent> events;
    for (const auto& rank : cuda::run_device_attention(plan, std::move(shards), ranks, {})) {
      events.insert(events.end(), rank.events.begin(), rank.events.end());
    }
    // In hop 0 the blocks travel while the partial results are being set to zero.
    return cuda::overlap_by_hop(events).at(1).hidden_fraction();
  };
  // A copy of 8 KB takes less than a tile on fibers, unless the machine was busy just then.
  CHECK(std::max({hidden({}), hidden({}), hidden({})}) > 0.5);
  CHECK(hidden({.nanoseconds = 100'000'000'000}) < 0.5);
}

TEST_CASE("overlap is counted hop by hop") {
  const auto event = [](Lane lane, int hop, std::int64_t start, std::int64_t end) {
    return TraceEvent{0, lane, "", start, end, hop, 0, 0};
  };
  const auto hops = cuda::overlap_by_hop(
      {event(Lane::compute, 0, 0, 10), event(Lane::compute, 1, 20, 30), event(Lane::send, 0, 0, 10),
       event(Lane::receive, 0, 5, 15), event(Lane::receive, 1, 30, 40)});
  REQUIRE(hops.size() == 2);
  CHECK(hops[0].transfer_nanoseconds == 15);
  CHECK(hops[0].hidden_nanoseconds == 10);
  CHECK(hops[1].hop == 1);
  CHECK(hops[1].hidden_fraction() == 0);
}

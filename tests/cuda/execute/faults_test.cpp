// What a wrong program does on CPU streams: every planted fault has to show, in a number or a text.
#include <set>

#include "ringlab/reference/schedule/ring.hpp"
#include "tests/catch.hpp"
#include "tests/cuda/execute/device_grid.hpp"

using namespace ringlab;
using cuda::DataType;

namespace {

test::Case small_case(int ranks) {
  test::Case c = test::make_case(0);
  c.tokens = c.query_tokens = 24;
  c.documents = {24};
  c.ranks = ranks;
  c.rule = {.query_heads = 1, .kv_heads = 1, .head_dim = 32, .scale = default_scale(32)};
  c.layout_kind = LayoutKind::contiguous;
  return c;
}

AttentionPlan ring_plan(const test::Case& c) {
  return test::plan_of(c, catalog_entry("ring"));
}

// The case run under 20 seeds: how many of them gave wrong numbers.
int wrong_runs(const test::Case& c, const AttentionPlan& plan,
               const cuda::KernelSet* kernels = nullptr) {
  const test::Inputs inputs = test::inputs_of(c);
  const test::Judge right = test::device_judge(c, inputs, DataType::f32);
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto outputs = test::run_on_streams(c, plan, inputs, {.kernels = kernels}, seed);
    wrong += !test::right(test::errors_of(c, inputs, right, outputs), DataType::f32);
  }
  return wrong;
}

// Takes the `which`-th step of a kind out of every program.
template <class Kind>
void drop_step(Schedule& schedule, int which) {
  for (RankProgram& program : schedule.ranks) {
    int seen = 0;
    std::erase_if(program.steps, [&](const Step& step) {
      return std::holds_alternative<Kind>(step.action) && seen++ == which;
    });
  }
}

void attend_with_lse_in_base_2(const cuda::ForwardArguments& a, cuda::Rung rung,
                               cuda::StreamHandle stream) {
  cuda::cpu_kernels().attend_forward(a, rung, stream);
  const std::int64_t rows = a.query_places.tokens * a.heads;
  static_cast<cuda::StreamQueue*>(stream.queue)->enqueue([lse = a.lse, rows] {
    for (std::int64_t i = 0; i < rows; ++i) lse[i] *= 1.442695F;
  });
}

}  // namespace

TEST_CASE("a right program is right under every order of the streams, to the last bit") {
  for (const int ranks : {1, 2, 3, 4, 8}) {
    const test::Case c = small_case(ranks);
    CHECK(wrong_runs(c, ring_plan(c)) == 0);
    const test::Inputs inputs = test::inputs_of(c);
    const auto first = test::run_on_streams(c, ring_plan(c), inputs, {}, 0);
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      const auto again = test::run_on_streams(c, ring_plan(c), inputs, {}, seed);
      for (std::size_t r = 0; r < first.size(); ++r) {
        REQUIRE(again[r].result == first[r].result);
        REQUIRE(again[r].query_gradient == first[r].query_gradient);
        REQUIRE(again[r].key_value_gradient == first[r].key_value_gradient);
      }
    }
  }
}

TEST_CASE("a tile that does not wait for its block gives wrong numbers") {
  const test::Case c = small_case(4);
  AttentionPlan plan = ring_plan(c);
  drop_step<Wait>(plan.forward, 0);
  CHECK(wrong_runs(c, plan) > 3);
}

TEST_CASE("a gradient that is added before it has arrived gives wrong numbers") {
  const test::Case c = small_case(4);
  for (int which : {0, 1, 2, 3}) {
    AttentionPlan plan = ring_plan(c);
    drop_step<Wait>(*plan.backward, which);
    INFO("wait " << which);
    CHECK(wrong_runs(c, plan) > 3);
  }
}

TEST_CASE("a block that is received where another is still computed on gives wrong numbers") {
  const test::Case c = small_case(4);
  AttentionPlan plan = ring_plan(c);
  // Two slots take turns; here they are one.
  const auto one_slot = [](BufferId& buffer) { buffer = buffer == 3 ? 2 : buffer; };
  for (RankProgram& program : plan.forward.ranks) {
    REQUIRE(program.buffers[3].name == "slot b");
    for (Step& step : program.steps) {
      if (auto* attend = std::get_if<Attend>(&step.action)) one_slot(attend->key_value);
      auto* exchange = std::get_if<Exchange>(&step.action);
      if (!exchange) continue;
      for (Move& move : exchange->sends) one_slot(move.buffer);
      for (Move& move : exchange->receives) one_slot(move.buffer);
    }
  }
  CHECK(wrong_runs(c, plan) > 3);
}

TEST_CASE("lse in base 2 gives wrong numbers as soon as there are two blocks") {
  cuda::KernelSet wrong = cuda::cpu_kernels();
  wrong.attend_forward = attend_with_lse_in_base_2;
  for (const int ranks : {2, 4}) {
    const test::Case c = small_case(ranks);
    CHECK(wrong_runs(c, ring_plan(c), &wrong) == 20);
  }
}

TEST_CASE("ranks that send first and receive in a second exchange are told who waits for whom") {
  const test::Case c = small_case(3);
  AttentionPlan plan = ring_plan(c);
  for (RankProgram& program : plan.forward.ranks) {
    std::vector<Step> steps;
    for (const Step& step : program.steps) {
      const auto* exchange = std::get_if<Exchange>(&step.action);
      if (!exchange || step.hop > 0) {
        steps.push_back(step);
        continue;
      }
      Exchange sends = *exchange, receives = *exchange;
      sends.receives.clear();
      sends.id = 1000;
      receives.sends.clear();
      steps.push_back({step.hop, sends});
      steps.push_back({step.hop, receives});
    }
    program.steps = std::move(steps);
  }
  CHECK_THROWS_WITH(test::run_on_streams(c, plan, test::inputs_of(c), {}),
                    "deadlock: rank 0 waits for rank 1 at hop 0 (send kv0); "
                    "rank 1 waits for rank 2 at hop 0 (send kv1); "
                    "rank 2 waits for rank 0 at hop 0 (send kv2)");
}

TEST_CASE("a message of the wrong size names both sides") {
  const test::Case c = small_case(2);
  AttentionPlan plan = ring_plan(c);
  Content half =
      plan.forward.contents[static_cast<std::size_t>(plan.forward.rank(0).buffers[1].initially)];
  half.pieces[0].count /= 2;
  plan.forward.contents.push_back(half);
  for (Step& step : plan.forward.ranks[1].steps) {
    if (auto* exchange = std::get_if<Exchange>(&step.action)) {
      exchange->receives[0].content = static_cast<ContentId>(plan.forward.contents.size()) - 1;
    }
  }
  CHECK_THROWS_WITH(test::run_on_streams(c, plan, test::inputs_of(c), {}),
                    Catch::Contains("rank 0 sends rank 1") && Catch::Contains("bytes"));
}

TEST_CASE("what the kernels do not support is refused by name, before anything runs") {
  const auto refused = [](auto change, const char* field) {
    test::Case c = small_case(2);
    change(c.rule);
    try {
      test::run_on_streams(c, ring_plan(c), test::inputs_of(c), {});
    } catch (const InputError& error) {
      CHECK(error.field() == field);
      return;
    }
    FAIL(field << " was not refused");
  };
  refused([](AttentionRule& rule) { rule.dropout = {0.1, 1}; }, "dropout");
  refused([](AttentionRule& rule) { rule.head_dim = 48; }, "head_dim");
  CHECK_THROWS_AS(cuda::data_type_of(ElementType::float64), InputError);
}

// The numbers that a learner touches: the softmax table against the executor and float64, memory
// and work against the ledger, and the proof against a result that was broken by hand.
#include <cmath>

#include "ringlab/viz/model/bars.hpp"
#include "ringlab/viz/model/inspect.hpp"
#include "ringlab/viz/model/presets.hpp"
#include "ringlab/viz/model/proof.hpp"
#include "ringlab/viz/model/softmax_table.hpp"
#include "tests/catch.hpp"
#include "tests/viz/model/scenarios.hpp"

namespace ringlab {
namespace {

using namespace viz;
using test::make_scene;
using test::sample;

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

// A row's lse is a sum of rounded exponentials of rounded scores: a float32 score of size up to 30
// is off by 2e-6, and so is the lse.
constexpr double kFloat32 = 1e-5;
// bfloat16 keeps 8 bits: each of up to 32 folds rounds m (up to 30), l and O by 2^-9.
constexpr double kBfloat16 = 0.3;

TEST_CASE("the last row of a softmax table is the executor's, and float64's within rounding") {
  int rows = 0, merges = 0, sinks = 0;
  for (int id = 0; id < sample(220); ++id) {
    auto scene = make_scene(id);
    scene.options.numbers = true;
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    REQUIRE(story->numbers);
    const Index first = story->session.keys.size() - story->session.queries.size();
    const Index last = story->session.keys.size() - 1;
    for (const Index query : {first, (first + last) / 2, last}) {
      const int head = id % story->schedule.query_heads;
      INFO("query " << query << " head " << head);
      const SoftmaxTable table = softmax_table(*story, query, head, StatePrecision::float32);
      REQUIRE(!table.rows.empty());
      const SoftmaxRow& end = table.rows.back();
      CHECK(table.empty_row == (std::isinf(end.lse)));
      if (!table.empty_row) {
        const double size = std::max(1.0, std::abs(table.right_lse));
        CHECK(std::abs(end.lse - table.right_lse) <= kFloat32 * size);
        CHECK(std::abs(end.lse - table.executor_lse) <= kFloat32 * size);
        REQUIRE(end.out.size() == table.right_out.size());
        for (std::size_t d = 0; d < end.out.size(); ++d) {
          CHECK(std::abs(end.out[d] - table.right_out[d]) <=
                kFloat32 * std::max(1.0, std::abs(table.right_out[d])));
        }
        const SoftmaxTable narrow = softmax_table(*story, query, head, StatePrecision::bfloat16);
        CHECK(std::abs(narrow.rows.back().lse - table.right_lse) <= kBfloat16 * size);
      }
      // Every visible key is folded in once, and m never falls along a chain of folds.
      Index keys = 0;
      for (const SoftmaxRow& row : table.rows) {
        if (row.action == SoftmaxAction::fold) keys += row.visible_keys;
        CHECK(row.m >= row.m_old);
        CHECK(row.shrink >= 0);
        CHECK(row.shrink <= 1);
        merges += row.action == SoftmaxAction::merge;
        sinks += row.action == SoftmaxAction::sink;
        ++rows;
      }
      Index visible = 0;
      const ringlab::Place q = story->session.queries.at(query - first);
      for (const ringlab::Place& k : story->session.keys.expand()) {
        visible += story->session.plan.rule.mask.visible(q, k);
      }
      CHECK(keys == visible);
      CHECK(rows_done(table, story->end) == static_cast<int>(table.rows.size()));
    }
  }
  CHECK(rows > 10 * sample(220));
  if (sample(220) == 220) {
    CHECK(merges > 100);
    CHECK(sinks > 10);
  }
}

TEST_CASE("bfloat16 shows what float32 hides, and a table says what it is of") {
  const auto story = make_story(preset_named("causal-zigzag").state.scenario);
  const SoftmaxTable exact = softmax_table(*story, 100, 1, StatePrecision::float32);
  const SoftmaxTable narrow = softmax_table(*story, 100, 1, StatePrecision::bfloat16);
  CHECK(narrow.lse_error > 100 * exact.lse_error);
  CHECK(exact.rows.size() == 8);  // eight hops
  CHECK(rows_done(exact, 0) == 0);
  for (const SoftmaxRow& row : exact.rows) {
    CHECK(row.tile >= 0);
    CHECK(story->tiles[at(row.tile)].time.end == row.time);
    CHECK(!row.formula.empty());
  }
  CHECK_THROWS_AS(softmax_table(*story, 128, 0, StatePrecision::float32), InputError);
  CHECK_THROWS_AS(softmax_table(*story, 0, 4, StatePrecision::float32), InputError);
}

TEST_CASE("the proof holds for what ran, and falls for what was broken") {
  double worst_forward = 0, worst_backward = 0;
  for (int id = 0; id < sample(120); ++id) {
    auto scene = make_scene(id);
    scene.options.numbers = true;
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    const Proof proof = make_proof(*story);
    CHECK(proof.good);
    REQUIRE(proof.lines.size() == (scene.scenario.backward ? 5u : 2u));
    // The same figure as the session's own verification.
    CHECK(proof.lines[0].largest ==
          Approx(story->numbers->verification.out.max_abs_error).epsilon(1e-12));
    for (const ProofLine& line : proof.lines) {
      if (std::isinf(line.relative)) continue;
      double& worst = line.quantity[0] == 'd' ? worst_backward : worst_forward;
      worst = std::max(worst, line.relative);
    }
  }
  CAPTURE(worst_forward, worst_backward);

  auto broken = std::make_shared<Story>(*make_story(preset_named("causal-zigzag").state.scenario));
  // One component of one row of rank 3 is wrong by a hundredth.
  broken->numbers->outputs[3].result.out(5, 2, 7) += 0.01f;
  const Proof proof = make_proof(*broken);
  CHECK(!proof.good);
  const ProofLine& line = proof.lines[0];
  CHECK(line.largest == Approx(0.01).epsilon(1e-3));
  CHECK(line.rank == 3);
  CHECK(line.head == 2);
  CHECK(line.component == 7);
  CHECK(line.position == broken->schedule.query_layout[3].at(5).position);
}

TEST_CASE("memory bars add up to what is held, work bars to the ledger") {
  for (int id = 0; id < sample(100); ++id) {
    const auto scene = make_scene(id);
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    for (const double share : {0.0, 0.4, 1.0}) {
      const Frame frame = frame_at(*story, share * story->end);
      const MemoryBars memory = memory_bars(*story, frame);
      for (int r = 0; r < story->size(); ++r) {
        Index sum = 0;
        for (const BarPart& part : memory.all[at(r)].parts) sum += part.amount;
        CHECK(sum == memory.all[at(r)].total);
        CHECK(sum <= story->ledger.ranks[at(r)].peak_bytes);
        CHECK(memory.ranks[at(r)].total <= memory.largest);
      }
      const WorkBars work = work_bars(*story, frame);
      CHECK(work.efficiency == story->ledger.efficiency());
      for (const RankBar& bar : work.ranks) {
        Index sum = 0;
        for (const BarPart& part : bar.parts) {
          sum += part.amount;
          CHECK(part.done >= 0);
          CHECK(part.done <= 1);
          if (share == 1.0) CHECK(part.done == Approx(1));
        }
        CHECK(sum == story->ledger.ranks[at(bar.rank)].pair_heads);
      }
    }
  }
}

TEST_CASE("what is pointed at says its numbers, in every family") {
  const Texts& texts = Texts::english();
  const auto value = [](const Facts& facts, const std::string& name) -> std::string {
    for (const Fact& fact : facts.facts) {
      if (fact.name == name) return fact.value;
    }
    return "";
  };
  for (int id = 0; id < sample(60); ++id) {
    const auto scene = make_scene(id);
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    const Frame frame = frame_at(*story, story->end / 3);
    std::vector<Facts> all;
    for (std::size_t t = 0; t < story->tiles.size(); t += 7) {
      all.push_back(facts_of_tile(*story, texts, static_cast<int>(t), frame.time));
      CHECK(value(all.back(), "hop") == std::to_string(story->tiles[t].hop));
    }
    for (std::size_t c = 0; c < story->copies.size(); c += 7) {
      all.push_back(facts_of_copy(*story, texts, static_cast<int>(c), frame.time));
      CHECK(value(all.back(), "size") == bytes_text(static_cast<double>(story->copies[c].bytes)));
      // The formula is worked out: its right side is the size.
      CHECK(all.back().formula[0].ends_with("= " + grouped(story->copies[c].bytes) + " B"));
    }
    for (std::size_t f = 0; f < story->flights.size(); f += 7) {
      all.push_back(facts_of_flight(*story, texts, static_cast<int>(f), frame.time));
    }
    for (std::size_t c = 0; c < story->matrix.cells.size(); c += 7) {
      all.push_back(facts_of_cell(*story, texts, static_cast<int>(c), 0, frame.time));
    }
    for (int r = 0; r < story->size(); ++r) all.push_back(facts_of_rank(*story, texts, frame, r));
    for (const Facts& facts : all) {
      CHECK(!facts.title.empty());
      for (const Fact& fact : facts.facts) {
        CHECK(fact.name.find('<') == std::string::npos);  // a key without a text
        CHECK(fact.value.find('<') == std::string::npos);
        CHECK(!fact.value.empty());
      }
    }
  }
  const auto story = make_story(preset_named("causal-zigzag").state.scenario);
  const Facts seen = facts_of_score(*story, texts, 2, 100, 50);
  CHECK(value(seen, "visible") == "yes");
  CHECK(seen.formula.size() == 4);
  CHECK(value(facts_of_score(*story, texts, 2, 50, 100), "visible") == "no");
}

}  // namespace
}  // namespace ringlab

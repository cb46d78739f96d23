// The simulated clock, against the simulator's own run of the grown scenario and closed forms.
#include "ringlab/viz/model/simulated.hpp"

#include <algorithm>

#include "ringlab/reference/session/session.hpp"
#include "ringlab/viz/model/presets.hpp"
#include "ringlab/viz/model/timeline_picture.hpp"
#include "tests/catch.hpp"
#include "tests/viz/model/scenarios.hpp"

namespace ringlab {
namespace {

using namespace viz;
using test::make_scene;
using test::sample;

// Times of the story are those of the trace, which has whole nanoseconds, stretched and brought
// back: half a nanosecond is far more than the arithmetic loses.
constexpr double kHalf = 0.5e-9;

StoryOptions simulated_on(const std::string& cluster, Index tokens = 0) {
  StoryOptions o;
  o.clock = Clock::simulated;
  o.cluster = cluster;
  o.simulated_tokens = tokens;
  o.numbers = false;
  return o;
}

template <class Call>
std::string field_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    CHECK(!error.value().empty());
    CHECK(!error.remedy().empty());
    return error.field();
  }
  return "";
}

std::vector<double> sorted(std::vector<double> list) {
  std::sort(list.begin(), list.end());
  return list;
}

void require_equal(const std::vector<double>& story, const std::vector<double>& right) {
  REQUIRE(story.size() == right.size());
  for (std::size_t i = 0; i < story.size(); ++i) REQUIRE(std::abs(story[i] - right[i]) < kHalf);
}

TEST_CASE("the story's times are the simulator's, event by event, and so is their end") {
  int told = 0, refused = 0, folds = 0;
  for (int id = 0; id < sample(300); ++id) {
    auto scene = make_scene(id);
    INFO(scene.text());
    const Index factor = std::array<Index, 3>{1, 16, 1000}[static_cast<std::size_t>(id) % 3];
    StoryOptions o = scene.options;
    o.clock = Clock::simulated;
    o.cluster =
        std::array{"2x8xh100", "tpu-v4-64", "4x8xa100"}[static_cast<std::size_t>(id) / 3 % 3];
    o.simulated_tokens = factor * scene.scenario.tokens;
    const auto story = make_story(scene.scenario, o);
    if (story->options.clock == Clock::ideal) {
      REQUIRE(story->notes.back().key == "note.takes_no_time");
      continue;
    }
    if (story->options.simulated_tokens != o.simulated_tokens) {
      // Shards of no token would grow into some, or other tiles would become visible.
      REQUIRE(!story->notes.empty());
      ++refused;
      continue;
    }
    REQUIRE(story->simulated);
    ++told;
    // Once more from the scenario, by the way that `ringlab sim` takes.
    const Simulated& s = *story->simulated;
    CHECK(s.scenario.tokens == factor * scene.scenario.tokens);
    const SimResult right = simulate(s.scenario, s.options);
    CHECK(right.total == s.result.total);
    const double unit = story->seconds_per_unit;
    CHECK(std::abs(story->end * unit - right.seconds()) < 1e-9);  // cut to whole nanoseconds
    std::vector<double> starts, ends, right_starts, right_ends, fly, land, right_fly, right_land;
    for (const TraceEvent& e : right.trace.events) {
      const double start = 1e-9 * static_cast<double>(e.start_nanoseconds);
      const double end = 1e-9 * static_cast<double>(e.end_nanoseconds);
      if (e.lane == Lane::send) right_fly.push_back(start);
      if (e.lane == Lane::receive) right_land.push_back(end);
      if (e.lane != Lane::compute) continue;
      folds += !e.name.starts_with("attend");
      if (!e.name.starts_with("attend")) continue;
      right_starts.push_back(e.rank + start);  // ranks apart by a second, which no run takes
      right_ends.push_back(e.rank + end);
    }
    for (const Tile& tile : story->tiles) {
      if (tile.pairs == 0) continue;
      starts.push_back(tile.rank + tile.time.start * unit);
      ends.push_back(tile.rank + tile.time.end * unit);
    }
    for (const Flight& flight : story->flights) {
      fly.push_back(flight.time.start * unit);
      land.push_back(flight.time.end * unit);
    }
    require_equal(sorted(starts), sorted(right_starts));
    require_equal(sorted(ends), sorted(right_ends));
    require_equal(sorted(fly), sorted(right_fly));
    require_equal(sorted(land), sorted(right_land));
    // The whole way to the end and what has been sent by then.
    const Frame end = frame_at(*story, story->end);
    CHECK(end.bytes_sent == story->ledger.bytes_sent());
    CHECK(end.share_done == Approx(1).epsilon(1e-12));
  }
  CHECK(told > sample(300) / 2);
  CHECK(folds > 0);
  CHECK(refused < sample(300) / 4);
}

TEST_CASE("a plain ring whose transfers hide takes its tiles, and grows with the square") {
  Scenario s = preset_named("plain").state.scenario;
  const AttentionCost cost = AttentionCost::for_gpu(load_cluster("8xh100").gpu);
  for (const Index factor : {512, 1024, 4096}) {
    const auto story = make_story(s, simulated_on("8xh100", factor * s.tokens));
    const double n = static_cast<double>(factor * s.tokens / s.ranks);
    const double pairs = n * n * s.heads;
    const double tile = cost.seconds({pairs, pairs, n, n, s.heads, s.head_dim, false});
    CHECK(story->end * story->seconds_per_unit == Approx(s.ranks * tile).epsilon(1e-5));
    for (const Flight& flight : story->flights) CHECK(flight.hidden == Approx(1));
    for (const Tile& t : story->tiles) {
      CHECK(t.real_flops == t.flops * static_cast<double>(factor * factor));
    }
    for (const Flight& f : story->flights) CHECK(2 * f.real_bytes == f.bytes * factor);  // 2 for 4
  }
}

std::vector<Tile> tiles_of(const Scenario& s, Index factor) {
  return make_story(s, simulated_on("8xh100", factor * s.tokens))->tiles;
}

TEST_CASE("pairs grow as the mask's own count, tile by tile") {
  const double each = 4.0 * 32 * 4;  // FLOP a pair, of 4 heads
  const Index k = 64, n = 16;
  // Contiguous: the diagonal tile has n (n + 1) / 2 pairs, those below it n^2, the others none.
  Scenario s = preset_named("causal-contiguous").state.scenario;
  for (const Tile& t : tiles_of(s, k)) {
    const double pairs = t.hop == 0 ? static_cast<double>(k * n * (k * n + 1) / 2)
                                    : static_cast<double>(t.pairs * k * k);
    CHECK(t.real_flops == pairs * each);
  }
  // Zigzag: half of the square, save for what lies on the diagonal.
  s = preset_named("causal-zigzag").state.scenario;
  for (const Tile& t : tiles_of(s, k)) {
    if (t.hop > 0) CHECK(t.real_flops == static_cast<double>(t.pairs * k * k) * each);
  }
  // A window of 32 tokens, the token itself among them, becomes one of 32 k.
  s = preset_named("window").state.scenario;
  CHECK(*grown(s, k).mask.window_left == 32 * k - 1);
  double visible = 0;
  for (const Tile& t : tiles_of(s, k)) {
    visible += t.real_flops / each;
  }
  const auto w = static_cast<double>(32 * k), all = static_cast<double>(128 * k);
  CHECK(visible == w * (w + 1) / 2 + (all - w) * w);
  // Documents grow with the sequence; a single new token stays one.
  s = preset_named("documents").state.scenario;
  CHECK(grown(s, k).documents == std::vector<Index>{40 * k, 56 * k, 32 * k});
  s = preset_named("decode").state.scenario;
  CHECK(*grown(s, k).query_tokens == 1);
  const auto decode = make_story(s, simulated_on("8xh100", k * s.tokens));
  CHECK(decode->options.clock == Clock::simulated);
}

TEST_CASE("what the words of two-nodes claim is so") {
  SharedState state = preset_named("two-nodes").state;
  state.options.numbers = false;
  const auto story = make_story(state.scenario, state.options);
  REQUIRE(story->options.clock == Clock::simulated);
  CHECK(story->nodes == 2);
  CHECK(story->node_of_rank == std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1});
  const auto hidden = [](const Story& told, bool between) {
    double part = 0, all = 0;
    for (const Flight& f : told.flights) {
      if ((told.node_of_rank[static_cast<std::size_t>(f.from)] !=
           told.node_of_rank[static_cast<std::size_t>(f.to)]) != between)
        continue;
      part += f.hidden * (f.time.end - f.time.start);
      all += f.time.end - f.time.start;
    }
    return part / all;
  };
  double tile = 0;
  for (const Tile& t : story->tiles) tile = std::max(tile, t.time.end - t.time.start);
  for (const Flight& f : story->flights) {
    const bool between = (f.from < 4) != (f.to < 4);
    const double length = f.time.end - f.time.start;
    // "there long before its tile is done"; "takes longer than a tile".
    if (between) CHECK(length > tile);
    if (!between && f.hop == 0) CHECK(length < 0.5 * tile);
  }
  CHECK(hidden(*story, true) < 0.8);
  // Links are drawn by their speeds: 362 GB/s reached inside, a network card between.
  const Cluster cluster = load_cluster("2x4xh100");
  for (const Link& link : story->links) {
    const bool between = (link.from < 4) != (link.to < 4);
    CHECK(link.bytes_per_second == cluster.between(link.from, link.to).bytes_per_second);
    CHECK(link.slow == Approx(between ? cluster.levels[0].link.bytes_per_second /
                                            cluster.levels[1].link.bytes_per_second
                                      : 1));
  }
  state.options.simulated_tokens *= 2;
  const auto longer = make_story(state.scenario, state.options);
  CHECK(hidden(*longer, true) == Approx(1));
  CHECK(hidden(*longer, false) == Approx(1));
}

TEST_CASE("a straggler and a slow link act in the simulated clock as in the simulator") {
  const Scenario s = preset_named("plain").state.scenario;
  StoryOptions o = simulated_on("8xh100", 1024 * s.tokens);
  const auto plain = make_story(s, o);
  const auto seconds = [](const Story& story) { return story.end * story.seconds_per_unit; };
  o.slow_rank = 5;
  o.slow_rank_factor = 2;
  // The slow rank computes its tiles one after another, twice as long.
  CHECK(seconds(*make_story(s, o)) == Approx(2 * seconds(*plain)).epsilon(1e-3));
  o.slow_rank = -1;
  o.slow_link_from = 2;
  o.slow_link_to = 3;
  o.slow_link_factor = 100;
  const auto slow = make_story(s, o);
  // Seven crossings of the slow port one after another, and the last block's tile.
  double crossing = 0, tile = 0;
  for (const Flight& f : slow->flights) {
    if (f.from == 2) crossing = (f.time.end - f.time.start) * slow->seconds_per_unit;
  }
  for (const Tile& t : slow->tiles) tile = (t.time.end - t.time.start) * slow->seconds_per_unit;
  CHECK(seconds(*slow) == Approx(7 * crossing + tile).epsilon(0.01));
  for (const Link& link : slow->links) CHECK(link.slow == Approx(link.from == 2 ? 100 : 1));
}

TEST_CASE("a clock in which a straggler cannot act says so") {
  SharedState state = preset_named("straggler").state;
  state.options.clock = Clock::measured;
  const auto story = make_story(state.scenario, state.options);
  REQUIRE(story->options.clock == Clock::measured);
  REQUIRE(story->notes.size() == 1);
  CHECK(Texts::english().say(story->notes[0]).starts_with("slow_rank acts in the ideal"));
}

TEST_CASE("what the simulated clock cannot take is refused by name, or put right and said") {
  const Scenario s = preset_named("plain").state.scenario;
  CHECK(field_of([&] { check_simulated(s, simulated_on("8xh100", 1024)); }).empty());
  CHECK(field_of([&] { check_simulated(s, simulated_on("8xmoon")); }) == "cluster");
  CHECK(field_of([&] { check_simulated(s, simulated_on("4xh100")); }) == "ranks");
  CHECK(field_of([&] { check_simulated(s, simulated_on("8xh100", 1000)); }) == "simulated_tokens");
  Scenario custom = s;
  custom.layout = LayoutKind::custom;
  CHECK(field_of([&] { grown(custom, 2); }) == "simulated_tokens");
  Scenario few = s;
  few.tokens = 5;  // three ranks hold nothing; of 5000 tokens they hold some
  CHECK(field_of([&] { check_simulated(few, simulated_on("8xh100", 5000)); }) ==
        "simulated_tokens");
  CHECK(field_of([&] { check_simulated(few, simulated_on("8xh100")); }).empty());
  Scenario named = s;
  named.hardware = "8xmoon";
  CHECK(field_of([&] { check_simulated(named, simulated_on("")); }) == "hardware");
  // Other clocks do not ask for it.
  CHECK(field_of([&] { check_simulated(named, {}); }).empty());

  const auto fitted = [](Scenario scenario, StoryOptions options, const std::string& about) {
    const std::vector<Sentence> notes = fit_to_limits(scenario, options);
    REQUIRE(notes.size() == 1);
    CHECK(Texts::english().say(notes[0]).find(about) != std::string::npos);
    CHECK(fit_to_limits(scenario, options).empty());
    return options;
  };
  CHECK(fitted(s, simulated_on("8xmoon"), "cluster").cluster.empty());
  CHECK(fitted(s, simulated_on("4xh100"), "ranks").cluster.empty());
  CHECK(fitted(s, simulated_on("8xh100", 1000), "simulated_tokens").simulated_tokens == 1024);
  CHECK(fitted(s, simulated_on("8xh100", Index{1} << 40), "simulated_tokens").simulated_tokens ==
        Limits::kSimulatedTokens);
  CHECK(fitted(few, simulated_on("8xh100", 5000), "other steps").simulated_tokens == 0);
  CHECK(fitted(named, simulated_on(""), "hardware").clock == Clock::simulated);
}

TEST_CASE("measured and simulated times lie over each other, whichever is the clock") {
  SharedState state = preset_named("two-nodes").state;
  const auto last_ghost = [](const TimelinePicture& picture) {
    double last = 0;
    for (const GhostBar& ghost : picture.ghosts) last = std::max(last, ghost.time.end);
    return last;
  };
  const Rect area{0, 0, 1e5f, 400};
  struct Case {
    Clock clock;
    const char* other;
  };
  for (const Case& c : {Case{Clock::simulated, "measured"}, Case{Clock::measured, "simulated"},
                        Case{Clock::ideal, "simulated"}}) {
    state.options.clock = c.clock;
    const auto story = make_story(state.scenario, state.options);
    REQUIRE(story->options.clock == c.clock);
    REQUIRE(story->measured);
    REQUIRE(story->simulated);
    const TimelinePicture picture = timeline_picture(*story, area, {}, 60);
    CHECK(picture.other == c.other);
    CHECK(last_ghost(picture) == Approx(story->end).epsilon(1e-9));
    const Trace& drawn =
        picture.other == "measured" ? *story->measured : story->simulated->result.trace;
    CHECK(picture.ghosts.size() > drawn.events.size() / 2);  // narrow ones are joined
    CHECK(Texts::english().has(picture.legend.key));
    const std::string legend = Texts::english().say(picture.legend);
    CHECK(legend.find_first_of("{<@") == std::string::npos);
    CHECK(legend.ends_with(", stretched to one length."));
  }
  // Without a cluster the ideal clock has the measured run beside it.
  state.options.cluster.clear();
  const auto story = make_story(state.scenario, state.options);
  CHECK(timeline_picture(*story, area, {}, 60).other == "measured");
}

TEST_CASE(
    "a trace file keeps its proportion to the measured run, unless one of them would vanish") {
  Scenario s = preset_named("causal-zigzag").state.scenario;
  const auto measured = make_story(s);
  StoryOptions o;
  o.clock = Clock::imported;
  for (const std::int64_t factor : {1, 1000}) {
    Trace trace = *measured->measured;
    const std::int64_t first = trace.events.front().start_nanoseconds;
    for (TraceEvent& e : trace.events) {
      e.start_nanoseconds = (e.start_nanoseconds - first) * factor;
      e.end_nanoseconds = (e.end_nanoseconds - first) * factor;
    }
    const auto story = make_story(s, o, trace);
    REQUIRE(story->options.clock == Clock::imported);
    const TimelinePicture picture = timeline_picture(*story, {0, 0, 1e5f, 400}, {}, 60);
    CHECK(picture.other == "measured");
    const bool stretched = Texts::english().say(picture.legend).ends_with("one length.");
    // This run and that one are of one machine, but it may have been busy with something else.
    if (factor == 1000) CHECK(stretched);
    double last = 0;
    for (const GhostBar& ghost : picture.ghosts) last = std::max(last, ghost.time.end);
    CHECK(last > 0.4 * story->end);
    if (stretched) CHECK(last == Approx(story->end).epsilon(1e-6));
  }
}

TEST_CASE("the clusters to choose from exist and hold the ranks") {
  for (const int ranks : {1, 2, 3, 8, 12, 64}) {
    const std::vector<std::string> names = clusters_for(ranks);
    CHECK(!names.empty());
    for (const std::string& name : names) {
      INFO(name);
      CHECK(load_cluster(name).gpus() >= ranks);
    }
  }
}

}  // namespace
}  // namespace ringlab

// The timeline and the clocks behind it, against closed forms and the trace's own overlap.
#include "ringlab/viz/model/timeline_picture.hpp"

#include <cmath>

#include "ringlab/reference/trace/chrome.hpp"
#include "ringlab/viz/model/presets.hpp"
#include "ringlab/viz/model/race.hpp"
#include "tests/catch.hpp"
#include "tests/viz/model/scenarios.hpp"

namespace ringlab {
namespace {

using namespace viz;
using test::make_scene;
using test::sample;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// A plain ring without a mask: R tiles of one unit, each behind the begin of a message (0.06), and
// the last without. A transfer of more than a unit takes the tile's place.
TEST_CASE("the ideal clock of a plain ring is its closed form") {
  for (const double ratio : {0.0, 0.4, 0.9, 1.0, 1.5, 3.0}) {
    for (const int ranks : {1, 2, 5, 8}) {
      Scenario s;
      s.tokens = 40;
      s.heads = 2;
      s.head_dim = 8;
      s.ranks = ranks;
      s.mask = {};
      s.layout = LayoutKind::contiguous;
      StoryOptions options;
      options.transfer_ratio = ratio;
      options.numbers = false;
      const auto story = make_story(s, options);
      // Tiles differ where 40 is no multiple of the ranks; here it always is.
      const double right = 1 + (ranks - 1) * (0.06 + std::max(1.0, ratio));
      CHECK(story->end == Approx(right).epsilon(1e-12));
    }
  }
}

TEST_CASE("on one link messages go one after another") {
  int shared = 0;
  for (int id = 0; id < sample(150); ++id) {
    auto scene = make_scene(id);
    scene.options.transfer_ratio = 0.8;
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    std::vector<double> free(story->links.size(), 0);
    for (const Flight& flight : story->flights) {  // by start
      if (flight.collective || flight.bytes == 0) continue;
      double& end = free[at(flight.link)];
      shared += flight.time.start == end && end > 0;
      REQUIRE(flight.time.start >= end);
      end = flight.time.end;
    }
  }
  CHECK(shared > 0);  // some had to wait for the one before
}

TEST_CASE("a straggler and a slow link set the pace of the whole ring") {
  SharedState straggler = preset_named("straggler").state, slow = preset_named("slow-link").state;
  straggler.options.numbers = slow.options.numbers = false;
  const auto plain = make_story(preset_named("plain").state.scenario);
  // The slow rank computes 8 tiles of 2 units and begins 7 messages.
  CHECK(make_story(straggler.scenario, straggler.options)->end ==
        Approx(8 * 2 + 7 * 0.06).epsilon(0.15));
  CHECK(make_story(slow.scenario, slow.options)->end > plain->end + 3);
}

TEST_CASE("hidden and exposed parts of a trace clock are those of the trace") {
  Scenario s = preset_named("causal-zigzag").state.scenario;
  StoryOptions options;
  options.clock = Clock::measured;
  const auto story = make_story(s, options);
  REQUIRE(story->numbers);
  REQUIRE(story->notes.empty());
  CHECK(story->options.clock == Clock::measured);
  CHECK(story->seconds_per_unit > 0);
  // The times of tiles are those of the trace's events, unless the order of the schedule forbids.
  const Trace& trace = *story->measured;
  std::int64_t first = trace.events.front().start_nanoseconds;
  for (const TraceEvent& e : trace.events) first = std::min(first, e.start_nanoseconds);
  std::size_t equal = 0;
  for (const Tile& tile : story->tiles) {
    for (const TraceEvent& e : trace.events) {
      if (e.rank != tile.rank || e.hop != tile.hop || e.lane != Lane::compute) continue;
      const double start = static_cast<double>(e.start_nanoseconds - first) * 1e-9;
      equal += std::abs(tile.time.start * story->seconds_per_unit - start) < 1e-9;
    }
  }
  // Events of one process have one clock, so hardly any has to be moved.
  CHECK(equal >= story->tiles.size() * 9 / 10);
}

TEST_CASE("a trace goes out as a file and comes back as the clock") {
  Scenario s = preset_named("causal-zigzag").state.scenario;
  const auto measured = make_story(s);
  const Trace trace = parse_chrome_json(to_chrome_json(*measured->measured), "trace.json");
  StoryOptions options;
  options.clock = Clock::imported;
  const auto story = make_story(s, options, trace);
  CHECK(story->options.clock == Clock::imported);
  CHECK(story->notes.empty());
  // A trace of something else is refused in words.
  s.ranks = 4;
  const auto other = make_story(s, options, trace);
  CHECK(other->options.clock == Clock::ideal);
  REQUIRE(other->notes.size() == 1);
  CHECK(other->notes[0].key == "note.trace_does_not_fit");
}

TEST_CASE("every family runs on its own measured times") {
  for (int id = 0; id < sample(60); ++id) {
    auto scene = make_scene(id);
    scene.options.numbers = true;
    scene.options.clock = Clock::measured;
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    REQUIRE(story->numbers);
    REQUIRE(story->measured);
    if (story->measured->events.empty()) continue;
    REQUIRE(story->options.clock == Clock::measured);
    const Frame end = frame_at(*story, story->end);
    CHECK(end.bytes_sent == story->ledger.bytes_sent());
    CHECK(end.share_done == Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("bars lie in their rows, and hidden and exposed parts make up each transfer") {
  const Rect area{10, 20, 910, 320};
  for (int id = 0; id < sample(100); ++id) {
    const auto scene = make_scene(id);
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    const TimelinePicture picture = timeline_picture(*story, area, {}, 60);
    for (const Bar& bar : picture.bars) {
      REQUIRE(bar.rect.inside({area.x0 + 59.9f, area.y0, area.x1 + 0.1f, area.y1 + 0.1f}));
      REQUIRE(!std::isnan(bar.rect.x0));
    }
    for (const RowLabel& row : picture.rows) REQUIRE(row.rect.y1 <= area.y1 + 1);
    std::vector<double> covered(story->flights.size(), 0);
    std::vector<double> hidden(story->flights.size(), 0);
    const TimelinePicture close = timeline_picture(*story, {0, 0, 1e6f, 300}, {}, 60);
    for (const Bar& bar : close.bars) {
      if (bar.kind != BarKind::receive_hidden && bar.kind != BarKind::receive_exposed) continue;
      covered[at(bar.flight)] += bar.time.end - bar.time.start;
      if (bar.kind == BarKind::receive_hidden) {
        hidden[at(bar.flight)] += bar.time.end - bar.time.start;
      }
    }
    for (std::size_t f = 0; f < covered.size(); ++f) {
      const Flight& flight = story->flights[f];
      const double length = flight.time.end - flight.time.start;
      if (length < 1e-3 * story->end) continue;  // narrow ones are joined with their neighbours
      // A neighbour of the same lane may swallow slivers of a pixel in a million.
      if (covered[f] == 0) continue;
      CHECK(covered[f] == Approx(length).margin(1e-5 * story->end));
      CHECK(hidden[f] == Approx(length * flight.hidden).margin(1e-5 * story->end));
    }
  }
}

TEST_CASE("x and time are inverse to each other, in any view") {
  const auto story = make_story(preset_named("plain").state.scenario);
  TimelineView view = fit_all(*story);
  for (int i = 0; i < 12; ++i) {
    const TimelinePicture picture = timeline_picture(*story, {10, 20, 910, 320}, view, 60);
    const double time = view.start + 0.37 * (view.end - view.start);
    const float x = x_of(picture, *story, view, time);
    CHECK(time_at(picture, *story, view, x) == Approx(time).epsilon(1e-4));
    view = zoomed(*story, view, time, 1.5);
    view = panned(*story, view, 0.1);
    CHECK(view.start >= 0);
    CHECK(view.end <= Approx(story->end));
    CHECK(view.end > view.start);
  }
}

TEST_CASE("the race is won by the balanced layouts, as their efficiency says") {
  const SharedState state = preset_named("causal-contiguous").state;
  const Race race = make_race(state.scenario, state.options);
  REQUIRE(race.names == std::vector<std::string>{"contiguous", "striped", "zigzag"});
  const auto lanes = race_at(race, race.end);
  for (const RaceLane& lane : lanes) CHECK(lane.finished);
  CHECK(lanes[2].place == 1);
  CHECK(lanes[0].place == 3);
  // The last rank of contiguous slices has a tile on the diagonal (136 of 256 pairs, shorter than
  // a message of 0.6), then seven full ones, and seven messages to begin. Zigzag's half tiles are
  // all shorter than a message, which sets its pace.
  CHECK(lanes[0].finish == Approx(0.6 + 7 + 7 * 0.06).epsilon(1e-9));
  CHECK(lanes[2].finish == Approx(7 * (0.06 + 0.6) + 0.5).epsilon(1e-9));
  for (const auto& story : race.stories) {
    CHECK(story->pair_heads_per_unit == race.stories[0]->pair_heads_per_unit);
    CHECK(story->bytes_per_unit == race.stories[0]->bytes_per_unit);
  }
  const auto half = race_at(race, race.stories[2]->end / 2);
  CHECK(half[2].done > half[0].done);
}

}  // namespace
}  // namespace ringlab

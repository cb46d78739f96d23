// The pictures as rectangles: nothing overlaps that should not, nothing lies outside its area, and
// what is drawn is what the frame says.
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "ringlab/viz/model/matrix_picture.hpp"
#include "ringlab/viz/model/presets.hpp"
#include "ringlab/viz/model/ring_picture.hpp"
#include "ringlab/viz/model/timeline_picture.hpp"
#include "tests/catch.hpp"
#include "tests/viz/model/scenarios.hpp"

namespace ringlab {
namespace {

using namespace viz;
using test::make_scene;
using test::sample;

const Rect kArea{20, 30, 620, 430};  // 600 x 400

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

std::vector<int> nodes_of(int ranks, int size) {
  std::vector<int> nodes;
  for (int r = 0; r < ranks; ++r) nodes.push_back(r / size);
  return nodes;
}

void check_places(const std::vector<Rect>& places, const Rect& area) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    REQUIRE(places[i].inside(area));
    REQUIRE(places[i].width() >= 8);
    for (std::size_t j = 0; j < i; ++j) REQUIRE(!places[i].overlaps(places[j]));
  }
}

TEST_CASE("1 to 64 ranks stand apart in 600 x 400 pixels, in any number of nodes") {
  for (int ranks = 1; ranks <= 64; ++ranks) {
    INFO(ranks << " ranks");
    check_places(ring_places(ranks, nodes_of(ranks, ranks), kArea), kArea);
    for (int size = 2; size < ranks; ++size) {
      if (ranks % size != 0) continue;
      INFO("nodes of " << size);
      check_places(ring_places(ranks, nodes_of(ranks, size), kArea), kArea);
    }
  }
}

TEST_CASE("a ring of few ranks is round") {
  for (const int ranks : {4, 8, 12, 16}) {
    float rx = 0, ry = 0;
    for (const Rect& r : ring_places(ranks, {}, kArea)) {
      rx = std::max(rx, std::abs(r.center().x - kArea.center().x));
      ry = std::max(ry, std::abs(r.center().y - kArea.center().y));
    }
    CHECK(rx / ry < 1.4f);
    CHECK(rx / ry > 0.7f);
  }
}

TEST_CASE("nodes that are linked as one ring stand on one, each on a band of its own") {
  for (const int size : {2, 4, 8}) {
    for (const int nodes : {2, 4}) {
      check_places(ring_places(size * nodes, nodes_of(size * nodes, size), kArea, true), kArea);
    }
  }
  const SharedState state = preset_named("two-nodes").state;
  const auto story = make_story(state.scenario, state.options);
  REQUIRE(goes_one_round(*story));
  const RingPicture picture = ring_picture(*story, frame_at(*story, 0.4 * story->end), kArea, 0);
  REQUIRE(picture.nodes.size() == 2);
  for (int r = 0; r < 8; ++r) {
    // The band passes behind the boxes of its node, and behind no other.
    for (int n = 0; n < 2; ++n) {
      const auto& band = picture.nodes[at(n)].band;
      const bool behind = std::any_of(
          band.begin(), band.end(), [&](Point p) { return picture.boxes[at(r)].rect.contains(p); });
      CHECK(behind == (r / 4 == n));
    }
  }
  // The two links between the nodes say what they reach.
  int named = 0;
  for (const Wire& wire : picture.wires) {
    CHECK(wire.label.empty() == (wire.from / 4 == wire.to / 4));
    named += !wire.label.empty();
    for (const RankBox& box : picture.boxes) CHECK(!box.rect.contains(wire.label_at));
  }
  CHECK(named == 2);
  // A ring of rings has a ring in each node.
  const auto rings = make_story(preset_named("double-ring").state.scenario);
  CHECK(!goes_one_round(*rings));
}

TEST_CASE(
    "a slow rank and a slow link say how slow they are, where they have a part in the times") {
  const SharedState straggler = preset_named("straggler").state;
  auto story = make_story(straggler.scenario, straggler.options);
  RingPicture picture = ring_picture(*story, frame_at(*story, 1), kArea, 0);
  CHECK(picture.boxes[5].title == "rank 5 ×2");
  CHECK(picture.boxes[4].title == "rank 4");
  const SharedState slow = preset_named("slow-link").state;
  story = make_story(slow.scenario, slow.options);
  picture = ring_picture(*story, frame_at(*story, 1), kArea, 0);
  for (const Wire& wire : picture.wires) CHECK(wire.label == (wire.from == 2 ? "×3" : ""));
}

TEST_CASE("in a crowd the focus rank's messages keep their letters, the others are dots") {
  const auto story = make_story(preset_named("all-gather").state.scenario);
  const RingPicture picture = ring_picture(*story, frame_at(*story, 0.3), kArea, 3);
  int letters = 0, dots = 0;
  for (const Chip& chip : picture.travelling) {
    const Copy& copy = story->copies[at(chip.copy)];
    const Flight& flight = story->flights[at(copy.flight)];
    CHECK(chip.dot == (flight.from != 3 && flight.to != 3));
    CHECK(chip.text.empty() == chip.dot);
    (chip.dot ? dots : letters) += 1;
  }
  CHECK(letters == 14);
  CHECK(dots == 42);
}

TEST_CASE("the ring shows each block once, on its rank or on the way") {
  for (int id = 0; id < sample(150); ++id) {
    const auto scene = make_scene(id);
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    for (const double share : {0.0, 0.13, 0.5, 0.77, 1.0}) {
      const Frame frame = frame_at(*story, share * story->end);
      const RingPicture picture = ring_picture(*story, frame, kArea, 0);
      REQUIRE(static_cast<int>(picture.boxes.size()) == story->size());
      std::size_t shown = 0, hidden = 0;
      std::set<int> copies;
      for (const RankBox& box : picture.boxes) {
        REQUIRE(box.rect.inside(kArea));
        hidden += at(box.hidden_chips);
        for (std::size_t i = 0; i < box.chips.size(); ++i) {
          const Chip& chip = box.chips[i];
          REQUIRE(chip.rect.inside(box.rect));
          for (std::size_t j = 0; j < i; ++j) REQUIRE(!chip.rect.overlaps(box.chips[j].rect));
          REQUIRE(story->copies[at(chip.copy)].rank == box.rank);
          REQUIRE(copies.insert(chip.copy).second);
          ++shown;
        }
        REQUIRE(!box.rect.overlaps(picture.centre));
      }
      for (const Chip& chip : picture.travelling) {
        REQUIRE(copies.insert(chip.copy).second);
        REQUIRE(chip.rect.x0 > kArea.x0 - 40);
        REQUIRE(chip.rect.x1 < kArea.x1 + 40);
        ++shown;
      }
      hidden += at(picture.hidden_travelling);
      std::size_t live = 0;
      for (const BlockPlace& place : frame.places) live += story->copies[at(place.copy)].bytes > 0;
      REQUIRE(shown + hidden == live);
      // Every busy link has a wire that glows, and no other does.
      std::set<std::pair<int, int>> busy, glowing;
      for (const LinkNow& link : frame.links) {
        busy.insert({story->links[at(link.link)].from, story->links[at(link.link)].to});
      }
      for (const Wire& wire : picture.wires) {
        if (wire.load > 0) glowing.insert({wire.from, wire.to});
      }
      REQUIRE(busy == glowing);
    }
  }
}

TEST_CASE("a travelling block starts at its sender and ends at its receiver") {
  const auto story = make_story(preset_named("plain").state.scenario);
  const Flight& flight = story->flights.front();
  const double length = flight.time.end - flight.time.start;
  const auto chip_at = [&](double share) {
    const Frame frame = frame_at(*story, flight.time.start + share * length);
    const RingPicture picture = ring_picture(*story, frame, kArea, 0);
    for (const Chip& chip : picture.travelling) {
      if (chip.copy == flight.copy) return chip.rect.center();
    }
    return Point{-1, -1};
  };
  const auto box = [&](int rank) { return ring_places(8, {}, kArea)[at(rank)]; };
  const auto near = [](Point p, const Rect& r) {
    // It stands beside the box: half a chip (at most 13) and a little room away.
    const Rect wide{r.x0 - 16, r.y0 - 16, r.x1 + 16, r.y1 + 16};
    return wide.contains(p);
  };
  CHECK(near(chip_at(0.01), box(flight.from)));
  CHECK(near(chip_at(0.99), box(flight.to)));
  CHECK(!near(chip_at(0.5), box(flight.from)));
}

TEST_CASE("the cells of a matrix fill the visible pairs and nothing else") {
  const Rect area{0, 0, 434, 416};  // 400 x 400 without the labels
  for (int id = 0; id < sample(100); ++id) {
    const auto scene = make_scene(id);
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    const MatrixPicture picture = matrix_picture(*story, 0, area, {});
    REQUIRE(picture.area.inside({area.x0, area.y0, area.x1 + 0.5f, area.y1 + 0.5f}));
    // Pairs by area: shares of the cells add up to what the mask lets through.
    double pairs = 0;
    const double pixel_per_pair =
        static_cast<double>(picture.area.width()) * static_cast<double>(picture.area.height()) /
        static_cast<double>(std::max<Index>(1, story->matrix.queries * story->matrix.keys));
    for (const CellBox& cell : picture.cells) {
      pairs += static_cast<double>(cell.rect.width()) * static_cast<double>(cell.rect.height()) *
               static_cast<double>(cell.share);
    }
    const auto right = static_cast<double>(
        visible_pairs(story->session.plan.rule.mask, story->session.queries, story->session.keys));
    // Rectangles are floats: 1e-3 is far below one pair of the largest matrix here (400 x 400).
    CHECK(pairs / pixel_per_pair == Approx(right).epsilon(1e-3));
    // A point in a cell is in a tile that computes that pair.
    for (std::size_t c = 0; c < picture.cells.size(); c += 1 + picture.cells.size() / 20) {
      const CellBox& cell = picture.cells[c];
      const MatrixHit hit = matrix_hit(*story, 0, picture, {}, cell.rect.center());
      REQUIRE(hit.cell == cell.cell);
      REQUIRE(hit.tile == cell.tile);
      const Tile& tile = story->tiles[at(hit.tile)];
      const Index q = query_position(*story, hit.query), k = key_position(*story, hit.key);
      bool has_query = false, has_key = false;
      for (const ringlab::Place& p : story->schedule.tokens_of(tile.query).expand()) {
        has_query = has_query || p.position == q;
      }
      for (const ringlab::Place& p : story->schedule.tokens_of(tile.key_value).expand()) {
        has_key = has_key || p.position == k;
      }
      REQUIRE(has_query);
      REQUIRE(has_key);
      REQUIRE(query_place(*story, q) == hit.query);
    }
  }
}

TEST_CASE("strips of a partial cell show where the mask lets through") {
  // Rows are sampled, so a strip may be off by a row: compare areas of the causal triangle.
  Scenario s = preset_named("causal-contiguous").state.scenario;
  const auto story = make_story(s);
  const Matrix& m = story->matrix;
  for (std::size_t c = 0; c < m.cells.size(); ++c) {
    float area = 0;
    for (int i = m.strip_begin[c]; i < m.strip_begin[c + 1]; ++i) {
      const Strip& strip = m.strips[at(i)];
      area += (strip.row1 - strip.row0) * (strip.column1 - strip.column0);
    }
    if (m.cells[c].kind() == TileClass::full) {
      CHECK(area == 0);
    } else {
      const float share =
          static_cast<float>(m.cells[c].pairs) / static_cast<float>(m.cells[c].square);
      CHECK(area == Approx(share).margin(0.05));
    }
  }
}

TEST_CASE("zooming keeps the point under the cursor and stays inside the matrix") {
  const auto story = make_story(preset_named("causal-zigzag").state.scenario);
  const Rect area{0, 0, 434, 416};
  MatrixView view;
  const Point about{200, 300};
  const MatrixHit before =
      matrix_hit(*story, 0, matrix_picture(*story, 0, area, view), view, about);
  for (int i = 0; i < 30; ++i) view = zoomed(*story, view, area, about, 1.3);
  const MatrixHit after = matrix_hit(*story, 0, matrix_picture(*story, 0, area, view), view, about);
  CHECK(std::abs(static_cast<double>(after.query - before.query)) <= 1);
  CHECK(std::abs(static_cast<double>(after.key - before.key)) <= 1);
  const MatrixPicture close = matrix_picture(*story, 0, area, view);
  REQUIRE(!close.scores.empty());
  CHECK(!close.scores.front().text.empty() == close.scores.front().visible);
  view = panned(*story, view, area, {1e9f, -1e9f});
  CHECK(view.first_key == 0);
  CHECK(view.first_query + view.queries == Approx(128));
  for (int i = 0; i < 60; ++i) view = zoomed(*story, view, area, about, 0.7);
  CHECK(view.keys == Approx(128));
}

TEST_CASE("weights of single scores add up to one along a row") {
  Scenario s;
  s.tokens = 16;
  s.ranks = 4;
  s.heads = 2;
  s.head_dim = 8;
  const auto story = make_story(s);
  const MatrixPicture picture = matrix_picture(*story, 1, {0, 0, 834, 816}, {});
  std::map<Index, double> sum;
  for (const ScoreBox& score : picture.scores) {
    sum[score.query] += static_cast<double>(score.weight);
    if (score.visible) CHECK(score.tile >= 0);
  }
  REQUIRE(sum.size() == 16);
  for (const auto& [query, weight] : sum) CHECK(weight == Approx(1).epsilon(1e-5));  // float boxes
}

TEST_CASE("a sequence of no tokens, or of one, has pictures too") {
  for (const Index tokens : {0, 1}) {
    for (const char* schedule : {"ring", "ulysses_ring", "decode_tree", "all_gather"}) {
      Scenario s;
      s.tokens = tokens;
      s.schedule = schedule;
      const auto story = make_story(s);
      for (const double share : {0.0, 0.5, 1.0}) {
        const Frame frame = frame_at(*story, share * story->end);
        CHECK(std::isfinite(frame.share_done));
        const RingPicture ring = ring_picture(*story, frame, kArea, 0);
        CHECK(ring.boxes.size() == 4);
        CHECK(matrix_picture(*story, 0, kArea, {}).cells.size() == at(tokens));
        for (const Bar& bar : timeline_picture(*story, kArea, {}, 60).bars) {
          CHECK(std::isfinite(bar.rect.x1));
        }
      }
    }
  }
}

// The budget of a frame is 2 ms with everything drawn; the state alone has to be far below.
TEST_CASE("a frame of 64 ranks takes a fraction of its budget") {
  SharedState state = preset_named("many-ranks").state;
  state.options.numbers = false;
  const auto story = make_story(state.scenario, state.options);
  Frame frame;
  double best = 1;
  for (int tries = 0; tries < 20; ++tries) {
    const auto start = std::chrono::steady_clock::now();
    frame_at(*story, story->end * (tries + 0.5) / 20, frame);
    const RingPicture ring = ring_picture(*story, frame, kArea, 0);
    REQUIRE(ring.boxes.size() == 64);
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  // Measured 0.1 ms in a release build; ten times that with sanitizers and other work beside it.
  CHECK(best < test::sample(10) * 1e-4 + (test::sample(10) < 10 ? 0.05 : 0));
}

}  // namespace
}  // namespace ringlab

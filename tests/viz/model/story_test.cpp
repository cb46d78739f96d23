// A story's moments, held against the schedule, the mask and the ledger themselves: 300 scenarios
// of every schedule, at every rank's break points.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "ringlab/reference/schedule/collective.hpp"
#include "ringlab/reference/schedule/contents.hpp"
#include "ringlab/viz/model/frame.hpp"
#include "ringlab/viz/model/playback.hpp"
#include "ringlab/viz/model/presets.hpp"
#include "tests/catch.hpp"
#include "tests/viz/model/scenarios.hpp"

namespace ringlab {
namespace {

using namespace viz;
using test::make_scene;
using test::sample;
using test::SceneCase;

constexpr int kScenes = 300;

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

// All ranks' break points, ascending, each time once.
std::vector<double> times_of(const Story& story) {
  std::set<double> times;
  for (const RankStory& rank : story.ranks) {
    for (const BreakPoint& point : rank.breaks) times.insert(point.time);
  }
  return {times.begin(), times.end()};
}

// What a rank's buffers hold at a time, by the interpreter that every reader starts from, and
// which of them wait for a collective.
struct Held {
  std::vector<std::optional<Content>> buffers;
  std::map<BufferId, int> pending;  // out buffer -> id
};

Held held_at(const Story& story, int rank, double time) {
  Holdings holdings(story.schedule, rank);
  Held held;
  const auto& steps = story.schedule.rank(rank).steps;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const Span span = story.ranks[at(rank)].steps[s];
    if (span.start > time) break;
    holdings.apply(steps[s]);
    if (const auto* c = std::get_if<Collective>(&steps[s].action)) held.pending[c->out] = c->id;
    if (const auto* w = std::get_if<Wait>(&steps[s].action); w && span.end <= time) {
      for (auto p = held.pending.begin(); p != held.pending.end();) {
        p = p->second == w->id ? held.pending.erase(p) : std::next(p);
      }
    }
  }
  for (std::size_t b = 0; b < story.schedule.rank(rank).buffers.size(); ++b) {
    held.buffers.push_back(holdings.of(static_cast<BufferId>(b)));
  }
  return held;
}

// Empty if every live block is at one place, and every buffer's content is a block.
std::string misplaced(const Story& story, const Frame& frame) {
  std::set<int> seen;
  for (int r = 0; r < story.size(); ++r) {
    const Held held = held_at(story, r, frame.time);
    std::vector<int> in_buffer(held.buffers.size(), 0);
    for (int p = frame.places_begin[at(r)]; p < frame.places_begin[at(r + 1)]; ++p) {
      const BlockPlace& place = frame.places[at(p)];
      const Copy& copy = story.copies[at(place.copy)];
      if (!seen.insert(place.copy).second) return copy.label + " is at two places";
      if (place.rank != r || copy.rank != r) return copy.label + " is told by another rank";
      if (place.flying) {
        // On exactly one link, which is busy.
        int links = 0;
        for (const LinkNow& now : frame.links) {
          const Link& link = story.links[at(now.link)];
          links += link.from == place.from && link.to == r;
        }
        if (links != 1) return copy.label + " flies on no link";
        if (!(place.progress >= 0 && place.progress < 1)) return copy.label + " flies nowhere";
      } else if (place.progress != 1) {
        return copy.label + " is on a rank and half way";
      }
      if (copy.part) {
        if (held.pending.count(copy.buffer) == 0) return copy.label + " is a part of nothing";
        continue;
      }
      if (held.pending.count(copy.buffer) > 0) return copy.label + " is there before its parts";
      if (held.buffers[at(copy.buffer)] != copy.content) {
        return copy.label + " is in a buffer that holds something else";
      }
      ++in_buffer[at(copy.buffer)];
    }
    for (std::size_t b = 0; b < in_buffer.size(); ++b) {
      if (in_buffer[b] > 1) return "two blocks in one buffer";
      if (in_buffer[b] == 1 || !held.buffers[b]) continue;
      if (held.pending.count(static_cast<BufferId>(b)) > 0) continue;
      // Nothing to see only while the message that will fill the buffer has not left.
      bool awaited = false;
      for (const int f : story.ranks[at(r)].arrivals) {
        const Flight& flight = story.flights[at(f)];
        awaited = awaited || (story.copies[at(flight.copy)].buffer == static_cast<BufferId>(b) &&
                              flight.time.start > frame.time);
      }
      if (!awaited) return "a buffer's content is no block";
    }
  }
  return "";
}

// Keys and values of every token and head are always somewhere.
bool key_values_exist(const Story& story, const Frame& frame) {
  std::set<std::array<Index, 3>> there;  // shard, token, head
  for (const BlockPlace& place : frame.places) {
    const Content& content = story.copies[at(place.copy)].content;
    if (content.quantity != Quantity::key_value) continue;
    for (const Piece& piece : content.pieces) {
      for (Index t = piece.first; t < piece.first + piece.count; ++t) {
        for (int h = 0; h < content.heads; ++h) {
          there.insert({piece.shard, t, content.first_head + h});
        }
      }
    }
  }
  return static_cast<Index>(there.size()) == story.matrix.keys * story.schedule.kv_heads;
}

// How often each (query, key, head) of a story was computed, by position.
std::map<std::array<Index, 3>, int> computed_pairs(const Story& story, const Frame& frame) {
  std::map<std::array<Index, 3>, int> count;
  for (std::size_t t = 0; t < story.tiles.size(); ++t) {
    if (frame.tile_progress[t] < 1) continue;
    const Tile& tile = story.tiles[t];
    for (const Place& q : story.schedule.tokens_of(tile.query).expand()) {
      for (const Place& k : story.schedule.tokens_of(tile.key_value).expand()) {
        if (!story.session.plan.rule.mask.visible(q, k)) continue;
        for (int h = 0; h < tile.query.heads; ++h) {
          ++count[{q.position, k.position, tile.query.first_head + h}];
        }
      }
    }
  }
  return count;
}

TEST_CASE("a rank is said to wait for what arrives only if it stood there before") {
  SharedState state = preset_named("slow-link").state;
  state.options.numbers = false;
  const auto story = make_story(state.scenario, state.options);
  int exposed = 0, hidden = 0;
  for (int r = 0; r < story->size(); ++r) {
    for (const BreakPoint& point : story->ranks[at(r)].breaks) {
      for (const Sentence& sentence : point.sentences) {
        if (!sentence.key.starts_with("break.arrive")) continue;
        // Just before, it was at a wait, or it had something else to do.
        const Frame before = frame_at(*story, point.time - 1e-6);
        const bool waits = before.ranks[at(r)].doing == Doing::waiting;
        CHECK(sentence.key.ends_with(waits ? "exposed" : "hidden"));
        (waits ? exposed : hidden) += 1;
      }
    }
  }
  CHECK(exposed > 0);
  CHECK(hidden > 0);
}

TEST_CASE("a rank is said to compute while it sends only if a pair is visible") {
  for (const char* name : {"window", "causal-contiguous"}) {
    SharedState state = preset_named(name).state;
    state.options.numbers = false;
    const auto story = make_story(state.scenario, state.options);
    int computing = 0, waiting = 0;
    for (int r = 0; r < story->size(); ++r) {
      for (const BreakPoint& point : story->ranks[at(r)].breaks) {
        for (const Sentence& sentence : point.sentences) {
          if (!sentence.key.starts_with("break.send")) continue;
          const bool pairs =
              std::any_of(story->tiles.begin(), story->tiles.end(), [&](const Tile& tile) {
                return tile.rank == r && tile.hop == point.hop && tile.pairs > 0;
              });
          CHECK(sentence.key.ends_with(pairs ? "and_computes" : "and_waits"));
          (pairs ? computing : waiting) += 1;
        }
      }
    }
    CHECK(computing > 0);
    CHECK(waiting > 0);
  }
}

TEST_CASE("at every break point each block is on one rank or one link") {
  std::size_t moments = 0;
  for (int id = 0; id < sample(kScenes); ++id) {
    const SceneCase scene = make_scene(id);
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    CHECK(story->notes.empty());
    std::vector<double> times = times_of(*story);
    // Between break points too.
    for (std::size_t i = 0, n = times.size(); i + 1 < n && i < 20; ++i) {
      times.push_back((times[i] + times[i + 1]) / 2);
    }
    for (std::size_t i = 0; i < times.size(); i += 1 + times.size() / 60) {
      const Frame frame = frame_at(*story, times[i]);
      INFO("time " << times[i]);
      REQUIRE(misplaced(*story, frame) == "");
      REQUIRE(key_values_exist(*story, frame));
      ++moments;
    }
  }
  CHECK(moments > 20 * at(sample(kScenes)));
}

TEST_CASE("at the end each visible pair was computed once, and each cell has its tile") {
  for (int id = 0; id < sample(kScenes); ++id) {
    const SceneCase scene = make_scene(id);
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    const Frame frame = frame_at(*story, story->end);
    CHECK(frame.share_done == Approx(1).epsilon(1e-12));
    const Mask& mask = story->session.plan.rule.mask;
    const int heads = story->schedule.query_heads;
    if (scene.c.tokens <= 64) {
      const auto count = computed_pairs(*story, frame);
      std::size_t visible = 0;
      for (const Place& q : story->session.queries.expand()) {
        for (const Place& k : story->session.keys.expand()) {
          if (!mask.visible(q, k)) continue;
          for (int h = 0; h < heads; ++h) {
            ++visible;
            const auto found = count.find({q.position, k.position, h});
            REQUIRE((found != count.end() && found->second == 1));
          }
        }
      }
      REQUIRE(count.size() == visible);
    }
    // The matrix shows the same: its cells hold all visible pairs, each with a tile of its rank.
    const Matrix& m = story->matrix;
    Index pairs = 0;
    for (std::size_t c = 0; c < m.cells.size(); ++c) {
      pairs += m.cells[c].pairs;
      for (const std::vector<int>& tiles : m.tiles) REQUIRE(tiles[c] >= 0);
    }
    CHECK(pairs == visible_pairs(mask, story->session.queries, story->session.keys));
    // Pairs of the cells of a tile are the tile's pairs, for each of its heads.
    std::vector<Index> in_tile(story->tiles.size(), 0);
    for (int h = 0; h < heads; ++h) {
      const auto& tiles = m.tiles[at(m.class_of_head[at(h)])];
      for (std::size_t c = 0; c < m.cells.size(); ++c) in_tile[at(tiles[c])] += m.cells[c].pairs;
    }
    for (std::size_t t = 0; t < in_tile.size(); ++t) {
      REQUIRE(in_tile[t] == story->tiles[t].pairs * story->tiles[t].query.heads);
    }
  }
}

TEST_CASE("n steps forward and n back end at the same bits") {
  std::mt19937 random(7);
  for (int id = 0; id < sample(kScenes); ++id) {
    const SceneCase scene = make_scene(id);
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    Playback playback(story, id % story->size());
    const auto breaks = static_cast<int>(playback.breaks().size());
    const int first = static_cast<int>(random() % static_cast<unsigned>(breaks));
    for (int i = 0; i < first; ++i) playback.step_forward();
    const double time = playback.time();
    const Frame frame = frame_at(*story, time);
    const int steps = breaks - 1 - playback.break_index();
    for (int i = 0; i < steps; ++i) {
      const double before = playback.time();
      playback.step_forward();
      REQUIRE(playback.time() > before);
    }
    CHECK(playback.at_end());
    Frame reused = frame_at(*story, playback.time());
    for (int i = 0; i < steps; ++i) playback.step_back();
    CHECK(playback.time() == time);
    frame_at(*story, playback.time(), reused);
    CHECK(reused == frame);
  }
}

TEST_CASE("what is said holds the ledger's numbers") {
  std::size_t tiles_told = 0, sends_told = 0;
  for (int id = 0; id < sample(kScenes); ++id) {
    const SceneCase scene = make_scene(id);
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    const Schedule schedule = schedule_of(scene.scenario);
    const Ledger ledger = make_ledger(schedule, rule_of(scene.scenario).mask);
    for (int r = 0; r < schedule.size(); ++r) {
      const RankLedger& rank = ledger.ranks[at(r)];
      // Tiles are told in the order in which the rank computes them.
      std::size_t tile = 0;
      bool left_out = false;
      std::vector<std::string> sends;  // of single messages
      const CollectiveIndex collectives(schedule);
      for (const Step& step : schedule.rank(r).steps) {
        const auto* exchange = std::get_if<Exchange>(&step.action);
        if (exchange && exchange->sends.size() == 1) {
          sends.push_back(bytes_text(static_cast<double>(
              bytes_of(schedule, schedule.content(exchange->sends[0].content)))));
        }
        const auto* collective = std::get_if<Collective>(&step.action);
        if (!collective) continue;
        const CollectiveMoves moves = collectives.moves(r, *collective);
        if (moves.sends.size() != 1) continue;
        sends.push_back(bytes_text(static_cast<double>(bytes_of(schedule, moves.sends[0].part))));
      }
      std::size_t send = 0;
      for (const BreakPoint& point : story->ranks[at(r)].breaks) {
        for (const Sentence& sentence : point.sentences) {
          const std::string& key = sentence.key;
          REQUIRE(Texts::english().has(key));
          REQUIRE(Texts::english().say(sentence).find('{') == std::string::npos);
          if (key == "break.more") left_out = true;
          if (left_out) continue;
          if (key.starts_with("break.attend")) {
            // Tiles without queries or keys are no event.
            while (tile < rank.tiles.size() && rank.tiles[tile].square == 0) ++tile;
            REQUIRE(tile < rank.tiles.size());
            CHECK(sentence.arguments[3] == grouped(rank.tiles[tile].pairs));
            CHECK(sentence.arguments[4] == grouped(rank.tiles[tile].square));
            CHECK(key.ends_with(name(rank.tiles[tile].tile())));
            ++tile;
            ++tiles_told;
          } else if (key.starts_with("break.send.one")) {
            REQUIRE(send < sends.size());
            CHECK(sentence.arguments[3] == sends[send++]);
            ++sends_told;
          } else if (key.starts_with("break.home")) {
            CHECK(sentence.arguments[1] == grouped(rank.pair_heads));
            CHECK(sentence.arguments[2] == bytes_text(static_cast<double>(rank.bytes_sent)));
            CHECK(sentence.arguments[3] == grouped(ledger.pair_heads));
          }
        }
      }
      while (tile < rank.tiles.size() && rank.tiles[tile].square == 0) ++tile;
      if (!left_out) {
        CHECK(tile == rank.tiles.size());
        CHECK(send == sends.size());
      }
    }
  }
  CHECK(tiles_told > 15 * at(sample(kScenes)));
  CHECK(sends_told > 10 * at(sample(kScenes)));
}

TEST_CASE("bytes, pairs and memory of the frames are the ledger's") {
  for (int id = 0; id < sample(kScenes); ++id) {
    const SceneCase scene = make_scene(id);
    INFO(scene.text());
    const auto story = make_story(scene.scenario, scene.options);
    const Ledger ledger = make_ledger(schedule_of(scene.scenario), rule_of(scene.scenario).mask);
    const Frame end = frame_at(*story, story->end);
    for (int r = 0; r < story->size(); ++r) {
      const RankLedger& rank = ledger.ranks[at(r)];
      CHECK(end.ranks[at(r)].doing == Doing::finished);
      CHECK(end.ranks[at(r)].bytes_sent == rank.bytes_sent);
      CHECK(end.ranks[at(r)].bytes_received == rank.bytes_received);
      CHECK(end.ranks[at(r)].pair_heads == rank.pair_heads);
      Index peak = 0, peak_key_value = 0;
      double time = 0;
      for (const RankStory::Memory& memory : story->ranks[at(r)].memory) {
        REQUIRE(memory.time >= time);
        time = memory.time;
        peak = std::max(peak, memory.total());
        peak_key_value =
            std::max(peak_key_value, memory.bytes[static_cast<std::size_t>(Quantity::key_value)]);
      }
      CHECK(peak == rank.peak_bytes);
      CHECK(peak_key_value == rank.peak_key_value_bytes);
    }
  }
}

}  // namespace
}  // namespace ringlab

// Predictions: exactly one right answer, and it is what the frame shows when motion stops next.
//
// The answers are read here from frames, the ledger and places of blocks, never from the lists that
// predict() reads.
#include "ringlab/viz/model/predict.hpp"

#include <map>
#include <set>

#include "ringlab/viz/model/build.hpp"
#include "ringlab/viz/model/frame.hpp"
#include "ringlab/viz/model/predictor.hpp"
#include "ringlab/viz/model/presets.hpp"
#include "tests/catch.hpp"
#include "tests/viz/model/scenarios.hpp"

namespace ringlab {
namespace {

using namespace viz;
using test::make_scene;
using test::SceneCase;

constexpr int kScenes = 300;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// Letters of the blocks that a rank reads from at this moment.
std::set<std::string> read_by(const Story& story, const Frame& frame, int rank) {
  std::set<std::string> labels;
  for (int p = frame.places_begin[at(rank)]; p < frame.places_begin[at(rank) + 1]; ++p) {
    const BlockPlace& place = frame.places[at(p)];
    if (place.in_use) labels.insert(story.copies[at(place.copy)].short_label);
  }
  return labels;
}

// Ranks that have work in a hop, as the ledger counts it.
std::set<int> working(const Story& story, int hop) {
  std::set<int> ranks;
  for (int r = 0; r < story.size(); ++r) {
    for (const TileWork& tile : story.ledger.ranks[at(r)].tiles) {
      if (tile.hop == hop && tile.pairs > 0) ranks.insert(r);
    }
  }
  return ranks;
}

// Ranks that get a block of these words between two moments: it is flying to them at the second,
// or it has come since the first.
std::set<int> receivers(const Story& story, const Frame& before, const Frame& after,
                        const std::string& what) {
  std::set<int> had, ranks;
  for (const BlockPlace& place : before.places) had.insert(place.copy);
  for (const BlockPlace& place : after.places) {
    const Copy& copy = story.copies[at(place.copy)];
    if (viz::detail::what(story.schedule, copy.content) == what && copy.flight >= 0 &&
        had.count(place.copy) == 0) {
      ranks.insert(place.rank);
    }
  }
  return ranks;
}

// Empty if the prediction is as it should be.
std::string fault_of(const Story& story, const Prediction& p) {
  if (p.options.size() < 3 || p.options.size() > 4) return "no three or four options";
  if (p.right < 0 || p.right >= static_cast<int>(p.options.size())) return "no right option";
  std::set<std::string> words;
  for (const Prediction::Option& option : p.options) {
    words.insert(option_text(option, Texts::english()) + " " + option.label);
  }
  if (words.size() != p.options.size()) return "two options say the same";
  const auto& breaks = story.ranks[at(p.rank)].breaks;
  if (breaks[at(p.break_index)].time != p.asked_at ||
      breaks[at(p.break_index) + 1].time != p.shown_at) {
    return "not from break point to break point";
  }
  const Frame before = frame_at(story, p.asked_at), after = frame_at(story, p.shown_at);
  for (int i = 0; i < static_cast<int>(p.options.size()); ++i) {
    const Prediction::Option& option = p.options[at(i)];
    bool shown = false;
    switch (p.kind) {
      case Prediction::Kind::next_block: {
        // Asked before it begins.
        const int now = before.ranks[at(p.rank)].tile, then = after.ranks[at(p.rank)].tile;
        if (then < 0 || then == now) return "nothing new is computed";
        shown = read_by(story, after, p.rank).count(option.label) > 0;
        break;
      }
      case Prediction::Kind::idle_rank:
        shown = working(story, p.hop).count(option.rank) == 0;
        if (shown && after.ranks[at(option.rank)].tile >= 0 &&
            story.tiles[at(after.ranks[at(option.rank)].tile)].hop == p.hop) {
          return "the idle rank computes";
        }
        break;
      case Prediction::Kind::next_receiver:
        shown = receivers(story, before, after, p.question.arguments.at(0)).count(option.rank) > 0;
        break;
    }
    if (shown != (i == p.right)) {
      return option_text(option, Texts::english()) + (shown ? " is shown too" : " is not shown");
    }
  }
  return "";
}

// The numbers of a sentence, against the ledger.
std::string wrong_numbers(const Story& story, const Prediction& p) {
  const auto& words = p.why.arguments;
  const RankLedger& mine = story.ledger.ranks[at(p.rank)];
  switch (p.kind) {
    case Prediction::Kind::next_block:
      for (const TileWork& tile : mine.tiles) {
        if (std::to_string(tile.hop) == words[0] && grouped(tile.pairs) == words[3]) return "";
      }
      return "no tile of " + words[3] + " pairs in hop " + words[0];
    case Prediction::Kind::idle_rank: {
      Index pair_heads = 0;
      for (const RankLedger& rank : story.ledger.ranks) {
        for (const TileWork& tile : rank.tiles) {
          if (tile.hop == p.hop) pair_heads += tile.pairs * tile.query.heads;
        }
      }
      if (grouped(pair_heads) != words[3]) return "not " + words[3] + " pairs";
      return std::to_string(working(story, p.hop).size()) == words[2] ? "" : "not " + words[2];
    }
    case Prediction::Kind::next_receiver:
      return words[2] == std::to_string(p.options[at(p.right)].rank) ? "" : "another rank";
  }
  return "";
}

TEST_CASE("each prediction has one right answer, and the frame then shows it") {
  std::map<Prediction::Kind, int> asked;
  std::map<int, int> places;  // of the right option among four
  for (int id = 0; id < kScenes; ++id) {
    const SceneCase scene = make_scene(id);
    const auto story = make_story(scene.scenario, scene.options);
    for (int r = 0; r < story->size(); ++r) {
      const int breaks = static_cast<int>(story->ranks[at(r)].breaks.size());
      for (int b = 0; b < breaks; ++b) {
        const auto p = predict(*story, r, b);
        if (!p) continue;
        INFO(scene.text() << ", rank " << r << ", break " << b << ", " << name(p->kind));
        CHECK(fault_of(*story, *p) == "");
        CHECK(wrong_numbers(*story, *p) == "");
        ++asked[p->kind];
        if (p->options.size() == 4) ++places[p->right];
      }
      CHECK_FALSE(predict(*story, r, breaks - 1));
    }
  }
  for (const auto& [kind, count] : asked) {
    CAPTURE(name(kind), count);
    CHECK(count > 100);
  }
  CHECK(asked.size() == 3);
  // No place is the right one too often or too rarely to be worth a guess.
  int all = 0;
  for (const auto& [place, count] : places) all += count;
  for (const auto& [place, count] : places) {
    CAPTURE(place, count, all);
    CHECK(count * 10 > all);
    CHECK(count * 2 < all);
  }
}

TEST_CASE("the same story asks the same question, another place another one") {
  const SharedState state = preset_named("causal-contiguous").state;
  const auto one = make_story(state.scenario, state.options);
  const auto two = make_story(state.scenario, state.options);
  std::set<Prediction::Kind> kinds;
  int questions = 0;
  for (int r = 0; r < one->size(); ++r) {
    for (int b = 0; b < static_cast<int>(one->ranks[at(r)].breaks.size()); ++b) {
      CHECK(predict(*one, r, b) == predict(*two, r, b));
      if (const auto p = predict(*one, r, b)) kinds.insert(p->kind), ++questions;
    }
  }
  CHECK(kinds.size() == 3);
  CHECK(questions > 30);
  CHECK_FALSE(predict(*one, -1, 0));
  CHECK_FALSE(predict(*one, one->size(), 0));
  CHECK_FALSE(predict(*one, 0, -1));
}

TEST_CASE("a click on a rank or on a block finds its option") {
  const SharedState state = preset_named("plain").state;
  const auto story = make_story(state.scenario, state.options);
  bool blocks = false, ranks = false;
  for (int r = 0; r < story->size(); ++r) {
    for (int b = 0; b < static_cast<int>(story->ranks[at(r)].breaks.size()); ++b) {
      const auto p = predict(*story, r, b);
      if (!p) continue;
      for (int i = 0; i < static_cast<int>(p->options.size()); ++i) {
        const Prediction::Option& option = p->options[at(i)];
        if (option.rank >= 0) {
          ranks = true;
          CHECK(option_of_rank(*p, option.rank) == i);
          CHECK(option_of_copy(*p, *story, 0) == -1);
          continue;
        }
        blocks = true;
        CHECK(option_of_rank(*p, 0) == -1);
        for (int c = 0; c < static_cast<int>(story->copies.size()); ++c) {
          if (story->copies[at(c)].short_label == option.label) {
            CHECK(option_of_copy(*p, *story, c) == i);
          }
        }
      }
    }
  }
  CHECK(blocks);
  CHECK(ranks);
}

// Plays until motion stops, or for as long as a story can last.
bool play(Predictor& predictor, const std::shared_ptr<const Story>& story, Playback& playback) {
  bool revealed = false;
  playback.play();
  for (int i = 0; i < 10000 && playback.playing(); ++i) {
    playback.advance(0.05);
    revealed = predictor.follow(story, playback) || revealed;
  }
  return predictor.follow(story, playback) || revealed;
}

TEST_CASE("a question stands at a break point, and its answer is revealed at the next") {
  const SharedState state = preset_named("causal-zigzag").state;
  const auto story = make_story(state.scenario, state.options);
  Playback playback(story, 2);
  Predictor predictor;
  int questions = 0, skipped = 0;
  predictor.follow(story, playback);
  while (!playback.at_end()) {
    if (const Prediction* open = predictor.open()) {
      CHECK(open->asked_at == playback.time());
      const Prediction p = *open;
      // Every third question is skipped; of the others every second answer is wrong.
      if (questions % 3 == 2) {
        ++skipped;
        CHECK_FALSE(play(predictor, story, playback));
        CHECK(predictor.revealed() == nullptr);
      } else {
        const int choice = questions % 2 == 0 ? p.right : (p.right + 1) % 3;
        predictor.answer(choice);
        CHECK(predictor.open() == nullptr);
        REQUIRE(predictor.waiting() != nullptr);
        CHECK(play(predictor, story, playback));
        CHECK(playback.time() == p.shown_at);
        REQUIRE(predictor.revealed() != nullptr);
        CHECK(predictor.revealed()->right() == (questions % 2 == 0));
        CHECK(predictor.waiting() == nullptr);
      }
      ++questions;
    } else {
      play(predictor, story, playback);
    }
  }
  CHECK(questions > 5);
  CHECK(predictor.answered() == questions - skipped);
  CHECK(predictor.right() > 0);
  CHECK(predictor.right() < predictor.answered());
  CHECK(predictor.open() == nullptr);
}

TEST_CASE("going back, another rank or another story drops an answer without counting it") {
  const SharedState state = preset_named("causal-zigzag").state;
  const auto story = make_story(state.scenario, state.options);
  Predictor predictor;
  Playback playback(story, 0);
  const auto ask = [&] {
    playback.home();
    predictor.follow(story, playback);
    // Not at the start, from which nothing goes back.
    do {
      playback.step_forward();
      predictor.follow(story, playback);
    } while (predictor.open() == nullptr && !playback.at_end());
    REQUIRE(predictor.open() != nullptr);
    predictor.answer(0);
    REQUIRE(predictor.waiting() != nullptr);
  };
  ask();
  playback.home();
  predictor.follow(story, playback);
  CHECK(predictor.waiting() == nullptr);
  ask();
  playback.set_focus(3);
  predictor.follow(story, playback);
  CHECK(predictor.waiting() == nullptr);
  playback.set_focus(0);
  ask();
  const auto other = make_story(state.scenario, state.options);
  playback.set_story(other);
  predictor.follow(other, playback);
  CHECK(predictor.waiting() == nullptr);
  CHECK(predictor.answered() == 0);
  CHECK_THROWS(Predictor().answer(0));
}

}  // namespace
}  // namespace ringlab

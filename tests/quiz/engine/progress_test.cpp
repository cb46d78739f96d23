// Statistics, cards, and the file that keeps them.
#include "ringlab/quiz/engine/progress.hpp"

#include <filesystem>

#include "ringlab/quiz/engine/draw.hpp"
#include "ringlab/quiz/engine/json.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "tests/catch.hpp"
#include "tests/quiz/engine/small_bank.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;

constexpr std::int64_t kDay = 86400;

struct Learner {
  Bank bank = test::small_bank(2, 3);
  Progress progress;
  void answer(const std::string& item, bool right, Confidence confidence, std::int64_t now) {
    const Question question = question_of(bank, {item, 1});
    const int choice = right ? question.right() : (question.right() + 1) % 3;
    record(progress, question, {choice, confidence, 7}, now);
  }
};

TEST_CASE("what is missed or guessed comes back, what is known does not") {
  Learner learner;
  learner.answer("l1-i0", true, Confidence::sure, 100);
  learner.answer("l1-i1", true, Confidence::guess, 100);
  learner.answer("l1-i2", false, Confidence::sure, 100);
  CHECK(learner.progress.cards.count("l1-i0") == 0);
  // First intervals of FSRS-6: again 1 day, hard 1 day.
  CHECK(learner.progress.cards.at("l1-i1").due_at == 100 + kDay);
  CHECK(learner.progress.cards.at("l1-i2").due_at == 100 + kDay);
  CHECK(due_items(learner.progress, learner.bank, 100 + kDay - 1).empty());
  CHECK(due_items(learner.progress, learner.bank, 100 + kDay).size() == 2);
  // Once on the schedule, right answers move it further out.
  learner.answer("l1-i2", true, Confidence::think, 100 + kDay);
  const auto first = learner.progress.cards.at("l1-i2").due_at - (100 + kDay);
  learner.answer("l1-i2", true, Confidence::think, 100 + 10 * kDay);
  const auto second = learner.progress.cards.at("l1-i2").due_at - (100 + 10 * kDay);
  CHECK(second > first);
  // A clock set back is no reason to stop.
  learner.answer("l1-i2", true, Confidence::think, 50);
  CHECK(learner.progress.cards.at("l1-i2").due_at > 50);

  const ItemStatistics& missed = learner.progress.items.at("l1-i2");
  CHECK(missed.asked == 4);
  CHECK(missed.right == 3);
  CHECK(missed.sure_wrong == 1);
  CHECK(missed.seconds == 28);
  CHECK(missed.misconceptions.size() == 1);
  CHECK(learner.progress.items.at("l1-i1").guess_right == 1);
}

TEST_CASE("progress comes back from its file as it was, unfinished runs too") {
  Learner learner;
  learner.answer("l1-i0", false, Confidence::guess, 1750000000);
  learner.progress.other = Run{RunKind::practice,
                               learner.bank.hash,
                               5,
                               1750000000,
                               0,
                               draw_practice(learner.bank, learner.progress, 0, 4, 5, 1750000000),
                               {{1, Confidence::sure, 12}}};
  CHECK(parse_progress(to_json(learner.progress), "p") == learner.progress);
  CHECK(parse_run(to_json(*learner.progress.other), "r") == *learner.progress.other);

  const auto folder = std::filesystem::temp_directory_path() / "ringlab_quiz_progress_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  CHECK(load_progress(folder / "progress.json") == Progress{});
  save_progress(folder / "progress.json", learner.progress);
  CHECK(load_progress(folder / "progress.json") == learner.progress);
  // Nothing else stays behind.
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
  std::filesystem::remove_all(folder);
}

TEST_CASE("damaged files are refused by name, never half read") {
  Learner learner;
  learner.answer("l1-i0", false, Confidence::guess, 1750000000);
  const std::string good = to_json(learner.progress);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"version\": 1", "\"version\": 2"},
           {"\"asked\": 1", "\"asked\": -1"},
           {"\"asked\": 1", "\"asked\": \"1\""},
           {"\"asked\": 1", "\"askd\": 1"},
           {"\"stability\": 0.212", "\"stability\": 0"},
           {"\"stability\": 0.212", "\"stability\": null"},
           {"\"cards\"", "\"cards\": {}, \"cards\""},
           {"1\n}\n", "1\n"}}) {
    std::string bad = good;
    const auto at = bad.find(from);
    REQUIRE(at != std::string::npos);
    bad.replace(at, from.size(), to);
    CAPTURE(to);
    CHECK_THROWS_AS(parse_progress(bad, "progress"), InputError);
  }
  CHECK_THROWS_AS(parse_run("{}", "run"), InputError);
  CHECK_THROWS_AS(parse_run("[]", "run"), InputError);
}

}  // namespace

// Grading and feedback of single answers.
#include "ringlab/quiz/engine/run.hpp"

#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/quiz/engine/small_bank.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;

TEST_CASE("feedback names the mistake, mends it, and shows where to look") {
  const Bank bank = test::small_bank(1, 1);
  const Question question = question_of(bank, {"l1-i0", 3});
  for (int choice = 0; choice < 3; ++choice) {
    const Option& option = question.options[static_cast<std::size_t>(choice)];
    const Feedback said = feedback(bank, question, choice);
    CHECK(said.right == option.right);
    CHECK(said.explanation == "Because.");
    CHECK(said.show == "ringlab run --ranks 2");
    if (option.right) {
      CHECK(said.misconception.empty());
      CHECK(said.right_option.empty());
    } else {
      CHECK(said.misconception == (option.misconception == "odd" ? "Odd belief." : "Even belief."));
      CHECK(said.mend == option.mend.in("en"));
      CHECK(said.right_option == option_letter(question.right()) + ") good");
    }
  }
}

TEST_CASE("a score counts what was answered, by lesson; 80 % passes") {
  const Bank bank = test::small_bank(2, 5);
  Run run;
  for (int i = 0; i < 10; ++i) {
    run.tickets.push_back({"l" + std::to_string(1 + i % 2) + "-i" + std::to_string(i / 2), 9});
    const Question question = question_of(bank, run.tickets.back());
    run.answers.push_back({i < 8 ? question.right() : (question.right() + 1) % 3});
  }
  const Score score = score_of(bank, run);
  CHECK(score.right == 8);
  CHECK(score.asked == 10);
  REQUIRE(score.lessons.size() == 2);
  CHECK(score.lessons[0].right == 4);
  CHECK(score.lessons[1].right == 4);
  CHECK(passes(score));
  run.answers[0].choice = (question_of(bank, run.tickets[0]).right() + 1) % 3;
  CHECK_FALSE(passes(score_of(bank, run)));
  CHECK_FALSE(passes(Score{}));
  run.answers[0].choice = 3;
  CHECK_THROWS_AS(score_of(bank, run), InputError);
  run.tickets[0].item = "no-such";
  CHECK_THROWS_AS(score_of(bank, run), InputError);
}

}  // namespace

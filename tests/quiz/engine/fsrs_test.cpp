// FSRS-6 against py-fsrs 6.3.2 (no fuzzing, no learning steps), which printed the table below.
#include "ringlab/quiz/engine/fsrs.hpp"

#include <vector>

#include "tests/catch.hpp"

namespace {

using namespace ringlab::quiz;

struct Step {
  int days, grade;
  double stability, difficulty;
  int interval;
};

// clang-format off
const std::vector<std::vector<Step>> kPublished = {
    {{0, 1, 0.2120000000, 6.4133000000, 1}},
    {{0, 2, 1.2931000000, 5.1121707056, 1}},
    {
      {0, 3, 2.3065000000, 2.1181039705, 2},
      {2, 3, 10.9643323358, 2.1112142358, 11},
      {11, 3, 46.2802172876, 2.1043313908, 46},
      {46, 1, 2.9325804542, 7.3899757880, 3},
      {1, 3, 4.9598827511, 7.3778141815, 5},
      {3, 2, 8.0103547254, 8.2444992291, 8},
      {3, 4, 15.2681968974, 7.6431210471, 15},
      {0, 3, 15.2681968974, 7.6307062954, 15},
      {200, 4, 136.0819863089, 6.8242271177, 136},
    },
    {
      {0, 1, 0.2120000000, 6.4133000000, 1},
      {1, 1, 0.1008857898, 8.8063044689, 1},
      {0, 1, 0.0416538957, 9.5928687653, 1},
      {0, 2, 0.0416538957, 9.7149556834, 1},
      {1, 3, 0.2564835542, 9.7004690970, 1},
      {5, 4, 2.0030499241, 9.5856081967, 2},
      {30, 1, 0.7654697194, 9.8490206014, 1},
      {100, 2, 2.6446269136, 9.8850012089, 3},
      {4, 3, 4.4344823249, 9.8703445770, 4},
    },
    {
      {0, 4, 8.2956000000, 1.0000000000, 8},
      {8, 4, 65.6242261619, 1.0000000000, 66},
      {60, 4, 374.7649925718, 1.0000000000, 375},
      {400, 2, 848.5780882203, 4.0106089693, 849},
      {3000, 1, 9.3548561311, 8.0165562654, 9},
      {2, 3, 12.2663353148, 8.0037680784, 12},
    },
};
// clang-format on

TEST_CASE("reviews give the stability, difficulty and interval of py-fsrs") {
  for (const auto& sequence : kPublished) {
    std::optional<Card> card;
    for (const Step& step : sequence) {
      card = review(card, static_cast<Recall>(step.grade), step.days);
      CAPTURE(step.days, step.grade);
      // The table has ten decimals.
      CHECK(std::abs(card->stability - step.stability) < 1e-9);
      CHECK(std::abs(card->difficulty - step.difficulty) < 1e-9);
      CHECK(interval_days(*card) == step.interval);
    }
  }
}

TEST_CASE("recall is 0.9 after the stability, whatever it is") {
  for (const double stability : {0.2, 3.0, 50.0, 4000.0}) {
    CHECK(recall_probability({stability, 5}, stability) == Approx(0.9).epsilon(1e-12));
    CHECK(recall_probability({stability, 5}, 0) == Approx(1).epsilon(1e-12));
  }
}

}  // namespace

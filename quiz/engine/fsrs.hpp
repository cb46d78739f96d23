// FSRS-6, the schedule of reviews: when a thing once missed is to be asked again.
//
// A card has a stability S (the days after which it is recalled with probability 0.9) and a
// difficulty D (1 to 10). Each review changes both; the next one is due when recall has fallen to
// 0.9. Formulas and default parameters as in py-fsrs 6 (github.com/open-spaced-repetition/py-fsrs),
// without learning steps and without fuzzing, so a review is a pure function.
#pragma once

#include <optional>

namespace ringlab::quiz {

enum class Recall { again = 1, hard = 2, good = 3, easy = 4 };

struct Card {
  double stability = 0;   // days
  double difficulty = 0;  // 1 (easy) to 10
  bool operator==(const Card&) const = default;
};

/// The probability of recall, `elapsed_days` after the last review.
double recall_probability(const Card& card, double elapsed_days);

/// The card after a review, `elapsed_days` whole days after the last one; no card: the first.
Card review(const std::optional<Card>& card, Recall recall, int elapsed_days);

/// Whole days, at least 1, until recall has fallen to 0.9.
int interval_days(const Card& card);

}  // namespace ringlab::quiz

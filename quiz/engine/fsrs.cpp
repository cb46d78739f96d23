#include "ringlab/quiz/engine/fsrs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ringlab::quiz {
namespace {

// The default parameters of FSRS-6, named w0 to w20 there.
constexpr std::array w = {0.212,  1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194,
                          0.001,  1.8722, 0.1666, 0.796,  1.4835, 0.0614, 0.2629,
                          1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542};
constexpr double kWantedRecall = 0.9;
constexpr double kLeastStability = 0.001;
constexpr double kLongestDays = 36500;

const double kDecay = -w[20];
const double kFactor = std::pow(0.9, 1 / kDecay) - 1;

double grade(Recall recall) {
  return static_cast<double>(recall);
}

double first_difficulty(Recall recall) {
  return w[4] - std::exp(w[5] * (grade(recall) - 1)) + 1;
}

double clamp_difficulty(double difficulty) {
  return std::clamp(difficulty, 1.0, 10.0);
}

double next_difficulty(double difficulty, Recall recall) {
  const double step = -w[6] * (grade(recall) - 3);
  const double damped = difficulty + (10 - difficulty) * step / 9;
  return clamp_difficulty(w[7] * first_difficulty(Recall::easy) + (1 - w[7]) * damped);
}

double same_day_stability(double s, Recall recall) {
  double growth = std::exp(w[17] * (grade(recall) - 3 + w[18])) * std::pow(s, -w[19]);
  if (recall != Recall::again) growth = std::max(growth, 1.0);
  return s * growth;
}

double stability_after_lapse(const Card& card, double recalled) {
  const double s = card.stability;
  const double long_term = w[11] * std::pow(card.difficulty, -w[12]) *
                           (std::pow(s + 1, w[13]) - 1) * std::exp((1 - recalled) * w[14]);
  return std::min(long_term, s / std::exp(w[17] * w[18]));
}

double stability_after_recall(const Card& card, double recalled, Recall recall) {
  const double hard = recall == Recall::hard ? w[15] : 1;
  const double easy = recall == Recall::easy ? w[16] : 1;
  return card.stability *
         (1 + std::exp(w[8]) * (11 - card.difficulty) * std::pow(card.stability, -w[9]) *
                  (std::exp((1 - recalled) * w[10]) - 1) * hard * easy);
}

}  // namespace

double recall_probability(const Card& card, double elapsed_days) {
  return std::pow(1 + kFactor * elapsed_days / card.stability, kDecay);
}

Card review(const std::optional<Card>& card, Recall recall, int elapsed_days) {
  if (!card) {
    return {std::max(w[static_cast<std::size_t>(recall) - 1], kLeastStability),
            clamp_difficulty(first_difficulty(recall))};
  }
  const double recalled = recall_probability(*card, elapsed_days);
  double stability = 0;
  if (elapsed_days < 1) {
    stability = same_day_stability(card->stability, recall);
  } else if (recall == Recall::again) {
    stability = stability_after_lapse(*card, recalled);
  } else {
    stability = stability_after_recall(*card, recalled, recall);
  }
  return {std::max(stability, kLeastStability), next_difficulty(card->difficulty, recall)};
}

int interval_days(const Card& card) {
  const double days = card.stability / kFactor * (std::pow(kWantedRecall, 1 / kDecay) - 1);
  return static_cast<int>(std::clamp(std::nearbyint(days), 1.0, kLongestDays));
}

}  // namespace ringlab::quiz

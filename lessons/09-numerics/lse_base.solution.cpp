#include "exercise.hpp"

double lse_factor(const std::vector<double>& right, const std::vector<double>& found) {
  const double ln2 = std::log(2.0);
  for (const double factor : {1.0, 1 / ln2, ln2}) {
    double worst = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      worst = std::fmax(worst, std::fabs(found[i] - factor * right[i]));
    }
    if (worst < 0.1) return factor;
  }
  return 0;
}

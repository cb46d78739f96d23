// A kernel's log-sum-exps against the right ones: by which factor do they differ?
#include "exercise.hpp"

// 1 if they agree, 1 / ln 2 = 1.442695 if the kernel counts in base 2, ln 2 = 0.693147 if it was
// converted once too often, and 0 if no such factor explains it. There may be rounding errors of
// some hundredths.
double lse_factor(const std::vector<double>& right, const std::vector<double>& found) {
  // About eight lines. Some of the right ones may be close to 0: do not divide by them.
  (void)right;
  (void)found;
  return 1;
}

// A kernel's log-sum-exps against the right ones: by which factor do they differ?
#include "lse_base.hpp"

// 1 if they agree, 1 / ln 2 = 1.442695 if the kernel counts in base 2, ln 2 = 0.693147 if it was
// converted once too often, and 0 if no such factor explains it. There may be rounding errors of
// some hundredths. Rows stands in lse_base.hpp: size(), right(i), found(i).
double lse_factor(Rows& rows) {
  // About ten lines. Some of the right ones may be close to 0: do not divide by them.
  (void)rows;
  return 1;
}

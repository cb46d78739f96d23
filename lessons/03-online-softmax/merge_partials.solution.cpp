#include "exercise.hpp"

Partial merge(const Partial& a, const Partial& b) {
  if (a.lse == -INFINITY) return b;
  if (b.lse == -INFINITY) return a;
  const bool a_is_larger = a.lse >= b.lse;
  const double ratio = std::exp(-std::fabs(a.lse - b.lse));  // smaller sum over larger, at most 1
  const double of_larger = 1 / (1 + ratio), of_smaller = ratio / (1 + ratio);
  const double wa = a_is_larger ? of_larger : of_smaller;
  const double wb = a_is_larger ? of_smaller : of_larger;
  Partial sum = a;
  for (std::size_t d = 0; d < sum.out.size(); ++d) sum.out[d] = wa * a.out[d] + wb * b.out[d];
  sum.lse = std::fmax(a.lse, b.lse) + std::log1p(ratio);
  return sum;
}

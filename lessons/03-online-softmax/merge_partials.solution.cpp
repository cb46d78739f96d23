#include "exercise.hpp"

Partial merge(const Partial& a, const Partial& b) {
  if (a.lse == -INFINITY) return b;
  if (b.lse == -INFINITY) return a;
  const double m = std::fmax(a.lse, b.lse);
  const double wa = std::exp(a.lse - m), wb = std::exp(b.lse - m);
  Partial sum = a;
  for (std::size_t d = 0; d < sum.out.size(); ++d) {
    sum.out[d] = (wa * a.out[d] + wb * b.out[d]) / (wa + wb);
  }
  sum.lse = m + std::log(wa + wb);
  return sum;
}

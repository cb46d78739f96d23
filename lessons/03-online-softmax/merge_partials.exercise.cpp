// Two partial results become one.
#include "exercise.hpp"

// struct Partial { std::vector<double> out; double lse; } stands in exercise.hpp: the attention of
// one query over some of its keys. a and b are over different keys.
Partial merge(const Partial& a, const Partial& b) {
  // About ten lines. A partial that has seen no key has out = 0 and lse = -inf.
  (void)b;
  return a;
}

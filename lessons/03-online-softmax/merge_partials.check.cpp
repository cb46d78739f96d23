#include "exercise.hpp"

Partial merge(const Partial& a, const Partial& b);

int main() {
  return serve([](Given& in, Answer& out) {
    const long long dim = in.integer();
    Partial a, b;
    a.lse = in.real();
    a.out = in.reals(dim);
    b.lse = in.real();
    b.out = in.reals(dim);
    const Partial sum = merge(a, b);
    out.add(sum.out);
    out.add(sum.lse);
  });
}

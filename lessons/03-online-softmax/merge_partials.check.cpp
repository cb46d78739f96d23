#include "exercise.hpp"

Partial merge(const Partial& a, const Partial& b);

// The program's own exp and its kin, in the place of the library's: they count.
static long long exponentials = 0;
extern "C" {
double exp(double x) noexcept {
  ++exponentials;
  return static_cast<double>(expl(x));
}
double exp2(double x) noexcept {
  ++exponentials;
  return static_cast<double>(exp2l(x));
}
double expm1(double x) noexcept {
  ++exponentials;
  return static_cast<double>(expm1l(x));
}
}

int main() {
  return serve([](Given& in, Answer& out) {
    const long long dim = in.integer();
    Partial a, b;
    a.lse = in.real();
    a.out = in.reals(dim);
    b.lse = in.real();
    b.out = in.reals(dim);
    exponentials = 0;
    const Partial sum = merge(a, b);
    out.add(sum.out);
    out.add(sum.lse);
    out.add(static_cast<double>(exponentials));
  });
}

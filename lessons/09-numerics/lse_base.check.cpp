#include "exercise.hpp"

double lse_factor(const std::vector<double>& right, const std::vector<double>& found);

int main() {
  return serve([](Given& in, Answer& out) {
    const long long rows = in.integer();
    in.real();
    const std::vector<double> right = in.reals(rows), found = in.reals(rows);
    out.add(lse_factor(right, found));
  });
}

#include "lse_base.hpp"

double lse_factor(Rows& rows);

int main() {
  return serve([](Given& in, Answer& out) {
    const long long count = in.integer();
    const std::vector<double> right = in.reals(count);
    Rows rows(right, in.reals(count));
    out.add(lse_factor(rows));
    out.add(static_cast<double>(rows.rows_read()));
  });
}
